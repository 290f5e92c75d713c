// A fake of an agency's search: it ranks works by BM25 over the words of their titles, people, containers and numbers.
// No test may depend on the scores of the fake.

import { foldedWords } from '../../src/works/folded-words.ts';

const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

export type Search<Item> = (words: string, rows: number) => readonly Item[];

/** @param textOf the text of an item for the search */
export function fakeSearch<Item>(items: readonly Item[], textOf: (item: Item) => string): Search<Item> {
  const postings = new Map<string, [item: number, count: number][]>();
  const lengths = items.map((item, at) => {
    const words = foldedWords(textOf(item));
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) postings.set(word, [...(postings.get(word) ?? []), [at, count]]);
    return words.length;
  });
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, items.length);
  return (query, rows) => {
    const scores = new Map<number, number>();
    for (const word of new Set(foldedWords(query))) {
      const found = postings.get(word) ?? [];
      const rarity = Math.log(1 + (items.length - found.length + 0.5) / (found.length + 0.5));
      for (const [at, count] of found) {
        const relativeLength = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * (lengths[at] ?? 0)) / meanLength;
        const score = (rarity * count * (SATURATION + 1)) / (count + SATURATION * relativeLength);
        scores.set(at, (scores.get(at) ?? 0) + score);
      }
    }
    const best = [...scores].sort(([, one], [, other]) => other - one).slice(0, rows);
    return best.flatMap(([at]) => items[at] ?? []);
  };
}

/** A search over all texts of items. */
export const searchOf = <Item extends object>(items: readonly Item[]): Search<Item> =>
  fakeSearch(items, (item) => Object.values(item).map(textIn).join(' '));

function textIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(textIn).join(' ');
}
