// The answers of one chunk as a file: a first line that says what is in it, then the part of the result.

import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileSteps, writeOnce } from './write-once.ts';

/** How many rows of a chunk ended how. */
export interface ChunkSummary {
  readonly rows: number;
  readonly found: number;
  readonly absent: number;
  /** lines that could not be read, and inputs that are no DOI names */
  readonly invalid: number;
  /** what could not be asked, which says nothing of the names */
  readonly failed: number;
}

export interface ChunkHead extends ChunkSummary {
  /** of the part of the result */
  readonly bytes: number;
}

/** The first line is padded with blanks, so that offsets in the result are those in the files less this. */
export const HEAD_BYTES = 128;

const NAME_DIGITS = 8;

export function chunkFileName(chunk: number): string {
  return String(chunk).padStart(NAME_DIGITS, '0');
}

/** Writes the answers of a chunk, once: what another worker wrote before stays. */
export async function writeChunk(
  folder: string,
  chunk: number,
  body: Uint8Array,
  summary: ChunkSummary,
  steps?: FileSteps,
): Promise<void> {
  const head = Buffer.from(`${JSON.stringify({ ...summary, bytes: body.length })}`.padEnd(HEAD_BYTES - 1));
  await writeOnce(join(folder, chunkFileName(chunk)), [head, Buffer.from('\n'), body], steps);
}

/** Null where the chunk has not been answered yet. */
export async function readChunkHead(folder: string, chunk: number): Promise<ChunkHead | null> {
  const file = await open(join(folder, chunkFileName(chunk)), 'r').catch(absent);
  if (file === null) return null;
  try {
    const { buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return JSON.parse(buffer.toString('utf8')) as ChunkHead;
  } finally {
    await file.close();
  }
}

/** The numbers of all chunks that have been answered. */
export async function chunksIn(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.length === NAME_DIGITS && /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

export function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
