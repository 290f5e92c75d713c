// The lines of a list of references as people paste it, and the layout of the list: how its items begin.

import { ENDS_REFERENCE, LINK_LINE } from './list-labels.ts';
import { beginsWithPeople, plainWords } from './reference-shape.ts';

export interface ListLine {
  /** without indentation and label */
  readonly text: string;
  /** with the label */
  readonly whole: string;
  /** the number of the line in the file, from 1 */
  readonly line: number;
  /** the width of the white space before the line */
  readonly indent: number;
  readonly isAfterBlank: boolean;
  /** the number of the label, `bullet`, or null without a label */
  readonly label: number | 'bullet' | null;
  /** the bullet, or the marks around the number: all labels of a list have the same mark */
  readonly mark: string;
}

/** `wrapped`: an item has several lines, and only the words of a line show where an item begins. */
export type ListLayout = 'numbered' | 'bulleted' | 'hanging' | 'paragraphs' | 'lines' | 'wrapped';

/** `[1]`, `1.`, `1)`, `(1)`, `[^1]:`, and a number alone before a tab or two spaces */
const NUMBER =
  /^(?:[[(［（【]\s?\^?(\d{1,5})\s?[\])］）】][.:]?|(\d{1,5})(?:[.)．、](?!\d)|:(?=\s)|(?=\t| {2})))\s{0,20}/u;
/** `[Smi20]`, `[^smith]:` */
const KEY = /^\[(?:\^[\w-]{1,40}|[\p{L}+][\p{L}+:_-]{0,30}\d{1,4}[a-z]?)\]:?\s{1,20}/u;
const BULLET = /^(?:[•·‣▪▫●○◦■□◆➢–—]\s{0,20}|[-*+]\s{1,20})(?=\S)/u;
/** The marks of a quotation in Markdown and in mail. */
const QUOTATION = /^(?:\s{0,3}>){1,10}/;
const TAB_WIDTH = 4;

/** @param source a line without its end */
export function listLine(source: string, line: number, isAfterBlank: boolean): ListLine {
  const quoted = source.slice(0, 100).replace(QUOTATION, '') + source.slice(100);
  const words = quoted.trimStart();
  const indent = quoted.slice(0, quoted.length - words.length).replaceAll('\t', ' '.repeat(TAB_WIDTH)).length;
  const [numbered, ...numbers] = NUMBER.exec(words) ?? [];
  const [key] = KEY.exec(words) ?? [];
  const written = numbered ?? key ?? BULLET.exec(words)?.[0] ?? '';
  const number = numbers.find((group) => group !== undefined);
  const bullet = written === '' ? null : 'bullet';
  return {
    text: words.slice(written.length).trim(),
    whole: words.trim(),
    ...{ line, indent, isAfterBlank },
    label: number === undefined ? bullet : Number(number),
    mark: key === undefined ? written.replace(/[\s\d^]/gu, '') : '[]',
  };
}

/** A number of a list is larger than the number before it, by at most this difference. */
const MAX_NUMBER_GAP = 100;
/** Numbers are labels only if at least this share of the numbers is in order. */
const MIN_IN_ORDER = 0.4;
/** This many numbers that follow each other are labels, for any number of other lines. */
const MIN_STEPS = 3;
/** Bullets are labels only if at least this share of the lines has a bullet. */
const MIN_BULLETS = 0.1;
/** At least this share of the lines after the first one is indented. */
const MIN_INDENTED = 0.15;
/** If more lines begin in the middle of a sentence, the items are wrapped. */
const MAX_MIDDLES = 0.15;
/** If more lines end in the middle of a sentence, fewer beginnings in the middle show that the items are wrapped. */
const MAX_UNFINISHED = 0.2;
/** A line that is shorter than this share of the longest line has room for the next word. */
const FULL_LINE = 0.9;
/** If at least this share of the lines of paragraphs can be whole references, each line is a reference. */
const MIN_WHOLE_LINES = 0.7;
/** A wrapped line has at most this many characters. */
const MAX_WRAPPED_CHARACTERS = 250;
/** At most this many characters of a line are compared. */
const MAX_COMPARED = 500;

export interface Numbered {
  /** the number of the item before; 0 before the first item */
  readonly number: number;
  readonly mark: string | null;
}

/** Whether a number begins the next item of a numbered list. A gap in the numbers must be between two references. */
export function isNextNumber(line: ListLine, { number, mark }: Numbered, before: ListLine | null): boolean {
  const { label, isAfterBlank } = line;
  if (typeof label !== 'number' || (mark !== null && line.mark !== mark)) return false;
  if (label === number + 1) return true;
  const isBetween = before === null || isAfterBlank || (isEnd(before) && /\D$/.test(before.text));
  return isBetween && (label === 1 || (label > number && label - number <= MAX_NUMBER_GAP));
}

