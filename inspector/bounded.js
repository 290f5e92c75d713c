// @ts-check
// Shows the first items of a long list, with a button that shows all items.

import { button, el, show } from './dom.js';
import { count } from './words.js';

/**
 * @template Item
 * @param {readonly Item[]} items
 * @param {number} max the number of items to show at first
 * @param {string} noun the singular word for an item
 * @param {(items: readonly Item[]) => Node} render
 * @param {string} [nouns] the plural word
 */
export function bounded(items, max, noun, render, nouns) {
  if (items.length <= max) return render(items);
  const holder = el('div', {});
  const all = button(`Show all ${count(items.length, noun, nouns)}`, () => show(holder, render(items)), {
    class: 'quiet',
  });
  show(holder, render(items.slice(0, max)), all);
  return holder;
}
