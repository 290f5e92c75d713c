// Parts of the page: a section with a title, the head of a column, and a list of facts.

import { type Child, el } from './dom.ts';

export function plate(id: string, title: string, ...children: Child[]) {
  return el(
    'section',
    { id, class: 'plate', 'aria-labelledby': `${id}-title` },
    el('h3', { id: `${id}-title` }, title),
    ...children,
  );
}

/** The heading of a column, with a link to its query in GraphiQL. */
export function columnHead(title: string, address: string) {
  return el(
    'div',
    { class: 'column-head' },
    el('h2', { tabindex: -1 }, title),
    el('a', { class: 'quiet', href: address }, 'Open in GraphiQL'),
  );
}

/** A list of terms and their descriptions. */
export function factList(facts: readonly (readonly [term: string, ...meaning: Child[]])[]) {
  return el(
    'dl',
    { class: 'facts' },
    ...facts.map(([term, ...meaning]) => el('div', {}, el('dt', {}, term), el('dd', {}, ...meaning))),
  );
}
