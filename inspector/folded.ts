// A part of the page that the reader opens. Its content does not exist before.

import { el } from './dom.ts';

/** @param fill puts the content into the holder, when the reader opens the part for the first time */
export function folded(label: string, fill: (holder: HTMLElement) => void) {
  const holder = el('div', { class: 'unfolded' });
  const element = el('details', { class: 'folded' }, el('summary', {}, label), holder);
  element.addEventListener('toggle', () => fill(holder), { once: true });
  return element;
}
