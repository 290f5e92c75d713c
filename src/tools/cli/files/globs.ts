// Patterns of paths: `*` and `?` within a part of a path, `**` over several parts, `[a-z]`, `{tex,bib}`.

import picomatch from 'picomatch';

export function isGlob(operand: string): boolean {
  return /[*?[{]/.test(operand);
}

/** Examples: `docs` for `docs/*.md`, and `.` for `*.md`. */
export function folderOfGlob(glob: string): string {
  const parts = glob.split('/');
  const fixed = parts.slice(0, parts.findIndex(isGlob)).join('/');
  return fixed === '' ? (glob.startsWith('/') ? '/' : '.') : fixed;
}

/** Names may begin with a full stop. A pattern is never negated, and its brackets have no quantifiers. */
const OPTIONS = { dot: true, nonegate: true, noextglob: true, posix: true } as const;

export function globMatcher(glob: string): (path: string) => boolean {
  const matches = picomatch(withoutDot(glob), OPTIONS);
  return (path) => matches(path);
}

/**
 * Matches as .gitignore does. A pattern without a slash matches at any depth. A pattern with a slash matches only the path
 * from the top. If a folder matches, all its files match.
 */
export function excludeMatcher(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs
    .map((glob) => withoutDot(glob).replace(/\/+$/, ''))
    .map((glob) => ({ isFromTop: glob.includes('/'), matches: picomatch(glob, OPTIONS) }));
  return (path) => {
    const parts = withoutDot(path).split('/');
    return parts.some((part, at) => {
      const fromTop = parts.slice(0, at + 1).join('/');
      return patterns.some(({ isFromTop, matches }) => matches(isFromTop ? fromTop : part));
    });
  };
}

const withoutDot = (path: string): string => path.replace(/^\.\//, '');
