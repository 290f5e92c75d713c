/** The file as a whole cannot be read in the way that was asked for. Its message is for whoever asked. */
export class TableError extends Error {
  override readonly name = 'TableError';
}
