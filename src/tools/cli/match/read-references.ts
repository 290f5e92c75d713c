// Reads the references of a file, and says how it was split.

import { type ReferenceList, splitReferences } from 'doi-names/parts';
import { readBibtex } from '../cite/bibtex-entries.ts';
import { readBibtexFile } from '../cite/bibtex-file.ts';
import { UsageError } from '../command.ts';
import { countText } from '../output.ts';
import type { Input } from '../read-input.ts';
import { bibtexWords, taggedWords } from './record-words.ts';

export interface ReadReference {
  readonly file: string;
  /** the number of its first line, from 1 */
  readonly line: number;
  /** in words; empty for a record without a title */
  readonly text: string;
}

interface ReadList {
  readonly references: readonly ReadReference[];
  /** Example: `12 references, numbered, in refs.txt` */
  readonly note: string;
}

/** A larger file has more references than one call looks up. */
const MAX_BYTES = 20_000_000;
/** Lines, tags and braces. A list of 10,000 references has fewer, and each needs memory while the file is split. */
const MAX_MARKS = 1_000_000;
const BIBTEX = /^[ \t]*@[a-z]{1,30}\s{0,20}[{(]/im;

const LAYOUTS: Readonly<Record<ReferenceList['layout'], string>> = {
  numbered: 'numbered',
  bulleted: 'with bullets',
  hanging: 'with hanging indents',
  paragraphs: 'divided by blank lines',
  lines: 'one on each line',
  wrapped: 'divided where a line begins with people or follows a short line',
  elements: 'in elements',
  records: 'in records',
};

/** Rejects with a UsageError for a file that cannot be read. */
export async function readReferences(input: Input): Promise<ReadList> {
  const { text } = await readBibtexFile(input, MAX_BYTES);
  const { name: file } = input;
  if (marksIn(text) > MAX_MARKS)
    throw new UsageError(
      `${file}: the file has more lines, tags and braces than 10,000 references. Divide it.`,
    );
  const entries = BIBTEX.test(text) ? bibtexReferences(text) : [];
  const list =
    entries.length > 0
      ? { references: entries, layout: 'in BibTeX entries', otherLines: 0 }
      : listed(splitReferences(text));
  const count = countText(list.references.length, 'reference', 'references');
  const others = countText(list.otherLines, 'line is no reference', 'lines are no references');
  const note = [
    list.references.length === 0 ? count : `${count}, ${list.layout},`,
    `in ${file}`,
    ...(list.otherLines > 0 ? [`(${others})`] : []),
  ].join(' ');
  return { references: list.references.map((reference) => ({ file, ...reference })), note };
}

function marksIn(text: string): number {
  let marks = 0;
  for (const mark of ['\n', '\r', '<', '{', '}']) {
    for (let at = text.indexOf(mark); at !== -1 && marks <= MAX_MARKS; at = text.indexOf(mark, at + 1))
      marks += 1;
  }
  return marks;
}

function listed({ references, layout, otherLines }: ReferenceList) {
  const inWords = (text: string): string => (layout === 'records' ? taggedWords(text) : text);
  return {
    references: references.map(({ line, text }) => ({ line, text: inWords(text) })),
    layout: LAYOUTS[layout],
    otherLines,
  };
}

function bibtexReferences(text: string) {
  const { entries, macros, unreadable } = readBibtex(text);
  const places = [
    ...entries.map((entry) => ({ start: entry.start, text: bibtexWords(entry, macros) })),
    ...unreadable.map((start) => ({ start, text: '' })),
  ].toSorted((a, b) => a.start - b.start);
  if (!places.some((place) => place.text !== '')) return [];
  let [line, counted] = [1, 0];
  return places.map(({ start, text: words }) => {
    line += text.slice(counted, start).split(/\r\n?|\n/).length - 1;
    counted = start;
    return { line, text: words };
  });
}

/** More references would take hours, because agencies allow few searches per second. */
const MAX_REFERENCES = 10_000;

/** Throws a UsageError for too many references. */
export function checkCount(count: number): void {
  if (count <= MAX_REFERENCES) return;
  throw new UsageError(
    `The files have ${count} references, and one call looks up at most ${MAX_REFERENCES}. Divide them.`,
  );
}
