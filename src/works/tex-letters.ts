// Reads letters that are written with commands of TeX: `\"{u}`, `{\v r}`, `\AA str`. For comparisons, so accents are left out.

/** Letters with a command: of LaTeX (encodings OT1 and T1) and of MathSciNet (mathscinet.sty). */
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
  imath: 'ı',
  jmath: 'ȷ',
  dbar: 'đ',
  Dbar: 'Đ',
  cprime: "'",
  cdprime: '"',
};
/** Accents with longer names: of LaTeX, of math mode, of the package combelow and of MathSciNet. */
const ACCENTS =
  'textcommabelow textcommaabove cb polhk soft uarc udot cfudot cftil ' +
  'acute grave hat check breve bar vec dot ddot tilde ring mathring';

/**
 * An accent, before a letter, a group or a command; or a letter. TeX skips white space after the name of a command. An empty
 * group `{}` can end the name. Between a mark and its letter, only a group such as `{\" u}` can have a space, because in prose
 * `\"` is a quotation mark that a program escaped.
 */
const ACCENT_OR_LETTER = new RegExp(
  [
    String.raw`\\[\x60'^"~=.](?:\s(?=\p{L}\}))?(?=[{\\\p{L}])`,
    String.raw`\\(?:[bcdfhkrtuvCGHU]|${ACCENTS.replaceAll(' ', '|')})(?![A-Za-z])\s{0,20}(?=[{\\\p{L}])`,
    String.raw`\\accent ?(?:"[0-9A-F]{1,2}|'[0-7]{1,3}|[0-9]{1,3})\s?(?=[{\\\p{L}])`,
    String.raw`\\(${Object.keys(LETTERS).join('|')})(?![A-Za-z])(?:\{\}|\s{1,20})?`,
  ].join('|'),
  'gu',
);
/** Hyphenation, the correction after italics, and changes of the font. They print nothing. */
const INVISIBLE = /\\[-/]|\\(?:em|it|bf|sc|sl|tt|rm|sf|(?:it|sc|up|sl)shape|bfseries)(?![A-Za-z])\s{0,20}/g;

/** Keeps braces and other commands. The time is linear. */
export function readTexLetters(text: string): string {
  if (!text.includes('\\')) return text;
  return text
    .replace(INVISIBLE, '')
    .replace(ACCENT_OR_LETTER, (_, name?: string) => (name === undefined ? '' : (LETTERS[name] ?? '')));
}
