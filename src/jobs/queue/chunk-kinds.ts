// The kinds of chunks. Each kind has its own queue and its own workers, so that no kind waits for another.

/**
 * The first chunks of each job with names also have priority in the budget of look-ups. So small jobs do not wait for large
 * jobs. The agencies allow only a few searches per second, so chunks with references take long.
 */
export const CHUNK_KINDS = ['first', 'further', 'references'] as const;
export type ChunkKind = (typeof CHUNK_KINDS)[number];

/** the number of first chunks in a job */
const FIRST_CHUNKS = 5;

/** @param hasReferences whether the rows of the job have references instead of names */
export function kindOf(chunk: number, hasReferences: boolean): ChunkKind {
  if (hasReferences) return 'references';
  return chunk < FIRST_CHUNKS ? 'first' : 'further';
}
