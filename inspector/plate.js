// @ts-check
// Parts of the page: a section with a title, the head of a column, and a list of facts.

import { el } from './dom.js';

/** @import { Child } from './dom.js' */

/**
 * @param {string} id
 * @param {string} title
 * @param {...Child} children
 */
export function plate(id, title, ...children) {
  return el(
    'section',
    { id, class: 'plate', 'aria-labelledby': `${id}-title` },
    el('h3', { id: `${id}-title` }, title),
    ...children,
  );
}

/**
 * The heading of a column, with a link to its query in GraphiQL.
 * @param {string} title
 * @param {string} address
 */
export function columnHead(title, address) {
  return el(
    'div',
    { class: 'column-head' },
    el('h2', { tabindex: -1 }, title),
    el('a', { class: 'quiet', href: address }, 'Open in GraphiQL'),
  );
}

/**
 * A list of terms and their descriptions.
 * @param {readonly (readonly [term: string, ...meaning: Child[]])[]} facts
 */
export function factList(facts) {
  return el(
    'dl',
    { class: 'facts' },
    ...facts.map(([term, ...meaning]) => el('div', {}, el('dt', {}, term), el('dd', {}, ...meaning))),
  );
}
