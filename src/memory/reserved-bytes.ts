// What requests reserve, in bytes of memory. src/graphql/heap-sizes.ts has what a GraphQL operation adds, by its tokens,
// fields and price; memory-sizes.ts has the memory for all requests together.

/** Measured, and rounded up. */
export const RESERVED_BYTES = {
  /** every request: its headers and its objects */
  request: 8_000,
  /** An operation that needs more heap is large: it waits in another queue than small operations. */
  smallOperation: 256_000,
  /** A response up to this size needs no more memory: the memory that the request has reserved is enough. */
  smallResponse: 32_000,
  /** each name of a request for /doiRA */
  whichRaName: 12_000,
  /** the encoder of a compressed response */
  encoder: 1_000_000,
  /** each job in the list of a client's jobs */
  listedJob: 1_000,
  /** the part of a job's result that a client reads */
  downloadPart: 65_536,
  /** the objects for a download */
  downloadObjects: 16_000,
} as const;
