// The labels of items in lists: `[1]`, `12.`, `- `, `\bibitem{key}`.

/** `\bibitem[Smith(2020)]{smith}` */
export const BIBITEM = /^\s{0,20}\\bibitem\b(?:\[[^\n]{0,300}?\](?=\{))?(?:\{[^{}\n]{0,100}\})?/;
const CAPITAL = '["\'“‘„«(<*_[{]{0,3}[\\p{Lu}\\p{Lo}]';
const BRACKETED = new RegExp(
  `^([ \\t]{0,40})\\[(?:\\^[\\w-]{1,40}|[A-Za-z+]{0,12}\\d{1,4}[a-z]?)\\]:?\\s{1,10}(?=${CAPITAL})`,
  'u',
);
const NUMBERED = /^([ \t]{0,40})\(?(\d{1,3})[.)]\s{1,10}(?=\S)/;
const BEGINS_WITH_CAPITAL = new RegExp(`^${CAPITAL}`, 'u');
const BULLET = /^([ \t]{0,40})(?:[-*+•·‣▪]|\\item)\s{1,10}(?=\S)/;
/** A line that has only a link or a name continues the item before it. */
export const LINK_LINE =
  /^[ \t>]{0,40}(?:(?:available|retrieved|accessed|online|url|doi|dx)\b|https?:|www\.|<https?:|\[?10\.\d{4})/i;
/** The end of a line that can end a reference: the end of a sentence, a number or a link. */
export const ENDS_REFERENCE = /(?:[.)\]}>»”"/\d]|(?:\b10\.\d{4,9}\/|:\/\/)\S{0,300})\s{0,10}$/;

export interface Label {
  readonly written: string;
  /** the width of the white space before the label */
  readonly indent: number;
  readonly isBracketed: boolean;
  /** the number of a label such as `12.`; null for other labels */
  readonly number: number | null;
}

/**
 * In `171,\n737. Smith` the number begins no item.
 * @param isAfterReference whether the text before the line can end a reference
 * @param last the number of the item before it
 */
export function labelOf(line: string, isAfterReference: boolean, last: number | null): Label | null {
  const bracketed = BRACKETED.exec(line);
  const found = bracketed ?? NUMBERED.exec(line) ?? BULLET.exec(line);
  if (found === null) return null;
  const [written, { length: indent } = '', digits] = found;
  const number = digits === undefined ? null : Number(digits);
  const isNext = last !== null && number === last + 1;
  const canBegin = isAfterReference && BEGINS_WITH_CAPITAL.test(line.slice(written.length));
  const isItem = number === null || isNext || canBegin;
  return isItem ? { written, indent, isBracketed: bracketed !== null, number } : null;
}
