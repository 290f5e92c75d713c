/** The file as a whole cannot be read as requested. The message is for the caller. */
export class TableError extends Error {
  override readonly name = 'TableError';
}
