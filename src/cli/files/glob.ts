// Patterns of paths: `*` and `?` within a part, `**` over parts, `[a-z]`, `{tex,bib}`.

/** What makes a pattern of an operand. */
export function isGlob(operand: string): boolean {
  return /[*?[{]/.test(operand);
}

/** The parts before the first one with a pattern, as a folder: `docs` of `docs/*.md`; `.` where there are none. */
export function folderOfGlob(glob: string): string {
  const parts = glob.split('/');
  const fixed = parts.slice(0, parts.findIndex(isGlob)).join('/');
  return fixed === '' ? (glob.startsWith('/') ? '/' : '.') : fixed;
}

/** Whether it is the path of a file that the glob means. */
export function globMatcher(glob: string): (path: string) => boolean {
  const pattern = patternsOf(glob).map(regExpOf);
  return (path) => pattern.some((one) => one.test(path));
}

/**
 * As in .gitignore: without a slash it means a file or folder of any place, with one a place. What is in such a folder is
 * excluded too.
 */
export function excludeMatcher(globs: readonly string[]): (path: string) => boolean {
  const anywhere: RegExp[] = [];
  const places: RegExp[] = [];
  for (const glob of globs) {
    const place = glob.replace(/^\.\//, '').replace(/\/+$/, '');
    for (const one of patternsOf(place)) (one.includes('/') ? places : anywhere).push(regExpOf(one));
  }
  return (path) => {
    const parts = path.replace(/^\.\//, '').split('/');
    return parts.some(
      (part, at) =>
        anywhere.some((pattern) => pattern.test(part)) ||
        places.some((pattern) => pattern.test(parts.slice(0, at + 1).join('/'))),
    );
  };
}

/** Alternatives written out are as many at most: `{a,b}{a,b}…` doubles them with each pair of braces. */
const MOST_ALTERNATIVES = 1_000;

/** `a.tex` and `a.bib` of `a.{tex,bib}`. */
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
    if (next.length === patterns.length || next.length > MOST_ALTERNATIVES) return patterns;
    patterns = next;
  }
}

/** One part of a pattern after the other; a run of stars is one, so that no path takes long to be compared. */
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
