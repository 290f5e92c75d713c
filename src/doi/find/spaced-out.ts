// Text of a PDF in which spaces stand between any two characters: `https : / / doi.org / 10 .1109 /V LHCC.20 04.20`.

/** What may be a name with its address, without the spaces. */
export interface SpacedOut {
  readonly start: number;
  /** without spaces; the last of it may be the end of a sentence */
  readonly joined: string;
  /** Where in the source the first so many characters of `joined` end. */
  sourceEnd(length: number): number;
}

/** `doi . org /`: each of the characters, perhaps with a space behind it. */
function spaced(text: string): string {
  return Array.from(text, (character) => (character === '.' ? '\\.' : character)).join(' ?');
}

const ADDRESS = `(?:${spaced('http')} ?s? ?: ?/ ?/ ?)?(?:${spaced('dx.')} ?)?${spaced('doi.org/')} ?`;
const BEFORE = new RegExp(`(?:^|[^\\p{L}\\p{N}.])(${ADDRESS}|${spaced('doi:')} ?)$`, 'iu');
const LONGEST_BEFORE = 2 * 'https://dx.doi.org/'.length + 1;
const PREFIX = /1 ?0 ?\. ?[0-9](?: ?[0-9]){2,8} ?\/ ?/y;
/** Fewer spaces are a slip in text that is otherwise right. */
const FEWEST_SPACES = 2;
/** Longer lines are not read. */
const LONGEST_SUFFIX = 256;

/**
 * Null where the text is not spaced out. The end of the name cannot be seen in such text, unless it is the end of the
 * line: only where all to there may be a name, it is taken for one.
 * @param at where a `1` stands
 * @param floor nothing before it is looked at
 */
export function spacedOutAt(text: string, at: number, floor: number): SpacedOut | null {
  if (!isBehindLabel(text, at)) return null;
  PREFIX.lastIndex = at;
  const prefix = PREFIX.exec(text)?.[0];
  if (prefix === undefined) return null;
  const suffixAt = at + prefix.length;
  const suffix = restOfLine(text, suffixAt);
  if (suffix === null || hasOtherWords(suffix)) return null;
  const before = BEFORE.exec(text.slice(Math.max(floor, at - LONGEST_BEFORE), at))?.[1];
  if (before === undefined) return null;
  // A space behind a label, an address or the prefix is usual where lines are broken.
  const isLabel = before.trimEnd().endsWith(':');
  const spaces = (isLabel ? 0 : spacesIn(before.trimEnd())) + spacesIn(prefix.trimEnd());
  if (spaces < FEWEST_SPACES) return null;
  const start = at - before.length;
  const source = text.slice(start, suffixAt + suffix.length);
  return {
    start,
    joined: source.replaceAll(' ', ''),
    sourceEnd(length) {
      let [place, left] = [0, length];
      for (; left > 0; place += 1) if (source[place] !== ' ') left -= 1;
      return start + place;
    },
  };
}

/** Null where the line goes on for long. */
function restOfLine(text: string, at: number): string | null {
  const rest = text.slice(at, at + LONGEST_SUFFIX + 1);
  const end = rest.search(/[\r\n]/);
  if (end === -1 && rest.length > LONGEST_SUFFIX) return null;
  return (end === -1 ? rest : rest.slice(0, end)).trimEnd();
}

/** `/` or `:`, and before it the `g` of org or the `i` of doi: a quick look, since this is asked of each `1`. */
export function isBehindLabel(text: string, at: number): boolean {
  const divider = text[at - 1] === ' ' ? at - 2 : at - 1;
  const last = text[divider - 1] === ' ' ? text[divider - 2] : text[divider - 1];
  if (text[divider] === '/') return last === 'g' || last === 'G';
  return text[divider] === ':' && (last === 'i' || last === 'I');
}

/** A word in small letters, what stands in brackets or behind a comma, a sentence that begins. */
function hasOtherWords(suffix: string): boolean {
  const [first = '', ...parts] = suffix.split(' ');
  let last = first;
  for (const part of parts) {
    const isWord = part === '' || /^[a-z]{2,}[.,;:]?$/.test(part) || /^\(./.test(part);
    if (isWord || /[,;)]$/.test(last) || (/\.$/.test(last) && /^[A-Z][a-z]+/.test(part))) return true;
    last = part;
  }
  return false;
}

function spacesIn(text: string): number {
  return text.split(' ').length - 1;
}
