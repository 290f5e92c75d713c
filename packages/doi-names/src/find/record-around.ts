// Finds the record of BibTeX, RIS, MEDLINE, EndNote, Web of Science or JSON that contains a name. A record is one reference.

import { textBefore } from './text-characters.ts';

export interface RecordFormat {
  readonly begin: RegExp;
  readonly end: RegExp;
}

const NEVER = /(?!)/;
export const BLANK_LINE = /\n[ \t\r]*\n/g;

export const FORMATS: Readonly<
  Record<'bibtex' | 'ris' | 'medline' | 'endNote' | 'webOfScience', RecordFormat>
> = {
  // Balanced braces also end an entry.
  bibtex: { begin: /(?:^|\n)[ \t]*@\w{1,20}\s{0,5}[{(]/g, end: /\n[ \t]*[})][ \t]*(?=\r?\n|$)/ },
  ris: { begin: /(?:^|\n)[ \t]*TY {1,2}- /g, end: /\nER {1,2}-/ },
  medline: { begin: /(?:^|\n)PMID- /g, end: BLANK_LINE },
  endNote: { begin: /(?:^|\n)[ \t]*%0 /g, end: NEVER },
  webOfScience: { begin: /(?:^|\n)PT [A-Z]\r?(?=\n)/g, end: /\nER\b/ },
};

/** The beginnings of records of all formats. */
export const RECORDS = Object.values(FORMATS).map(({ begin }) => begin);

/** The text of the record without the name; null if no record that contains the name begins in `before`. */
export function recordAround(before: string, after: string): string | null {
  let format = FORMATS.bibtex;
  let begin = -1;
  for (const other of Object.values(FORMATS)) {
    const last = lastEnd(other.begin, before);
    if (last > begin) [format, begin] = [other, last];
  }
  if (begin === -1) return null;
  const fields = before.slice(begin);
  const isBibtex = format === FORMATS.bibtex;
  const { end, depth } = isBibtex ? closingBrace(fields, 1) : OPEN;
  if (end !== -1 || fields.search(format.end) !== -1) return null;
  let others = textBefore(format.end, after);
  for (const next of RECORDS) others = textBefore(next, others);
  const { end: endOfEntry } = isBibtex ? closingBrace(others, depth) : OPEN;
  return `${fields}\n${endOfEntry === -1 ? others : others.slice(0, endOfEntry)}`;
}

const OPEN = { end: -1, depth: 0 };

/** Where the brace closes that `depth` braces before the text have left open, and the depth at the end of the text. */
function closingBrace(text: string, depth: number): { readonly end: number; readonly depth: number } {
  let open = depth;
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    open += brace === '{' ? 1 : -1;
    if (open === 0) return { end: index, depth: 0 };
  }
  return { end: -1, depth: open };
}

/** The value of a member that is a name alone: `"DOI": "`, `"URL":"https://doi.org/` */
const MEMBER = /"[\w@:.-]{1,30}"\s{0,5}:\s{0,5}"[^"\s]{0,100}$/;

/**
 * The text of the innermost JSON object that has a name as the value of a member, without the name. In JSON, the title can
 * stand before or after the name. Null if the name is not such a value.
 */
export function objectAround(before: string, after: string): string | null {
  if (!after.startsWith('"') || !MEMBER.test(before.slice(-150))) return null;
  let depth = 1;
  let begin = before.length;
  while (begin > 0 && depth > 0) {
    begin -= 1;
    if (before[begin] === '}') depth += 1;
    else if (before[begin] === '{') depth -= 1;
  }
  const { end } = closingBrace(after, 1);
  return `${before.slice(begin)}\n${end === -1 ? after : after.slice(0, end)}`;
}

/** The offset after the last match; -1 if there is no match. */
export function lastEnd(pattern: RegExp, text: string): number {
  let last = -1;
  for (const { 0: found, index } of text.matchAll(pattern)) last = index + found.length;
  return last;
}
