// The HTML of a title: `i`, `b`, `sub` and `sup` become elements, and all other markup stays text.

import { el } from './dom.ts';
import { visible } from './text.ts';

type Tag = 'i' | 'b' | 'sub' | 'sup';
export type Piece = string | { readonly tag: Tag; readonly children: Piece[] };

const MARKUP = /(<\/?(?:i|b|sub|sup)>)/;
const ENTITIES = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&nbsp;', '\u00A0'],
]);
const MAX_DEPTH = 20;

/** Never fails. Drops end tags without a start tag. At the end of the text, closes open elements. */
export function titlePieces(html: string) {
  const whole: { tag: string; children: Piece[] } = { tag: '', children: [] };
  const open = [whole];
  for (const [index, part] of html.split(MARKUP).entries()) {
    const inner = open.at(-1) ?? whole;
    if (index % 2 === 0) {
      if (part !== '')
        inner.children.push(part.replaceAll(/&\w+;/g, (entity) => ENTITIES.get(entity) ?? entity));
    } else if (part.startsWith('</')) {
      if (open.length > 1 && part === `</${inner.tag}>`) open.pop();
    } else if (open.length <= MAX_DEPTH) {
      const element = { tag: part.slice(1, -1) as Tag, children: [] };
      inner.children.push(element);
      open.push(element);
    }
  }
  return whole.children;
}

export function markedUpTitle(html: string) {
  return el('bdi', { dir: 'auto' }, ...nodes(titlePieces(html)));
}

function nodes(pieces: readonly Piece[]): (Node | string)[] {
  return pieces.flatMap((piece) =>
    typeof piece === 'string' ? visible(piece) : [el(piece.tag, {}, ...nodes(piece.children))],
  );
}
