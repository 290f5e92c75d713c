// The limits of a GraphQL document that have no variable. src/app/limits.ts has the number of its tokens.

export const DOCUMENT_LIMITS = {
  lines: 2_000,
  /** A deeper document could exhaust the stack, because validation and execution are recursive. */
  depth: 200,
  /** pairs of fields that have the same path in the response, because validation compares all of them */
  pairs: 50_000,
  /** selections of `__schema` and `__type` */
  introspections: 10,
} as const;
