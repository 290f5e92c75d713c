// Finds the files that the operands name. An operand is a file, a folder, or a pattern that the shell did not expand.

import { lstat, stat } from 'node:fs/promises';
import { join, normalize, resolve } from 'node:path';
import { STANDARD_INPUT, UnreadableInputError } from '../read-input.ts';
import {
  excludeMatcher,
  folderOfGlob,
  globMatcher,
  isGlob,
  type ListOptions,
  listFolder,
} from './list-folder.ts';

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

export interface FindFilesOptions extends ListOptions {
  readonly exclude: readonly string[];
  /** files that the command writes or reads itself, such as a lock file. `findFiles` leaves out these files. */
  readonly ownFiles: readonly string[];
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
  const what = await stat(operand).catch(() => null);
  if (what?.isDirectory()) return listed(operand, Number.POSITIVE_INFINITY, options);
  if (what !== null || !isGlob(operand)) return [{ name: operand, inside: null }];
  const folder = folderOfGlob(operand);
  const glob = normalize(operand);
  const depth = glob.includes('**') ? Number.POSITIVE_INFINITY : glob.split('/').length;
  const matches = globMatcher(glob);
  const isFolder = (await stat(folder).catch(() => null))?.isDirectory() === true;
  const files = isFolder ? (await listed(folder, depth, options)).filter(({ name }) => matches(name)) : [];
  if (files.length === 0) throw new UnreadableInputError('no file matches this pattern.');
  return files;
}

async function listed(folder: string, depth: number, options: ListOptions): Promise<readonly Candidate[]> {
  const paths = await listFolder(folder, depth, options);
  return paths.map((inside) => ({ name: join(folder, inside), inside }));
}

/** Leaves out links, which can lead anywhere, and deleted files, which Git can still list. */
async function isPlainFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isFile() === true;
}
