// A place in a text, marked, with the text before and after it.

import { el } from './dom.ts';
import { bdi, codePoint } from './text.ts';

/** The number of characters before the place, and after it. */
const AROUND = 40;

/** @param position a UTF-16 offset */
export function markedPlace(text: string, position: number) {
  const before = Array.from(text.slice(0, position));
  const [at, ...after] = Array.from(text.slice(position, position + 4 * AROUND));
  return el(
    'p',
    { class: 'place' },
    el(
      'code',
      { dir: 'ltr' },
      before.length > AROUND && '…',
      bdi(before.slice(-AROUND).join(''), 'ltr'),
      el('mark', {}, at === undefined ? el('span', { class: 'unseen' }, 'end') : shape(at)),
      bdi(after.slice(0, AROUND).join(''), 'ltr'),
      text.length > position + AROUND && after.length > AROUND && '…',
    ),
    el('span', { class: 'place-words' }, placeInWords(before.length, at)),
  );
}

function shape(character: string) {
  return character === ' ' ? el('span', { class: 'unseen' }, 'space') : bdi(character);
}

function placeInWords(before: number, at: string | undefined) {
  if (at === undefined) return `at the end, after ${before} characters`;
  return `character ${before + 1}, ${codePoint(at)}`;
}
