// The answers of one chunk as a file: a first line that says what is in it, then the part of the result.

import { link, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

// Files that are there whole or not at all, and never change.

/** The steps by which a file comes to be, each of which may be the last before a crash. */
export interface FileSteps {
  /** Writes a new file, and waits until the disk has it. */
  create(path: string, content: readonly Uint8Array[]): Promise<void>;
  /** Gives a file a second name. Fails with EEXIST where the name is taken. */
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

/** Temporary names begin so. What is left of them after a crash is in nobody's way. */
const TEMPORARY = '.new-';

let written = 0;

/**
 * Writes a file that was not there: a temporary name, the disk, the name, the disk. A link and not `rename`, which
 * would put a second writer's file in the place of the first one's.
 * @returns whether it is this one; false: another was there before
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

/** A folder under another name, on disk before this resolves. */
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
