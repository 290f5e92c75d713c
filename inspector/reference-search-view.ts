// The references without a DOI, each with what the search found for it, and the buttons of the search.

import type { ReferenceInWords } from '../src/works/reference-lists/references-in-words.ts';
import type { ReferenceMatch } from './answers.ts';
import { copyButton } from './copy.ts';
import { button, el, show } from './dom.ts';
import { matchedReferenceView } from './matched-reference-view.ts';
import { bdi, briefly } from './text.ts';
import { count } from './words.ts';

const FIRST_REFERENCES = 20;

/**
 * @param list how the text was split
 * @param press the button starts, stops and continues the search
 * @param found the DOIs found, one in a line
 * @param signal aborts all requests
 */
export function referenceSearchView(
  { references, split }: { references: readonly ReferenceInWords[]; split: string },
  press: () => void,
  found: () => string,
  signal: AbortSignal,
) {
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
  const holders: HTMLElement[] = [];
  showUpTo(FIRST_REFERENCES);

  return { element, showUpTo, wait, put, putWords, putNote, putLabel, putOff, putFoundCount };

  /** Shows more references, up to this number. */
  function showUpTo(end: number) {
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

  function fill(at: number, shown: Node | null) {
    const holder = holders[at];
    if (holder) show(holder, shown);
  }

  function wait(at: number, isWaiting: boolean) {
    fill(at, isWaiting ? el('span', { class: 'waiting' }, 'searching …') : null);
  }

  function put(at: number, match: ReferenceMatch) {
    fill(at, matchedReferenceView(match, signal));
  }

  /** @param sentence why there is no answer */
  function putWords(at: number, sentence: string) {
    fill(at, el('p', { class: 'missing' }, bdi(sentence)));
  }

  /** @param sentence about all references */
  function putNote(sentence: string) {
    show(note, sentence);
  }

  /** Null removes the button. The focus never stays on a removed button. */
  function putLabel(label: string | null) {
    if (label !== null) return show(main, label);
    if (document.activeElement === main) title.focus();
    main.remove();
  }

  /** The gateway cannot search. */
  function putOff(sentence: string) {
    putLabel(null);
    putNote(sentence);
  }

  function putFoundCount(number: number) {
    copyAll.hidden = number === 0;
  }
}
