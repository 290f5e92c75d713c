// Files that are there whole or not at all, and never change.

import { link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

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
export const TEMPORARY = '.new-';

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
