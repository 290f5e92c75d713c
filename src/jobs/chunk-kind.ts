// The first chunks of each job have a separate queue, separate workers, and priority in the budget of look-ups. So small jobs
// do not wait for large jobs.

export const CHUNK_KINDS = ['first', 'further'] as const;
export type ChunkKind = (typeof CHUNK_KINDS)[number];

/** the number of first chunks in a job */
const FIRST_CHUNKS = 5;

export function kindOf(chunk: number): ChunkKind {
  return chunk < FIRST_CHUNKS ? 'first' : 'further';
}
