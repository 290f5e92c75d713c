// The files of a folder: what Git knows and does not ignore, or else all but hidden ones and node_modules.

import { execFile } from 'node:child_process';
import { lstat, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { UnreadableInputError } from '../read-input.ts';

export interface ListOptions {
  /** where programs are found, and the home folder with Git's configuration */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** parts of a path below the folder; more are not looked at */
  readonly depth: number;
  /** called where Git could not list a repository, with the reason */
  readonly onNoGit: (reason: string) => void;
}

/** Paths below the folder, sorted. Rejects with an UnreadableInputError. */
export async function listFolder(folder: string, options: ListOptions): Promise<readonly string[]> {
  if (await isInRepository(folder)) {
    try {
      return await listByGit(folder, options);
    } catch (error) {
      options.signal.throwIfAborted();
      options.onNoGit(reasonOf(error));
    }
  }
  return walk(folder, options);
}

async function isInRepository(folder: string): Promise<boolean> {
  for (let at = resolve(folder); ; at = resolve(at, '..')) {
    if (await lstat(join(at, '.git')).catch(() => null)) return true;
    if (at === resolve(at, '..')) return false;
  }
}

/** A repository that was fetched from elsewhere must not name a program that lists its files. */
const SAFELY = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
const MOST_BYTES = 128 * 2 ** 20;

async function listByGit(folder: string, { environment, signal }: ListOptions): Promise<readonly string[]> {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  // In a hook these name another folder's repository.
  const rest = Object.fromEntries(Object.entries(environment).filter(([name]) => !/^GIT_/.test(name)));
  const { stdout } = await promisify(execFile)('git', ['-C', folder, ...SAFELY, ...listing], {
    env: { ...rest, LC_ALL: 'C' },
    maxBuffer: MOST_BYTES,
    signal,
  });
  return [...new Set(stdout.split('\0'))].filter((path) => path !== '').sort();
}

function reasonOf(error: unknown): string {
  const {
    code,
    stderr = '',
    message,
  } = error as Error & { readonly code?: unknown; readonly stderr?: string };
  if (code === 'ENOENT') return 'git is not installed';
  return stderr.split('\n')[0] || message;
}

async function walk(folder: string, { signal, depth }: ListOptions): Promise<readonly string[]> {
  const files: string[] = [];
  const folders: (readonly [path: string, depth: number])[] = [['', 1]];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    signal.throwIfAborted();
    const [path, level] = next;
    for (const entry of await entriesOf(join(folder, path))) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      // Links may lead back, or to a device without an end.
      if (entry.isFile()) files.push(inside);
      else if (entry.isDirectory() && level < depth) folders.push([inside, level + 1]);
    }
  }
  return files.sort();
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    throw new UnreadableInputError(`the folder ${folder} cannot be read.`, { cause: error });
  }
}
