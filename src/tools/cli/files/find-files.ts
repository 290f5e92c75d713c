// Finds the files that the operands name. An operand is a file, a folder, or a pattern that the shell did not expand. In a Git
// repository, a folder gives no ignored files. Elsewhere it gives no hidden files and no node_modules.

import { execFile } from 'node:child_process';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join, normalize, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { CommandCall, CommandEnvironment } from '../command.ts';
import { STANDARD_INPUT, UnreadableInputError } from '../read-input.ts';
import { excludeMatcher, folderOfGlob, globMatcher, isGlob } from './globs.ts';

export const FILE_OPTIONS = {
  exclude: {
    type: 'value',
    placeholder: 'GLOB',
    several: true,
    meaning:
      'Skip files and folders, as in .gitignore: --exclude vendor, --exclude "docs/old/*.md". You can give this option several times.',
  },
} as const;

/** A paragraph of --help. */
export const FOLDERS_HELP =
  'You can give a folder or a pattern such as "docs/**/*.md". The command then reads all text files there, each once. In a Git repository it skips ignored files. Elsewhere it skips hidden files and node_modules.';

interface FoundFile {
  readonly name: string;
  /** whether the file was found in a folder or by a pattern. Such a file might not be text. */
  readonly isListed: boolean;
  /** why the folder or pattern gives no files */
  readonly error?: UnreadableInputError;
}

export interface FindFilesOptions extends Pick<CommandCall, 'signal'> {
  /** the environment for Git, with PATH, and HOME for the configuration of Git */
  readonly environment: CommandEnvironment;
  readonly exclude: readonly string[];
  /** files that the command writes or reads itself, such as a lock file. `findFiles` leaves out these files. */
  readonly ownFiles: readonly string[];
  /** called with the reason if Git could not list the repository of a folder */
  readonly onNoGit: (folder: string, reason: string) => void;
}

/**
 * Yields each file once, and an error for each pattern without a file. Opens no file: a file that is missing or unreadable
 * fails only when the caller reads it.
 */
export async function* findFiles(
  operands: readonly string[],
  options: FindFilesOptions,
): AsyncGenerator<FoundFile, void> {
  const isExcluded = excludeMatcher(options.exclude);
  const seen = new Set(options.ownFiles.map((path) => resolve(path)));
  for (const operand of operands) {
    if (operand === STANDARD_INPUT) {
      yield { name: operand, isListed: false };
      continue;
    }
    try {
      for (const { name, inside } of await filesOf(operand, options)) {
        if (isExcluded(name) || (inside !== null && isExcluded(inside))) continue;
        const isListed = inside !== null;
        const path = resolve(name);
        if (seen.has(path) || (isListed && !(await isPlainFile(name)))) continue;
        seen.add(path);
        yield { name, isListed };
      }
    } catch (error) {
      if (!(error instanceof UnreadableInputError)) throw error;
      yield { name: operand, isListed: false, error };
    }
  }
}

interface Candidate {
  readonly name: string;
  /** the path below the given folder; null if the operand is the file itself */
  readonly inside: string | null;
}

async function filesOf(operand: string, options: FindFilesOptions): Promise<readonly Candidate[]> {
  const stats = await stat(operand).catch(() => null);
  if (stats?.isDirectory()) return listFiles(operand, Number.POSITIVE_INFINITY, options);
  if (stats !== null || !isGlob(operand)) return [{ name: operand, inside: null }];
  const folder = folderOfGlob(operand);
  const glob = normalize(operand);
  const depth = glob.includes('**') ? Number.POSITIVE_INFINITY : glob.split('/').length;
  const matches = globMatcher(glob);
  const isFolder = (await stat(folder).catch(() => null))?.isDirectory() === true;
  const files = isFolder ? (await listFiles(folder, depth, options)).filter(({ name }) => matches(name)) : [];
  if (files.length === 0) throw new UnreadableInputError('no file matches this pattern.');
  return files;
}

async function listFiles(
  folder: string,
  depth: number,
  options: FindFilesOptions,
): Promise<readonly Candidate[]> {
  const paths = await listFolder(folder, depth, options);
  return paths.map((inside) => ({ name: join(folder, inside), inside }));
}

/** False for a link, which can lead anywhere, and for a deleted file, which Git can still list. */
async function isPlainFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isFile() === true;
}

/**
 * Resolves with the sorted paths below the folder. Rejects with an UnreadableInputError.
 * @param depth the largest number of parts in a path; has no effect if Git lists the files
 */
async function listFolder(
  folder: string,
  depth: number,
  options: FindFilesOptions,
): Promise<readonly string[]> {
  if (await isInRepository(folder)) {
    try {
      return await listByGit(folder, options);
    } catch (error) {
      options.signal.throwIfAborted();
      options.onNoGit(folder, reasonOf(error));
    }
  }
  return walk(folder, depth, options.signal);
}

async function isInRepository(folder: string): Promise<boolean> {
  for (let at = resolve(folder); ; at = resolve(at, '..')) {
    if (await lstat(join(at, '.git')).catch(() => null)) return true;
    if (at === resolve(at, '..')) return false;
  }
}

/** With these options, Git does not run programs that the configuration of a downloaded repository names. */
const SAFE_OPTIONS = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
const MAX_BYTES = 128 * 2 ** 20;

async function listByGit(
  folder: string,
  { environment, signal }: FindFilesOptions,
): Promise<readonly string[]> {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  // In a hook, variables such as GIT_DIR name another repository.
  const variables = Object.fromEntries(Object.entries(environment).filter(([name]) => !/^GIT_/.test(name)));
  const { stdout } = await promisify(execFile)('git', ['-C', folder, ...SAFE_OPTIONS, ...listing], {
    env: { ...variables, LC_ALL: 'C' },
    maxBuffer: MAX_BYTES,
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

async function walk(folder: string, depth: number, signal: AbortSignal): Promise<readonly string[]> {
  const files: string[] = [];
  const folders: (readonly [path: string, depth: number])[] = [['', 1]];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    signal.throwIfAborted();
    const [path, level] = next;
    const opened = join(folder, path);
    const entries = await readdir(opened, { withFileTypes: true }).catch((cause: unknown) => {
      throw new UnreadableInputError(`the folder ${opened} cannot be read.`, { cause });
    });
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      // Skips links, because a link can lead back, or to an endless device.
      if (entry.isFile()) files.push(inside);
      else if (entry.isDirectory() && level < depth) folders.push([inside, level + 1]);
    }
  }
  return files.sort();
}
