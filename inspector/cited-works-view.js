// @ts-check
// Shows references as a list: title and year of each cited work, the text of a reference without a DOI, and notices.

import { button, el, show } from './dom.js';
import { inspectLink } from './offer.js';
import { bdi, longText } from './text.js';
import { hasNotice, outcomeView } from './updates-view.js';
import { count } from './words.js';
import { yearInWords } from './work-view.js';

/** @import { NamedDoi } from './answers.js' */
/** @import { ListedWork, Reference } from './work-answers.js' */

const MAX_TEXT_CHARACTERS = 400;

/**
 * @typedef {object} CitedRow
 * @property {NamedDoi | null} doi
 * @property {() => void} wait
 * @property {(work: ListedWork | null, unknown: string) => void} put shows the cited work. `unknown`: the reason if a part
 *   of it is unknown, else empty.
 */

/**
 * @typedef {object} CitedWorksView
 * @property {HTMLElement} element
 * @property {() => void} next adds the next rows, and looks them up
 * @property {() => void} focus
 * @property {() => string} summary
 * @property {(shown: Node | null) => void} putFailure null: no failure
 */

/**
 * @param {readonly Reference[]} references
 * @param {number} page the number of rows that `next` adds
 * @param {(rows: readonly CitedRow[]) => void} lookUp fills new rows
 * @returns {CitedWorksView}
 */
export function citedWorksView(references, page, lookUp) {
  const list = el('ol', { class: 'cited', tabindex: -1, 'aria-label': 'Cited works' });
  const notes = el('p', { class: 'grave' });
  const failure = el('div', {});
  const rest = el('p', {});
  const element = el('div', {}, notes, list, rest, failure);
  /** The numbers of the references whose works are retracted. @type {Set<number>} */
  const retracted = new Set();
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

  /** @param {Reference} reference @param {number} number */
  function createRow(reference, number) {
    const { doi, text, title, year } = reference;
    const work = el('span', {});
    const mark = el('div', {});
    const item = el('li', { tabindex: -1 }, work, doi && el('div', {}, inspectLink(doi)), mark);
    put(null, '');
    return { item, row: { doi, put, wait } };

    function wait() {
      show(mark, el('span', { class: 'waiting' }, 'asking …'));
    }

    /** @param {ListedWork | null} listed @param {string} unknown */
    function put(listed, unknown) {
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

  /** @param {Node | null} shown */
  function putFailure(shown) {
    show(failure, shown);
  }
}

/** @param {string} text */
function textView(text) {
  return text.length > MAX_TEXT_CHARACTERS ? longText(text, MAX_TEXT_CHARACTERS) : bdi(text);
}
