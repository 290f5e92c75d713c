// @ts-check
// The HTML of a title: `i`, `b`, `sub` and `sup` become elements, and all other markup stays text.

import { el } from './dom.js';
import { visible } from './text.js';

/** @typedef {'i' | 'b' | 'sub' | 'sup'} Tag */
/** @typedef {string | { tag: Tag, children: Piece[] }} Piece */

const MARKUP = /(<\/?(?:i|b|sub|sup)>)/;
const ENTITIES = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&nbsp;', '\u00A0'],
]);
const MAX_DEPTH = 20;

/** Never fails. Drops end tags without a start tag. At the end of the text, closes open elements. @param {string} html */
export function titlePieces(html) {
  /** @type {{ tag: string, children: Piece[] }} */
  const whole = { tag: '', children: [] };
  const open = [whole];
  for (const [index, part] of html.split(MARKUP).entries()) {
    const inner = open.at(-1) ?? whole;
    if (index % 2 === 0) {
      if (part !== '')
        inner.children.push(part.replaceAll(/&\w+;/g, (entity) => ENTITIES.get(entity) ?? entity));
    } else if (part.startsWith('</')) {
      if (open.length > 1 && part === `</${inner.tag}>`) open.pop();
    } else if (open.length <= MAX_DEPTH) {
      const element = { tag: /** @type {Tag} */ (part.slice(1, -1)), children: [] };
      inner.children.push(element);
      open.push(element);
    }
  }
  return whole.children;
}

/** @param {string} html */
export function markedUpTitle(html) {
  return el('bdi', { dir: 'auto' }, ...nodes(titlePieces(html)));
}

/** @param {readonly Piece[]} pieces @returns {(Node | string)[]} */
function nodes(pieces) {
  return pieces.flatMap((piece) =>
    typeof piece === 'string' ? visible(piece) : [el(piece.tag, {}, ...nodes(piece.children))],
  );
}
