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
  const patterns = globs
    .flatMap((glob) => patternsOf(glob.replace(/^\.\//, '').replace(/\/+$/, '')))
    .map((glob) => ({ isFromTop: glob.includes('/'), pattern: regExpOf(glob) }));
  return (path) => {
    const parts = path.replace(/^\.\//, '').split('/');
    return parts.some((part, at) => {
      const fromTop = parts.slice(0, at + 1).join('/');
      return patterns.some(({ isFromTop, pattern }) => pattern.test(isFromTop ? fromTop : part));
    });
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
      const [all, alternatives = ''] = braces;
      return alternatives.split(',').map((alternative) => pattern.replace(all, () => alternative));
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
  /** called with the reason if Git could not list the repository of a folder */
  readonly onNoGit: (folder: string, reason: string) => void;
}

/**
 * Resolves with the sorted paths below the folder. Rejects with an UnreadableInputError.
 * @param depth the largest number of parts in a path, where Git does not list the files
 */
export async function listFolder(
  folder: string,
  depth: number,
  options: ListOptions,
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
