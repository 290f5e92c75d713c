// Finds the entries of the lists of references in a text that arrives in pieces: records of BibTeX and other formats, and
// items of lists that look like references. Prose has no entries.

import { BIBITEM, ENDS_REFERENCE, LINK_LINE, labelOf } from './list-labels.ts';
import { headingIn } from './reference-headings.ts';
import { ReferenceRecord } from './reference-records.ts';
import {
  beginsWithPeople,
  type EntryContext,
  firstWords,
  isReference,
  plainWords,
} from './reference-shape.ts';
import { BLOCKS, CITATIONS, type TextPart, TextParts } from './text-parts.ts';

export interface ReferenceEntry {
  /** offsets in the whole text, in UTF-16 units */
  readonly start: number;
  readonly end: number;
  /** the number of its first line, from 1 */
  readonly line: number;
  /** key and title, or the first words */
  readonly words: string;
  /** as written, without the label of an item. A long entry is cut. */
  readonly text: string;
  /** whether it is a record of BibTeX or of another format */
  readonly isRecord: boolean;
}

/** An item that has not ended yet */
interface OpenItem {
  readonly start: number;
  readonly line: number;
  readonly place: EntryContext;
  /** the element that holds the item; null: lines hold it */
  readonly element: string | null;
  /** the number of open elements of this name */
  depth: number;
  /** the width of the white space before the label; null without a label */
  readonly indent: number | null;
  /** 12 for the label `12.` */
  readonly number: number | null;
  text: string;
  /** the offset after the last part with words */
  end: number;
}

interface BegunItem
  extends Pick<OpenItem, 'place'>,
    Partial<Pick<OpenItem, 'element' | 'indent' | 'number'>> {
  /** the text before the words of the item */
  readonly label: string;
}

/** At most this many characters of an item are kept. A longer item is no reference. */
const MAX_ITEM_CHARACTERS = 2_000;
/** An entry that does not end in so many characters is dropped: perhaps its end is missing. */
const MAX_ENTRY_CHARACTERS = 200_000;
const MAX_NESTED = 20;

