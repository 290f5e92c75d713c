// The files of operands: files, folders, and patterns that the shell did not replace.

import { lstat, stat } from 'node:fs/promises';
import { join, normalize, resolve } from 'node:path';
import type { CommandCall } from '../command.ts';
import { STANDARD_INPUT, UnreadableInputError } from '../read-input.ts';
import { excludeMatcher, folderOfGlob, globMatcher, isGlob, listFolder } from './list-folder.ts';

export const FILE_OPTIONS = {
  exclude: {
    type: 'value',
    placeholder: 'GLOB',
    several: true,
    meaning:
      'Leave out files and folders, as in .gitignore: --exclude vendor, --exclude "docs/old/*.md". May be given several times.',
  },
} as const;

/** For --help. */
export const FOLDERS =
  'Of a folder or a pattern such as "docs/**/*.md" it reads all text files: in a repository of Git those that are not ignored, elsewhere all but hidden ones and node_modules. Each file is read once.';

export interface MeantFile {
  readonly name: string;
  /** it comes from a folder or pattern, so it may not be text */
  readonly isListed: boolean;
}

export interface FindFilesOptions extends Pick<CommandCall, 'environment' | 'signal'> {
  readonly exclude: readonly string[];
  /** files to skip, such as the lock file */
  readonly leftOut: readonly string[];
  readonly onNoGit: (folder: string, reason: string) => void;
}

/** Each file once. A MeantFile that cannot be read is an UnreadableInputError later; one operand may be one now. */
export async function* findFiles(
  operands: readonly string[],
  options: FindFilesOptions,
): AsyncGenerator<MeantFile | { readonly name: string; readonly error: UnreadableInputError }, void> {
  const isExcluded = excludeMatcher(options.exclude);
  const seen = new Set(options.leftOut.map((path) => resolve(path)));
  for (const operand of operands) {
    if (operand === STANDARD_INPUT) {
      yield { name: operand, isListed: false };
      continue;
    }
    try {
      for (const { name, inside } of await filesOf(operand, options)) {
        if (isExcluded(name) || (inside !== null && isExcluded(inside))) continue;
        const isListed = inside !== null;
        const place = resolve(name);
        if (seen.has(place) || (isListed && !(await isPlainFile(name)))) continue;
        seen.add(place);
        yield { name, isListed };
      }
    } catch (error) {
      if (!(error instanceof UnreadableInputError)) throw error;
      yield { name: operand, error };
    }
  }
}

interface Candidate {
  readonly name: string;
  /** its path below the given folder; null for a file that was given itself */
  readonly inside: string | null;
}

async function filesOf(operand: string, options: FindFilesOptions): Promise<readonly Candidate[]> {
  const what = await stat(operand).catch(() => null);
  if (what?.isDirectory()) return listed(operand, Number.POSITIVE_INFINITY, options);
  if (what !== null || !isGlob(operand)) return [{ name: operand, inside: null }];
  const folder = folderOfGlob(operand);
  if (!(await stat(folder).catch(() => null))?.isDirectory())
    throw new UnreadableInputError('there is no such file.');
  const glob = normalize(operand);
  const depth = glob.includes('**') ? Number.POSITIVE_INFINITY : glob.split('/').length;
  const isMeant = globMatcher(glob);
  const files = (await listed(folder, depth, options)).filter(({ name }) => isMeant(name));
  if (files.length === 0) throw new UnreadableInputError('there is no such file.');
  return files;
}

async function listed(
  folder: string,
  depth: number,
  { environment, signal, onNoGit }: FindFilesOptions,
): Promise<readonly Candidate[]> {
  const report = (reason: string) => onNoGit(folder, reason);
  const paths = await listFolder(folder, { environment, signal, depth, onNoGit: report });
  return paths.map((inside) => ({ name: join(folder, inside), inside }));
}

/** Not a link, which may lead anywhere, and not a file that only Git knows. */
async function isPlainFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isFile() === true;
}
