// Reads the references of a file, and says how it was split.

import {
  type ReferenceInWords,
  referencesInWords,
} from '../../../works/reference-lists/references-in-words.ts';
import { readBibtexFile } from '../cite/bibtex-file.ts';
import { UsageError } from '../command.ts';
import { countText } from '../output.ts';
import type { Input } from '../read-input.ts';

export interface ReadReference extends Pick<ReferenceInWords, 'line' | 'text'> {
  readonly file: string;
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

/** Rejects with a UsageError for a file that cannot be read. */
export async function readReferences(input: Input): Promise<ReadList> {
  const { text } = await readBibtexFile(input, MAX_BYTES);
  const { name: file } = input;
  if (marksIn(text) > MAX_MARKS)
    throw new UsageError(
      `${file}: the file has more lines, tags and braces than 10,000 references. Divide it.`,
    );
  const list = referencesInWords(text);
  const count = countText(list.references.length, 'reference', 'references');
  const others = countText(list.otherLines, 'line is no reference', 'lines are no references');
  const note = [
    list.references.length === 0 ? count : `${count}, ${list.layout},`,
    `in ${file}`,
    ...(list.otherLines > 0 ? [`(${others})`] : []),
  ].join(' ');
  return { references: list.references.map(({ line, text }) => ({ file, line, text })), note };
}

function marksIn(text: string): number {
  let marks = 0;
  for (const mark of ['\n', '\r', '<', '{', '}']) {
    for (let at = text.indexOf(mark); at !== -1 && marks <= MAX_MARKS; at = text.indexOf(mark, at + 1))
      marks += 1;
  }
  return marks;
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
