// @ts-check
// The references without a DOI, each with what the search found for it, and the buttons of the search.

import { copyButton } from './copy.js';
import { button, el, show } from './dom.js';
import { matchedReferenceView } from './matched-reference-view.js';
import { bdi, briefly } from './text.js';
import { count } from './words.js';

/** @import { ReferenceInWords } from './references-in-words.js' */
/** @import { ReferenceMatch } from './work-answers.js' */

const FIRST_REFERENCES = 20;

/**
 * @param {{ references: readonly ReferenceInWords[], split: string }} list how the text was split
 * @param {() => void} press the button starts, stops and continues the search
 * @param {() => string} found the DOIs found, one in a line
 * @param {AbortSignal} signal aborts all requests
 */
export function referenceSearchView({ references, split }, press, found, signal) {
  const title = el(
    'h2',
    { id: 'without-title', tabindex: -1 },
    `${count(references.length, 'reference')} without a DOI`,
  );
  const main = button(references.length === 1 ? 'Find its DOI' : 'Find their DOIs', press, { class: 'copy' });
  const foundText = el('pre', { class: 'csv', hidden: true, tabindex: 0, 'aria-label': 'The DOIs found' });
  const showFound = () => {
    show(foundText, found());
    foundText.hidden = false;
    return foundText;
  };
  const copyAll = copyButton(found, 'all DOIs found', showFound, 'Copy all found');
  copyAll.hidden = true;
  const note = el('p', { class: 'missing' });
  const list = el('ul', { class: 'lines' });
  const more = el('p', {});
  const element = el(
    'section',
    { class: 'plate without', 'aria-labelledby': 'without-title' },
    el('div', { class: 'column-head' }, title, el('div', { class: 'list-tools' }, main, copyAll)),
    el('p', {}, split),
    note,
    list,
    more,
    foundText,
  );
  /** @type {HTMLElement[]} */
  const holders = [];
  showUpTo(FIRST_REFERENCES);

  return { element, showUpTo, wait, put, putWords, putNote, putLabel, putOff, putFoundCount };

  /** Shows more references, up to this number. @param {number} end */
  function showUpTo(end) {
    const added = references.slice(holders.length, end).map(({ line, text }) => {
      const holder = el('div', {});
      holders.push(holder);
      return el('li', { tabindex: -1 }, `Line ${line}: `, briefly(text), holder);
    });
    list.append(...added);
    const showAll = () => {
      const first = holders.length;
      showUpTo(references.length);
      // The pressed button is no longer on the page, so the focus must move to the first new reference.
      holders[first]?.parentElement?.focus();
    };
    const words = `Show all ${count(references.length, 'reference')}`;
    if (holders.length === references.length) show(more);
    else if (more.childElementCount === 0) show(more, button(words, showAll, { class: 'quiet' }));
  }

  /** @param {number} at @param {Node | null} shown */
  function fill(at, shown) {
    const holder = holders[at];
    if (holder) show(holder, shown);
  }

  /** @param {number} at @param {boolean} isWaiting */
  function wait(at, isWaiting) {
    fill(at, isWaiting ? el('span', { class: 'waiting' }, 'searching …') : null);
  }

  /** @param {number} at @param {ReferenceMatch} match */
  function put(at, match) {
    fill(at, matchedReferenceView(match, signal));
  }

  /** @param {number} at @param {string} sentence why there is no answer */
  function putWords(at, sentence) {
    fill(at, el('p', { class: 'missing' }, bdi(sentence)));
  }

  /** @param {string} sentence about all references */
  function putNote(sentence) {
    show(note, sentence);
  }

  /** Null removes the button. The focus never stays on a removed button. @param {string | null} label */
  function putLabel(label) {
    if (label !== null) return show(main, label);
    if (document.activeElement === main) title.focus();
    main.remove();
  }

  /** The gateway cannot search. @param {string} sentence */
  function putOff(sentence) {
    putLabel(null);
    putNote(sentence);
  }

  /** @param {number} number */
  function putFoundCount(number) {
    copyAll.hidden = number === 0;
  }
}
