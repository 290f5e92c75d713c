// The work of a name: title, people, kind, year, where it was published, and more about it.

import type { DescribedWork, Work } from './answers.ts';
import { button, el, show } from './dom.ts';
import { markedUpTitle } from './marked-up-title.ts';
import { bdi, briefly, longText } from './text.ts';
import { historyView, updatesBand, withoutNotice } from './updates-view.ts';
import { moment } from './words.ts';
import { workFacts, workKindInWords } from './work-facts.ts';

const MAX_TITLE_CHARACTERS = 600;
const FIRST_PEOPLE = 3;

/**
 * @param described the work with its updates and relations
 * @param unknown the reason why the updates are unknown
 */
export function workView(work: Work, { updates, relations }: DescribedWork, name: string, unknown: string) {
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
      stale && `, in a copy of ${moment(fetchedAt)}: the service cannot be reached now`,
      ...withoutNotice(updates, unknown),
    ),
  );
}

function titleOf({ title, titleHtml }: Work) {
  if (title === null) return el('span', { class: 'missing' }, 'Without a title');
  if (title.length > MAX_TITLE_CHARACTERS) return longText(title, MAX_TITLE_CHARACTERS);
  return titleHtml === null ? bdi(title) : markedUpTitle(titleHtml);
}

function people(names: readonly string[]) {
  const line = el('p', { class: 'people', tabindex: -1 });
  const put = (some: readonly string[], rest: Node | false) => {
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

function published({ kind, issued, containerTitle, publisher, volume, issue, page }: Work) {
  const numbers = `${volume ?? ''}${issue ? `(${issue})` : ''}`;
  const place = [[containerTitle, numbers].filter(Boolean).join(' '), page].filter(Boolean).join(', ');
  const parts = [workKindInWords(kind), issued && yearInWords(issued.year), place, publisher].filter(Boolean);
  if (parts.length === 0) return null;
  return el('p', {}, ...parts.flatMap((part, index) => [index > 0 && ' · ', briefly(String(part))]));
}

/** Years as CSL counts them: `-44` is 44 before the common era. */
export function yearInWords(year: number) {
  return year < 0 ? `${-year} BCE` : String(year);
}
