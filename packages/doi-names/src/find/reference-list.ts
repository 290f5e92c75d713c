// Splits a list of references, as people paste it, into its references. The list is the whole text, or its parts below the
// headings of lists of references.

import {
  beginsNext,
  isNextNumber,
  type ListLayout,
  type ListLine,
  layoutOf,
  listLine,
  longest,
  type Numbered,
} from './list-lines.ts';
import { ReferenceEntries } from './reference-entries.ts';
import { headingIn } from './reference-headings.ts';
import { referenceText } from './reference-text.ts';

export interface ListedReference {
  /** in one line, without label and markup; a record as written */
  readonly text: string;
  /** the number of its first line, from 1 */
  readonly line: number;
  /** offsets in the text, in UTF-16 units */
  readonly start: number;
  readonly end: number;
}

export interface ReferenceList {
  readonly layout: ListLayout | 'records' | 'elements';
  readonly references: readonly ListedReference[];
  /** the number of lines with words that belong to no reference */
  readonly otherLines: number;
}

/** A longer text has more references than one call looks up. */
export const MAX_LIST_CHARACTERS = 20_000_000;

/** A text has marked-up references if it has such an element. */
const ELEMENT = /<(?:ref|mixed-citation|element-citation|bibl|biblstruct)\b|\\bibitem\b|csl-entry/i;
const RECORD = /(?:^|\n)(?:TY {1,2}- |PMID- |%0 |PT [A-Z]\r?\n)/;
/** These elements divide a line. */
const BLOCK = /(<\/?(?:li|ol|ul|p|div|br|h[1-6]|td|tr|blockquote)\b[^<>]{0,300}>)/i;
const ITEM = /^<li\b/i;
const LINE_END = /(\r\n?|[\n\u2028\v\f\u0085])/;

/** The time is linear. @param text at most MAX_LIST_CHARACTERS */
export function splitReferences(text: string): ReferenceList {
  if (RECORD.test(text)) return { layout: 'records', references: entriesOf(text), otherLines: 0 };
  const list = belowHeadings(linesOf(text));
  if (ELEMENT.test(text)) {
    const wanted = new Set(list.lines.map(({ line }) => line));
    const references = entriesOf(text)
      .filter(({ line }) => wanted.has(line))
      .map((item) => ({ ...item, text: referenceText([item.text]) }))
      .filter((item) => hasWords(item.text));
    if (references.length > 0) return { layout: 'elements', references, otherLines: 0 };
  }
  return splitLines(list);
}

function entriesOf(text: string): ListedReference[] {
  const entries = new ReferenceEntries();
  return [...entries.add(text), ...entries.end()].map(({ start, end, line }) => ({
    ...{ line, start, end },
    text: text.slice(start, end),
  }));
}

const hasWords = (text: string): boolean => /\p{L}{2}/u.test(text);

/** Offsets in the text, in UTF-16 units. */
type Place = Pick<ListedReference, 'start' | 'end'>;

interface WrittenLine extends Place, Pick<ListLine, 'line' | 'isAfterBlank'> {
  readonly text: string;
  /** whether the line begins an element `li` */
  readonly isElement: boolean;
}

function linesOf(text: string): readonly WrittenLine[] {
  const lines: WrittenLine[] = [];
  let [isAfterBlank, isElement] = [true, false];
  let end = text.startsWith('\uFEFF') ? 1 : 0;
  for (const [at, written] of text.slice(end).split(LINE_END).entries()) {
    if (at % 2 === 1) {
      end += written.length;
      continue;
    }
    for (const [index, part] of written.split(BLOCK).entries()) {
      const start = end;
      end += part.length;
      const isTag = index % 2 === 1;
      isElement ||= isTag && ITEM.test(part);
      isAfterBlank ||= isTag || part.trim() === '';
      if (isTag || !/[\p{L}\p{N}]/u.test(part)) continue;
      lines.push({ text: part, line: at / 2 + 1, start, end, isAfterBlank, isElement });
      [isAfterBlank, isElement] = [false, false];
    }
  }
  return lines;
}

interface Lines {
  readonly lines: readonly WrittenLine[];
  readonly otherLines: number;
}

