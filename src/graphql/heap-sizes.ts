// The heap that an operation takes, by what can be counted before its execution.

/**
 * Bytes of the heap. Measured with process.memoryUsage after a garbage collection, for dense texts of many shapes, and
 * rounded up. test/graphql/remembered-documents.heap.test.ts measures them again.
 */
export const HEAP_BYTES = {
  /** a document without its tokens: its text, its place in the cache, and its functions */
  document: 5_000,
  /** each token of a document: the token, its nodes and their locations, and the operation that it belongs to */
  token: 360,
  /** each operation of a document that is executed: what reads its variables, its prices and its plans */
  operation: 1_500,
  /** each character of a text, which is kept as a key and as the source of locations */
  character: 4,
  /** each error of a refused document */
  error: 2_000,
  /** each field of a plan, with its list, its place and its price */
  plannedField: 1_150,
  /** a field of the document with arguments: what reads them, and its price */
  argumentsReader: 1_500,
  /** each character of constant arguments, which are read once and kept */
  argumentCharacter: 24,
  /** each 1 of the price. A look-up costs 20 and needs 5 kB. */
  cost: 250,
  /** each byte of a body. Parsed JSON needs up to eight times its bytes. */
  bodyByte: 8,
} as const;

/** Yoga executes a copy of the document. The copy and the document need about this many times the bytes of the document. */
export const DOCUMENT_COPIES_OF_YOGA = 3;
