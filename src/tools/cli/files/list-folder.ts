// Lists the files of a folder. In a Git repository it skips ignored files. Elsewhere it skips hidden files and node_modules.
// Also matches patterns: `*` and `?` within a part of a path, `**` over several parts, `[a-z]`, `{tex,bib}`.

import { execFile } from 'node:child_process';
import { lstat, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { UnreadableInputError } from '../read-input.ts';

export function isGlob(operand: string): boolean {
  return /[*?[{]/.test(operand);
}

/** Examples: `docs` for `docs/*.md`, and `.` for `*.md`. */
export function folderOfGlob(glob: string): string {
  const parts = glob.split('/');
  const fixed = parts.slice(0, parts.findIndex(isGlob)).join('/');
  return fixed === '' ? (glob.startsWith('/') ? '/' : '.') : fixed;
}

export function globMatcher(glob: string): (path: string) => boolean {
  const patterns = patternsOf(glob).map(regExpOf);
  return (path) => patterns.some((pattern) => pattern.test(path));
}

/**
 * Matches as .gitignore does. A pattern without a slash matches at any depth. A pattern with a slash matches only the path
 * from the top. If a folder matches, all its files match.
 */
export function excludeMatcher(globs: readonly string[]): (path: string) => boolean {
  const anywhere: RegExp[] = [];
  const fromTop: RegExp[] = [];
  for (const glob of globs) {
    const trimmed = glob.replace(/^\.\//, '').replace(/\/+$/, '');
    for (const pattern of patternsOf(trimmed))
      (pattern.includes('/') ? fromTop : anywhere).push(regExpOf(pattern));
  }
  return (path) => {
    const parts = path.replace(/^\.\//, '').split('/');
    return parts.some(
      (part, at) =>
        anywhere.some((pattern) => pattern.test(part)) ||
        fromTop.some((pattern) => pattern.test(parts.slice(0, at + 1).join('/'))),
    );
  };
}

/** Each pair of braces in `{a,b}{a,b}…` doubles the number of alternatives. */
const MAX_ALTERNATIVES = 1_000;

/** Example: `a.tex` and `a.bib` for `a.{tex,bib}`. */
function patternsOf(glob: string): readonly string[] {
  let patterns = [glob];
  for (;;) {
    const next = patterns.flatMap((pattern) => {
      const braces = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
      if (braces === null) return [pattern];
      const [before, after] = [
        pattern.slice(0, braces.index),
        pattern.slice(braces.index + braces[0].length),
      ];
      return (braces[1] ?? '').split(',').map((alternative) => `${before}${alternative}${after}`);
    });
    if (next.length === patterns.length || next.length > MAX_ALTERNATIVES) return patterns;
    patterns = next;
  }
}

/** Matches one token of a pattern. Several stars are one token, so that no pattern makes a comparison slow. */
const TOKENS = /(^|\/)\*\*(?:\/\*\*)*(\/|$)|\*+|\?|\[(!?)([^\]/]+)\]|[^*?[/]+|[\s\S]/g;

function regExpOf(glob: string): RegExp {
  const source = glob.replace(/^\.\//, '').replaceAll(TOKENS, (token, before, after, not, set) => {
    if (before !== undefined) return `${before}${after === '/' ? '(?:.*/)?' : '.*'}`;
    if (token.startsWith('*')) return '[^/]*';
    if (token === '?') return '[^/]';
    if (set !== undefined) return `(?!/)[${not === '!' ? '^' : ''}${set.replaceAll(/[\\[\]^]/g, '\\$&')}]`;
    return token.replaceAll(/[\\^$.|+()[\]{}?*]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 'su');
}

export interface ListOptions {
  /** the environment for Git, with PATH, and HOME for the configuration of Git */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** the largest number of parts in a path below the folder */
  readonly depth: number;
  /** called with the reason if Git could not list a repository */
  readonly onNoGit: (reason: string) => void;
}

/** Resolves with the sorted paths below the folder. Rejects with an UnreadableInputError. */
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

/** With these options, Git does not run programs that the configuration of a downloaded repository names. */
const SAFE_OPTIONS = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
const MAX_BYTES = 128 * 2 ** 20;

async function listByGit(folder: string, { environment, signal }: ListOptions): Promise<readonly string[]> {
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

async function walk(folder: string, { signal, depth }: ListOptions): Promise<readonly string[]> {
  const files: string[] = [];
  const folders: (readonly [path: string, depth: number])[] = [['', 1]];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    signal.throwIfAborted();
    const [path, level] = next;
    for (const entry of await entriesOf(join(folder, path))) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      // Skips links, because a link can lead back, or to an endless device.
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
