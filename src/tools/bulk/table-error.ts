/** The whole file cannot be read as requested. The message is for the user. */
export class TableError extends Error {
  override readonly name = 'TableError';
}
