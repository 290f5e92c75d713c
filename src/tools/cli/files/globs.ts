// Patterns of paths: `*` and `?` within a part of a path, `**` over several parts, `[a-z]`, `{tex,bib}`.

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
  try {
    return new RegExp(`^${source}$`, 'su');
  } catch {
    // A range such as `[z-a]` is empty, so the pattern matches nothing.
    return /(?!)/;
  }
}
