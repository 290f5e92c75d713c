// Small jobs do not wait for large ones: the first chunks of every job have places in the workers, turns in the
// budget and turns at the directory that the further ones do not get.

export const CHUNK_KINDS = ['first', 'further'] as const;
export type ChunkKind = (typeof CHUNK_KINDS)[number];

/** A job of so many chunks is small. */
const FIRST_CHUNKS = 5;

export function kindOf(chunk: number): ChunkKind {
  return chunk < FIRST_CHUNKS ? 'first' : 'further';
}