const TAG = new RegExp(`^<(\\/?)(${CITATIONS}|${BLOCKS})(?![\\w-])([^<>]{0,500})>?`, 'i');
const IS_CITATION = new RegExp(`^(?:${CITATIONS})$`);
const IS_HEADING = /^(?:h[1-6]|title)$/;
const IS_LIST = /^(?:ol|ul|dl)$/;
/** `<div class="csl-entry">` of Pandoc and Zotero */
const CITATION_CLASS =
  /\bclass\s?=\s?["'][^"']{0,100}(?<![\w-])(?:csl-entry|bib-?item|bibentry|citation)(?![\w-])/i;

export class ReferenceEntries {
  readonly #parts = new TextParts();
  #record: (Pick<ReferenceEntry, 'start' | 'line'> & { readonly record: ReferenceRecord }) | null = null;
  #items: OpenItem[] = [];
  #ended: ReferenceEntry[] = [];
  #isBelowReferences = false;
  #isAfterBlank = true;

  /** Returns the entries that ended, in the order of their ends. */
  add(piece: string): ReferenceEntry[] {
    for (const part of this.#parts.add(piece)) this.#read(part);
    return this.#ended.splice(0);
  }

  /** Call it after the last piece: returns the remaining entries. */
  end(): ReferenceEntry[] {
    for (const part of this.#parts.rest()) this.#read(part);
    this.#endAll(this.#parts.end);
    return this.#ended.splice(0);
  }

  /** Entries that end later begin at this offset or after it. */
  get earliestStart(): number {
    return this.#record?.start ?? this.#items[0]?.start ?? this.#parts.end;
  }

  #read(part: TextPart): void {
    const { text, start, line, isLineStart } = part;
    if (start - this.earliestStart > MAX_ENTRY_CHARACTERS) {
      this.#record = null;
      this.#items = [];
    }
    const record = isLineStart ? ReferenceRecord.beginningWith(text) : null;
    if (record !== null) {
      this.#endAll(start);
      this.#record = { start, line, record };
    }
    const tag = this.#record === null ? TAG.exec(text) : null;
    if (this.#record?.record.add(text)) this.#endRecord(start + text.length);
    if (this.#record !== null || record !== null) return;
    if (tag !== null) this.#readTag(part, tag);
    else if (this.#top?.element != null) this.#append(part);
    else this.#readLine(part);
  }

  #readTag(part: TextPart, [tag, slash, written = '', attributes = '']: RegExpExecArray): void {
    const element = written.toLowerCase();
    const isEnd = slash === '/';
    const top = this.#top;
    const isCitation = IS_CITATION.test(element) || CITATION_CLASS.test(attributes);
    // The end tag of `li` can be missing.
    const isNextItem = element === 'li' && !isEnd && top?.element === 'li' && top.depth === 1;
    if (isNextItem || (IS_LIST.test(element) && isEnd && top?.element === 'li' && top.depth === 1))
      this.#endTop(part.start);
    else if (
      top?.element != null &&
      (element === top.element || (IS_LIST.test(element) && top.element === 'li'))
    ) {
      top.depth += isEnd ? -1 : 1;
      this.#append(part);
      if (top.depth === 0) this.#endTop(part.start + part.text.length);
      return;
    }
    if (this.#top?.element != null && this.#top.place === 'citation') this.#append(part);
    else if (!isEnd && (element === 'li' || isCitation)) {
      if (this.#top?.element == null) this.#endItems(part.start);
      this.#begin(part, { place: isCitation ? 'citation' : this.#placeOf('list'), element, label: tag });
    } else if (this.#top?.element != null && !IS_HEADING.test(element)) this.#append(part);
    else {
      this.#endItems(part.start);
      this.#isAfterBlank = true;
      if (!isEnd) this.#readLine({ ...part, isLineStart: true }, IS_HEADING.test(element) ? '' : tag);
    }
  }

  /** @param tag the tag before the words of the line */
  #readLine(part: TextPart, tag = ''): void {
    const text = part.text.slice(tag.length);
    if (text.trim() === '') {
      this.#isAfterBlank ||= part.isLineStart;
      return;
    }
    const heading = headingIn(text);
    const [bibitem] = BIBITEM.exec(text) ?? [];
    const top = this.#top;
    const isAfterReference = top === undefined || this.#isAfterBlank || ENDS_REFERENCE.test(top.text);
    const label = part.isLineStart ? labelOf(text, isAfterReference, top?.number ?? null) : null;
    if (heading !== null && (heading.isOfReferences || label === null)) {
      this.#endItems(part.start);
      this.#isBelowReferences = heading.isOfReferences;
      this.#isAfterBlank = true;
      return;
    }
    if (bibitem !== undefined) {
      this.#endItems(part.start);
      this.#begin(part, { place: 'citation', label: bibitem });
    } else if (label !== null) {
      const { written, indent, isBracketed, number } = label;
      while (this.#top !== undefined && (this.#top.indent ?? indent) >= indent) this.#endTop(this.#top.end);
      const place = this.#placeOf(isBracketed ? 'bracketed' : 'list');
      this.#begin(part, { place, indent, number, label: tag + written });
    } else if (this.#continuesItem(text)) this.#append(part);
    else {
      this.#endItems(part.start);
      // In wrapped prose, a line can begin with a name.
      const canBegin = part.isLineStart && (this.#isAfterBlank || top !== undefined);
      if (canBegin && beginsWithPeople(plainWords(text)))
        this.#begin(part, { place: this.#placeOf('paragraph'), label: tag });
    }
    this.#isAfterBlank = false;
  }

  #placeOf(place: EntryContext): EntryContext {
    return this.#isBelowReferences ? 'references' : place;
  }

  /** Whether a line without a label belongs to the open item. */
  #continuesItem(text: string): boolean {
    const top = this.#top;
    if (top === undefined || /^\s{0,20}\\end\{/.test(text)) return false;
    if (top.place === 'citation' || LINK_LINE.test(text)) return true;
    const indent = text.search(/\S/);
    if (this.#isAfterBlank) return top.indent !== null && indent > top.indent;
    // Without labels, a line that begins with people after a whole reference is the next reference.
    return !(
      top.indent === null &&
      indent === 0 &&
      ENDS_REFERENCE.test(top.text) &&
      beginsWithPeople(plainWords(text))
    );
  }

  get #top(): OpenItem | undefined {
    return this.#items.at(-1);
  }

  #begin(part: TextPart, { label, ...item }: BegunItem): void {
    const { start, line } = part;
    if (this.#items.length === MAX_NESTED) this.#endItems(start);
    const text = part.text.slice(label.length, label.length + MAX_ITEM_CHARACTERS);
    const end = start + part.text.length;
    this.#items.push({
      start,
      line,
      depth: 1,
      element: null,
      indent: null,
      number: null,
      ...item,
      text,
      end,
    });
  }

  #append({ text, start, isLineStart }: TextPart): void {
    const top = this.#top;
    if (top === undefined || text.trim() === '') return;
    if (top.text.length <= MAX_ITEM_CHARACTERS)
      top.text += `${isLineStart ? '\n' : ' '}${text.slice(0, MAX_ITEM_CHARACTERS)}`;
    top.end = start + text.length;
  }

  #endTop(end: number): void {
    const item = this.#items.pop();
    if (item === undefined) return;
    const { start, line, place, text } = item;
    const parent = this.#top;
    if (parent !== undefined) parent.end = Math.max(parent.end, end);
    const words = plainWords(text);
    if (text.length <= MAX_ITEM_CHARACTERS || place === 'citation') {
      if (isReference(words, place))
        this.#ended.push({ start, end, line, words: firstWords(words), text, isRecord: false });
    }
  }

  /** Items of lines end with their last line. */
  #endItems(end: number): void {
    for (let top = this.#top; top !== undefined; top = this.#top)
      this.#endTop(top.element === null ? top.end : end);
  }

  #endRecord(end: number): void {
    if (this.#record === null) return;
    const { start, line, record } = this.#record;
    this.#ended.push({
      start,
      end,
      line,
      words: firstWords(record.words),
      text: record.text,
      isRecord: true,
    });
    this.#record = null;
  }

  #endAll(end: number): void {
    this.#endRecord(end);
    this.#endItems(end);
  }
}
