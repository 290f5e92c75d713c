// Shows references as a list: title and year of each cited work, the text of a reference without a DOI, and notices.

import type { CitedReference, ListedWork, NamedDoi } from './answers.ts';
import { button, el, show } from './dom.ts';
import { inspectLink } from './offer.ts';
import { bdi, longText } from './text.ts';
import { hasNotice, outcomeView } from './updates-view.ts';
import { count } from './words.ts';
import { yearInWords } from './work-view.ts';

const MAX_TEXT_CHARACTERS = 400;

export interface CitedRow {
  readonly doi: NamedDoi | null;
  wait(): void;
  /** Shows the cited work. @param unknown the reason if a part of it is unknown, else empty */
  put(work: ListedWork | null, unknown: string): void;
}

export interface CitedWorksView {
  readonly element: HTMLElement;
  /** Adds the next rows, and looks them up. */
  next(): void;
  focus(): void;
  summary(): string;
  /** @param shown null: no failure */
  putFailure(shown: Node | null): void;
}

/** @param page the number of rows that `next` adds @param lookUp fills new rows */
export function citedWorksView(
  references: readonly CitedReference[],
  page: number,
  lookUp: (rows: readonly CitedRow[]) => void,
): CitedWorksView {
  const list = el('ol', { class: 'cited', tabindex: -1, 'aria-label': 'Cited works' });
  const notes = el('p', { class: 'grave' });
  const failure = el('div', {});
  const rest = el('p', {});
  const element = el('div', {}, notes, list, rest, failure);
  /** The numbers of the references whose works are retracted. */
  const retracted = new Set<number>();
  let shownCount = 0;
  return { element, next, focus: () => list.focus(), summary, putFailure };

  function next() {
    const from = shownCount;
    shownCount = Math.min(references.length, from + page);
    const rows = references.slice(from, shownCount).map((reference, at) => createRow(reference, from + at));
    list.append(...rows.map(({ item }) => item));
    const more = Math.min(page, references.length - shownCount);
    const words = `Show the next ${more.toLocaleString('en')} of ${count(references.length, 'reference')}`;
    const showMore = () => {
      next();
      // The pressed button is no longer on the page, so the focus must move to the first new row.
      const first = list.children[from + page];
      if (first instanceof HTMLElement) first.focus();
    };
    show(rest, more > 0 && button(words, showMore, { class: 'quiet' }));
    lookUp(rows.map(({ row }) => row));
  }

  function createRow(reference: CitedReference, number: number) {
    const { doi, text, title, year } = reference;
    const work = el('span', {});
    const mark = el('div', {});
    const item = el('li', { tabindex: -1 }, work, doi && el('div', {}, inspectLink(doi)), mark);
    put(null, '');
    return { item, row: { doi, put, wait } };

    function wait() {
      show(mark, el('span', { class: 'waiting' }, 'looking up …'));
    }

    function put(listed: ListedWork | null, unknown: string) {
      const found = listed?.metadata;
      const words = found?.title ?? title ?? text;
      const issued = found?.issued?.year ?? year;
      show(
        work,
        words === null ? doi === null && el('span', { class: 'missing' }, 'Without a text') : textView(words),
        // A reference in words has its year already.
        issued !== null && (found?.title ?? title ?? null) !== null && ` (${yearInWords(issued)})`,
      );
      const updates = listed?.updates;
      show(
        mark,
        updates && hasNotice(updates) && outcomeView(updates),
        unknown !== '' && el('bdi', { class: 'missing' }, unknown),
      );
      if (updates?.outcome === 'RETRACTED') retracted.add(number);
      show(notes, retracted.size > 0 && retractedInWords());
    }
  }

  function retractedInWords() {
    return `${count(retracted.size, 'of the cited works is', 'of the cited works are')} retracted.`;
  }

  function summary() {
    const shown = `The page shows ${count(shownCount, 'reference')}.`;
    return retracted.size > 0 ? `${shown} ${retractedInWords()}` : shown;
  }

  function putFailure(shown: Node | null) {
    show(failure, shown);
  }
}

function textView(text: string) {
  return text.length > MAX_TEXT_CHARACTERS ? longText(text, MAX_TEXT_CHARACTERS) : bdi(text);
}
