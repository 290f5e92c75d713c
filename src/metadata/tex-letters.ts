// Reads letters that are written with commands of TeX: `\"{u}`, `{\v r}`, `\AA str`. For comparisons, so accents are left out.

/** Letters with a command (LaTeX 2e, encodings OT1 and T1). */
const LETTERS: Readonly<Record<string, string>> = {
  aa: 'å',
  AA: 'Å',
  ae: 'æ',
  AE: 'Æ',
  dh: 'ð',
  DH: 'Ð',
  dj: 'đ',
  DJ: 'Đ',
  i: 'ı',
  ij: 'ij',
  IJ: 'IJ',
  j: 'ȷ',
  l: 'ł',
  L: 'Ł',
  ng: 'ŋ',
  NG: 'Ŋ',
  o: 'ø',
  O: 'Ø',
  oe: 'œ',
  OE: 'Œ',
  ss: 'ß',
  SS: 'ẞ',
  th: 'þ',
  TH: 'Þ',
};
/** TeX skips white space after the name of a command. An empty group `{}` can end the name. */
const LETTER = /\\([A-Za-z]{1,2})(?![A-Za-z])(?:\{\}|\s{1,20})?/g;

/**
 * The accents, before a letter or a group. Between a mark and its letter, only a group such as `{\" u}` can have a space,
 * because in prose `\"` is a quotation mark that a program escaped.
 */
const MARK = /\\[`'^"~=.](?:\s(?=\p{L}\}))?(?=\{|\p{L})/gu;
const NAMED_ACCENT = /\\[bcdfhkrtuvCGHU](?![A-Za-z])\s{0,20}(?=\{|\p{L})/gu;
/** Hyphenation, the correction after italics, and changes of the font. They print nothing. */
const INVISIBLE = /\\[-/]|\\(?:em|it|bf|sc|sl|tt|rm|sf|(?:it|sc|up|sl)shape|bfseries)(?![A-Za-z])\s{0,20}/g;

/** Keeps braces and other commands. The time is linear. */
export function readTexLetters(text: string): string {
  if (!text.includes('\\')) return text;
  return text
    .replace(INVISIBLE, '')
    .replace(LETTER, (written, name: string) =>
      Object.hasOwn(LETTERS, name) ? (LETTERS[name] as string) : written,
    )
    .replace(MARK, '')
    .replace(NAMED_ACCENT, '');
}
