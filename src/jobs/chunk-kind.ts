// Small jobs do not wait for large ones. The first chunks of every job have their own workers, budget and share of the
// directory.

export const CHUNK_KINDS = ['first', 'further'] as const;
export type ChunkKind = (typeof CHUNK_KINDS)[number];

/** A job with at most this many chunks is small. */
const FIRST_CHUNKS = 5;

export function kindOf(chunk: number): ChunkKind {
  return chunk < FIRST_CHUNKS ? 'first' : 'further';
}
