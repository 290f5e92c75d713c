// Reads names with spaces inside, as text from a PDF can have them: `https : / / doi.org / 10 .1109 /V LHCC.20 04.20`.

import { textBefore } from './text-characters.ts';

/** A part of the source in another spelling, in which a name can be found. */
export interface RewrittenText {
  readonly start: number;
  /** the text without spaces, or decoded; punctuation of a sentence can be at its end */
  readonly joined: string;
  /** The offset in the source after the first `length` characters of `joined`. */
  sourceEnd(length: number): number;
}

/** A pattern of the characters of `text`, with an optional space between them. */
function pattern(text: string): string {
  return Array.from(text, (character) => (character === '.' ? '\\.' : character)).join(' ?');
}

const ADDRESS = `(?:${pattern('http')} ?s? ?: ?/ ?/ ?)?(?:${pattern('dx.')} ?)?${pattern('doi.org/')} ?`;
const BEFORE = new RegExp(`(?:^|[^\\p{L}\\p{N}.])(${ADDRESS}|${pattern('doi:')} ?)$`, 'iu');
const MAX_BEFORE = 2 * 'https://dx.doi.org/'.length + 1;
const PREFIX = /1 ?0 ?\. ?[0-9](?: ?[0-9]){2,8} ?\/ ?/y;
/** A single space can be a typing error, so it does not make a text spaced out. */
const MIN_SPACES = 2;
const MAX_SUFFIX_LENGTH = 256;

/**
 * Null if no name with spaces is here. Such a name ends only at the end of its line, so the line must have no other words.
 * @param at the offset of a `1`. Nothing before `floor` is read.
 */
export function spacedNameAt(text: string, at: number, floor: number): RewrittenText | null {
  if (!isAfterLabel(text, at)) return null;
  PREFIX.lastIndex = at;
  const prefix = PREFIX.exec(text)?.[0];
  if (prefix === undefined) return null;
  const suffixAt = at + prefix.length;
  const line = textBefore(/[\r\n]/, text.slice(suffixAt, suffixAt + MAX_SUFFIX_LENGTH + 1));
  const suffix = line.trimEnd();
  if (line.length > MAX_SUFFIX_LENGTH || hasOtherWords(suffix)) return null;
  const before = BEFORE.exec(text.slice(Math.max(floor, at - MAX_BEFORE), at))?.[1];
  if (before === undefined) return null;
  // A space after a label, an address or the prefix is not counted, because it is usual where lines are broken.
  const isLabel = before.trimEnd().endsWith(':');
  const spaces = (isLabel ? 0 : spacesIn(before.trimEnd())) + spacesIn(prefix.trimEnd());
  if (spaces < MIN_SPACES) return null;
  const start = at - before.length;
  const source = text.slice(start, suffixAt + suffix.length);
  return {
    start,
    joined: source.replaceAll(' ', ''),
    sourceEnd(length) {
      let [offset, remaining] = [0, length];
      for (; remaining > 0; offset += 1) if (source[offset] !== ' ') remaining -= 1;
      return start + offset;
    },
  };
}

/** A quick test whether the text before `at` can end with `doi.org/` or `doi:`. It reads at most four characters. */
function isAfterLabel(text: string, at: number): boolean {
  const divider = text[at - 1] === ' ' ? at - 2 : at - 1;
  const last = text[divider - 1] === ' ' ? text[divider - 2] : text[divider - 1];
  if (text[divider] === '/') return last === 'g' || last === 'G';
  return text[divider] === ':' && (last === 'i' || last === 'I');
}

/** Whether the suffix has a double space, a lower-case word, `(`, text after `,` `;` or `)`, or the start of a sentence. */
function hasOtherWords(suffix: string): boolean {
  const [first = '', ...parts] = suffix.split(' ');
  let last = first;
  for (const part of parts) {
    const isOther = part === '' || /^[a-z]{2,}[.,;:]?$/.test(part) || /^\(./.test(part);
    if (isOther || /[,;)]$/.test(last) || (/\.$/.test(last) && /^[A-Z][a-z]+/.test(part))) return true;
    last = part;
  }
  return false;
}

function spacesIn(text: string): number {
  return text.split(' ').length - 1;
}
