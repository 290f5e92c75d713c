// The files with the results of chunks. A file has one line with counts, and then the chunk's part of the result. A file is
// complete or absent, and never changes.

import { link, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { OutcomeCounts } from '../../tools/bulk/row-outcomes.ts';

export type FileSteps = typeof FILE_STEPS;

/** The steps that create a file. A crash can follow each step. */
export const FILE_STEPS = {
  /** Writes a new file, and waits until the disk has it. */
  async create(path: string, content: readonly Uint8Array[]): Promise<void> {
    const file = await open(path, 'wx');
    try {
      for (const part of content) await file.writeFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
  },
  /** Gives a file a second name. Fails with EEXIST if the name exists. */
  link: (from: string, to: string): Promise<void> => link(from, to),
  remove: (path: string): Promise<void> => rm(path, { force: true }),
  /** Waits until the disk has the changed names in a folder. */
  async syncFolder(path: string): Promise<void> {
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  },
};

/** The beginning of temporary names. A temporary file that remains after a crash does no harm. */
const PREFIX = '.new-';

let fileCount = 0;

/**
 * Writes a file under a temporary name, and then links the file to its name. Resolves with false if a file with this name
 * exists. A `rename` would replace this file, which another process can have written.
 */
export async function writeOnce(
  path: string,
  content: readonly Uint8Array[],
  steps: FileSteps = FILE_STEPS,
): Promise<boolean> {
  const folder = dirname(path);
  fileCount += 1;
  const temporary = join(folder, `${PREFIX}${process.pid}-${Date.now()}-${fileCount}-${basename(path)}`);
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
  await FILE_STEPS.syncFolder(dirname(to));
}

/** The numbers of rows by outcome. */
export interface ChunkSummary extends OutcomeCounts {
  readonly rows: number;
  /** the rows that came from splitting other rows, beyond the rows of the file */
  readonly added: number;
}

export interface ChunkHead extends ChunkSummary {
  /** the length of the chunk's part of the result */
  readonly bytes: number;
}

/** The length of the first line, with padding. The chunk's part of the result begins at this offset of the file. */
export const HEAD_BYTES = 128;

/**
 * The list `m` has these counts, without the zeros at its end, because the first line is short. Files of earlier versions have
 * a shorter list or no list.
 */
const MORE_COUNTS = [
  'answered',
  'severalNames',
  'empty',
  'notInSample',
  'unreadable',
  'added',
  'differs',
  'several',
  'notFound',
] as const;

function headText({ rows, found, absent, invalid, failed, bytes, ...others }: ChunkHead): string {
  const counts = MORE_COUNTS.map((name) => others[name]);
  const more = counts.slice(0, counts.findLastIndex((count) => count > 0) + 1);
  return JSON.stringify({ rows, found, absent, invalid, failed, bytes, m: more });
}

function headOf({
  m: more = [],
  ...counts
}: Omit<ChunkHead, 'added'> & { m?: readonly number[] }): ChunkHead {
  const others = Object.fromEntries(MORE_COUNTS.map((name, index) => [name, more[index] ?? 0]));
  return { ...counts, ...(others as Pick<ChunkHead, (typeof MORE_COUNTS)[number]>) };
}

const NAME_DIGITS = 8;

export function chunkFileName(chunk: number): string {
  return String(chunk).padStart(NAME_DIGITS, '0');
}

/** Writes the result of a chunk. If another worker has already written the file, the file stays unchanged. */
export async function writeChunk(
  folder: string,
  chunk: number,
  body: Uint8Array,
  summary: ChunkSummary,
  steps?: FileSteps,
): Promise<void> {
  const head = headText({ ...summary, bytes: body.length }).padEnd(HEAD_BYTES - 1);
  if (head.length >= HEAD_BYTES) throw new Error(`the counts of a chunk have ${head.length} characters`);
  await writeOnce(join(folder, chunkFileName(chunk)), [Buffer.from(`${head}\n`), body], steps);
}

/** Resolves with null until the chunk is done. */
export async function readChunkHead(folder: string, chunk: number): Promise<ChunkHead | null> {
  const head = await readPart(join(folder, chunkFileName(chunk)), 0, HEAD_BYTES).catch(nullIfAbsent);
  return head === null ? null : headOf(JSON.parse(head));
}

/** Reads a part of a file as text. */
export async function readPart(path: string, offset: number, bytes: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, offset);
    return buffer.toString('utf8');
  } finally {
    await file.close();
  }
}

/** Resolves with the numbers of all finished chunks. */
export async function chunksIn(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.length === NAME_DIGITS && /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

/** For `catch`: null if a file is absent. Throws any other error. */
export function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** Whether the disk, or the quota of the gateway there, is full. */
export function isDiskFull(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
