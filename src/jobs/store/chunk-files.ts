// The answers of one chunk as a file: a line with its counts, then its part of the result. A file is complete or
// absent,
// and never changes.

import { link, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The steps that make a file. A crash may follow each step. */
export interface FileSteps {
  /** Writes a new file, and waits until the disk has it. */
  create(path: string, content: readonly Uint8Array[]): Promise<void>;
  /** Gives a file a second name. Fails with EEXIST if the name exists. */
  link(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Waits until the disk has the names in a folder. */
  syncFolder(path: string): Promise<void>;
}

export const FILE_STEPS: FileSteps = {
  async create(path, content) {
    const file = await open(path, 'wx');
    try {
      for (const part of content) await file.writeFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
  },
  link,
  remove: (path) => rm(path, { force: true }),
  syncFolder,
};

/** The beginning of temporary names. A temporary file that a crash leaves does no harm. */
const TEMPORARY = '.new-';

let written = 0;

/**
 * Writes a new file under a temporary name and then links it to its name. A `rename` would replace the file of another
 * writer.
 * @returns false if the file already existed
 */
export async function writeOnce(
  path: string,
  content: readonly Uint8Array[],
  steps: FileSteps = FILE_STEPS,
): Promise<boolean> {
  const folder = dirname(path);
  written += 1;
  const temporary = join(folder, `${TEMPORARY}${process.pid}-${Date.now()}-${written}-${basename(path)}`);
  try {
    await steps.create(temporary, content);
    await steps.link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await steps.remove(temporary);
  }
  await steps.syncFolder(folder);
  return true;
}

/** Renames a folder. The change is on disk when this resolves. */
export async function moveFolder(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Numbers of rows by outcome. */
export interface ChunkSummary {
  readonly rows: number;
  readonly found: number;
  readonly absent: number;
  /** unreadable lines, and inputs that are not DOI names */
  readonly invalid: number;
  /** failed look-ups, which say nothing about the names */
  readonly failed: number;
}

export interface ChunkHead extends ChunkSummary {
  /** the length of the chunk's part of the result */
  readonly bytes: number;
}

/** The length of the first line, with padding. An offset in the result plus this is the offset in the file. */
export const HEAD_BYTES = 128;

const NAME_DIGITS = 8;

export function chunkFileName(chunk: number): string {
  return String(chunk).padStart(NAME_DIGITS, '0');
}

/** Writes the answers of a chunk. If another worker has already written the file, that file stays. */
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

/** Null until the chunk is done. */
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

/** The numbers of all finished chunks. */
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
