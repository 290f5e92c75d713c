// Shows the first items of a long list, with a button that shows all items.

import { button, el, show } from './dom.ts';
import { count } from './words.ts';

/**
 * @param max the number of items to show at first
 * @param noun the singular word for an item
 * @param nouns the plural word
 */
export function bounded<Item>(
  items: readonly Item[],
  max: number,
  noun: string,
  render: (items: readonly Item[]) => Node,
  nouns?: string,
) {
  if (items.length <= max) return render(items);
  const holder = el('div', {});
  const all = button(`Show all ${count(items.length, noun, nouns)}`, () => show(holder, render(items)), {
    class: 'quiet',
  });
  show(holder, render(items.slice(0, max)), all);
  return holder;
}