/** @param lines at least one */
export function layoutOf(lines: readonly ListLine[]): ListLayout {
  const others = lines.slice(1);
  const share = (of: readonly ListLine[], has: (line: ListLine, at: number) => boolean): number =>
    of.length === 0 ? 0 : of.filter(has).length / of.length;

  if (isNumbered(lines)) return 'numbered';
  const bullets = share(lines, ({ label }) => label === 'bullet');
  if (bullets >= MIN_BULLETS && (lines[0]?.label === 'bullet' || bullets * lines.length > 1))
    return 'bulleted';

  const least = lines.reduce((indent, line) => Math.min(indent, line.indent), Number.POSITIVE_INFINITY);
  const isIndented = ({ indent }: ListLine): boolean => indent > least;
  const isHanging =
    lines[0]?.indent === least && !others.some((line) => line.isAfterBlank && isIndented(line));
  if (isHanging && share(others, isIndented) >= MIN_INDENTED) return 'hanging';

  const inParagraphs = others.filter(({ isAfterBlank }) => !isAfterBlank);
  if (inParagraphs.length < others.length) {
    const whole = others.filter((line, at) => !line.isAfterBlank && isEnd(lines[at]) && !isMiddle(line));
    const isLines = whole.length > 0 && whole.length >= MIN_WHOLE_LINES * inParagraphs.length;
    return isLines ? 'lines' : 'paragraphs';
  }
  return isWrapped(lines) ? 'wrapped' : 'lines';
}

const ENDS_ADDRESS = /(?:10\.\d{4,9}\/|:\/\/|www\.)\S{0,300}$/;

/** Whether the line can end a reference. */
function isEnd(line: ListLine | null | undefined): boolean {
  const end = line?.text.slice(-MAX_COMPARED) ?? '';
  return ENDS_REFERENCE.test(end) || ENDS_ADDRESS.test(end);
}

/** Whether the items have several lines: many lines begin or end in the middle of a sentence. */
function isWrapped(lines: readonly ListLine[]): boolean {
  if (lines.some(({ text }) => text.length > MAX_WRAPPED_CHARACTERS)) return false;
  const others = lines.slice(1);
  const middles = others.filter(isMiddle).length / others.length;
  const unfinished = lines.slice(0, -1).filter((line) => !isEnd(line));
  const isUnfinished = unfinished.length > MAX_UNFINISHED * others.length;
  if (middles > (isUnfinished ? MAX_MIDDLES / 4 : MAX_MIDDLES)) return true;
  const fullLength = FULL_LINE * longest(lines);
  return isUnfinished && unfinished.every(({ text }) => text.length >= fullLength) && isEnd(lines.at(-1));
}

export function longest(lines: readonly ListLine[]): number {
  return lines.reduce((width, { text }) => Math.max(width, text.length), 0);
}

/**
 * Whether a wrapped line is the next item: a line with people after the end of a reference, or a line after a line that had
 * room for another word.
 */
function beginsItem(line: ListLine, before: ListLine, width: number): boolean {
  if (!isEnd(before) || isMiddle(line) || LINK_LINE.test(line.text)) return false;
  const [firstWord = ''] = /^\S{1,100}/.exec(line.text) ?? [];
  const hasRoom = before.text.length + ' '.length + firstWord.length < FULL_LINE * width;
  return hasRoom || beginsWithPeople(plainWords(line.text.slice(0, MAX_COMPARED)));
}

/** A line in the middle of a sentence begins with a small letter (not of `van der Berg`), a number or a mark. */
const MIDDLE =
  /^(?!(?:v[ao]n|d[eiu]|de[lnr]|della|dos|da|la|le|al|el|ter|ten|zu[mr]?|af)\b|d['’]\p{Lu})[\p{Ll}\p{N},.;:)\]&–-]/u;

function isMiddle({ text }: ListLine): boolean {
  return !LINK_LINE.test(text) && MIDDLE.test(text);
}

/** Whether the numbers at the beginnings of lines are labels. */
function isNumbered(lines: readonly ListLine[]): boolean {
  let [numbers, inOrder, steps, unlabelled] = [0, 0, 0, 0];
  let last: Numbered = { number: 0, mark: null };
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1] ?? null;
    if (typeof line.label !== 'number') {
      unlabelled += Number((line.isAfterBlank || isEnd(before)) && !isMiddle(line));
      continue;
    }
    numbers += 1;
    if (!isNextNumber(line, last, before)) continue;
    inOrder += 1;
    steps += Number(line.label === last.number + 1);
    last = { number: line.label, mark: line.mark };
  }
  if (inOrder < (typeof lines[0]?.label === 'number' ? 1 : 2) || inOrder < MIN_IN_ORDER * numbers)
    return false;
  return steps === inOrder || steps >= MIN_STEPS || inOrder >= unlabelled;
}

/** The smallest indentation and the longest line of a list. */
export interface ListMeasures {
  readonly least: number;
  readonly width: number;
}

/** Whether a line begins the next item of a list without labels. */
export function beginsNext(
  layout: ListLayout,
  line: ListLine,
  before: ListLine,
  { least, width }: ListMeasures,
): boolean {
  if (layout === 'hanging') return line.indent === least;
  if (layout === 'paragraphs') return line.isAfterBlank;
  if (layout === 'wrapped') return beginsItem(line, before, width);
  return line.isAfterBlank || !LINK_LINE.test(line.text);
}
