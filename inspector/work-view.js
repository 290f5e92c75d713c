// @ts-check
// The work of a name: title, people, kind, year, where it was published, and more about it.

import { button, el, show } from './dom.js';
import { markedUpTitle } from './marked-up-title.js';
import { bdi, briefly, longText } from './text.js';
import { historyView, updatesBand, withoutNotice } from './updates-view.js';
import { moment } from './words.js';
import { workFacts, workKindInWords } from './work-facts.js';

/** @import { DescribedWork, Work } from './work-answers.js' */

const MAX_TITLE_CHARACTERS = 600;
const FIRST_PEOPLE = 3;

/**
 * @param {Work} work
 * @param {DescribedWork} described the work with its updates and relations
 * @param {string} name
 * @param {string} unknown the reason why the updates are unknown
 */
export function workView(work, { updates, relations }, name, unknown) {
  const { creators, source, stale, fetchedAt } = work;
  return el(
    'div',
    { class: 'work' },
    updatesBand(updates, name),
    el('h3', { class: 'work-title' }, titleOf(work)),
    creators.length > 0 && people(creators.map(({ name }) => name)),
    published(work),
    ...historyView(updates, relations),
    ...workFacts(work),
    el(
      'small',
      {},
      'Described by ',
      bdi(source),
      stale && `, in a copy of ${moment(fetchedAt)}: the service cannot be asked now`,
      ...withoutNotice(updates, unknown),
    ),
  );
}

/** @param {Work} work */
function titleOf({ title, titleHtml }) {
  if (title === null) return el('span', { class: 'missing' }, 'Without a title');
  if (title.length > MAX_TITLE_CHARACTERS) return longText(title, MAX_TITLE_CHARACTERS);
  return titleHtml === null ? bdi(title) : markedUpTitle(titleHtml);
}

/** @param {readonly string[]} names */
function people(names) {
  const line = el('p', { class: 'people', tabindex: -1 });
  const put = (/** @type {readonly string[]} */ some, /** @type {Node | false} */ rest) => {
    show(line, ...some.flatMap((name, index) => [index > 0 && ', ', briefly(name)]), rest);
  };
  const more = names.length - FIRST_PEOPLE;
  if (more <= 0) {
    put(names, false);
    return line;
  }
  const words = `and ${more.toLocaleString('en')} more`;
  const unfold = button(
    words,
    () => {
      put(names, false);
      // The pressed button is no longer on the page, so the focus must move.
      line.focus();
    },
    { class: 'quiet', 'aria-label': `${words}: show all` },
  );
  put(names.slice(0, FIRST_PEOPLE), el('span', {}, ' ', unfold));
  return line;
}

/** @param {Work} work */
function published({ kind, issued, containerTitle, publisher, volume, issue, page }) {
  const numbers = `${volume ?? ''}${issue ? `(${issue})` : ''}`;
  const place = [[containerTitle, numbers].filter(Boolean).join(' '), page].filter(Boolean).join(', ');
  const parts = [workKindInWords(kind), issued && yearInWords(issued.year), place, publisher].filter(Boolean);
  if (parts.length === 0) return null;
  return el('p', {}, ...parts.flatMap((part, index) => [index > 0 && ' · ', briefly(String(part))]));
}

/** Years as CSL counts them: `-44` is 44 before the common era. @param {number} year */
export function yearInWords(year) {
  return year < 0 ? `${-year} BCE` : String(year);
}