/** The lines below headings of lists of references; if there is no such heading, all lines but the headings. */
function belowHeadings(lines: readonly WrittenLine[]): Lines {
  const below: WrittenLine[] = [];
  const others: WrittenLine[] = [];
  let [isBelow, hasHeading] = [false, false];
  let level = 0;
  for (const line of lines) {
    const heading = headingIn(line.text);
    if (heading === null) (isBelow ? below : others).push(line);
    else if (heading.isOfReferences) [isBelow, hasHeading, level] = [true, true, levelOf(line.text)];
    else isBelow &&= levelOf(line.text) > level;
  }
  return hasHeading && below.length > 0
    ? { lines: below, otherLines: others.length }
    : { lines: others, otherLines: 0 };
}

/** The depth of a heading of Markdown or AsciiDoc; 0 for other headings. */
function levelOf(heading: string): number {
  return /^\s{0,3}([#=]{1,6})\s/.exec(heading)?.[1]?.length ?? 0;
}

function splitLines({ lines: written, otherLines }: Lines): ReferenceList {
  const lines = written.map(toListLine);
  if (lines.length === 0) return { layout: 'lines', references: [], otherLines };
  const layout = layoutOf(lines);
  const isLabelled = layout === 'numbered' || layout === 'bulleted';
  const items = isLabelled ? labelledItems(lines, layout === 'numbered') : unlabelledItems(lines, layout);
  const references = items.items
    .map((item) => ({
      ...{ line: item[0].line, start: item[0].start, end: item.at(-1)?.end ?? item[0].end },
      text: referenceText(item.map(({ text }) => text)),
    }))
    .filter(({ text }) => hasWords(text));
  return { layout, references, otherLines: otherLines + items.otherLines };
}

type PlacedLine = ListLine & Place;

function toListLine({ text, line, start, end, isAfterBlank, isElement }: WrittenLine): PlacedLine {
  const read = { ...listLine(text, line, isAfterBlank), start, end };
  return isElement ? { ...read, text: read.whole, label: 'bullet', mark: 'li' } : read;
}

type Item = [PlacedLine, ...PlacedLine[]];

interface Items {
  readonly items: readonly Item[];
  readonly otherLines: number;
}

/** An item begins with its label. A paragraph without a label ends it, unless it is indented. */
function labelledItems(lines: readonly PlacedLine[], isNumbered: boolean): Items {
  const items: Item[] = [];
  let item: Item | null = null;
  let last: Numbered = { number: 0, mark: null };
  let [bullet, otherLines] = ['', 0];
  for (const [at, line] of lines.entries()) {
    const { label, mark, indent, isAfterBlank } = line;
    const isNested = item !== null && indent > item[0].indent + 1;
    const isSame = isNumbered ? isAfterBlank : bullet === '' || mark === bullet;
    const isBullet = label === 'bullet' && !isNested && isSame;
    const isNumber = isNumbered && isNextNumber(line, last, lines[at - 1] ?? null);
    if (isNumber || isBullet) {
      item = [line];
      items.push(item);
      if (typeof label === 'number') last = { number: label, mark };
      else bullet = mark;
    } else if (item !== null && (!isAfterBlank || indent > item[0].indent || !isWhole(item)))
      item.push({ ...line, text: line.whole });
    else {
      item = null;
      otherLines += 1;
    }
  }
  return { items, otherLines };
}

/** Whether an item ends as a reference does. A page break can divide an item. */
function isWhole(item: Item): boolean {
  return /[.)\]>”"/\d]$/.test(item.at(-1)?.text ?? '');
}

function unlabelledItems(labelled: readonly PlacedLine[], layout: ListLayout): Items {
  // What looks like a label belongs to the words: a year, or a dash.
  const lines = labelled.map((line) => ({ ...line, text: line.whole }));
  const shape = {
    least: lines.reduce((least, { indent }) => Math.min(least, indent), Number.POSITIVE_INFINITY),
    width: longest(lines),
  };
  const items: Item[] = [];
  for (const [at, line] of lines.entries()) {
    const [item, before] = [items.at(-1), lines[at - 1]];
    if (item === undefined || before === undefined || beginsNext(layout, line, before, shape))
      items.push([line]);
    else item.push(line);
  }
  return { items, otherLines: 0 };
}
