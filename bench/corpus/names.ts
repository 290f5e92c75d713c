// Names to be set into texts: hard ones that are registered, and ordinary ones as publishers make them.

import { readFileSync } from 'node:fs';

const registered = readFileSync(new URL('../../test/fixtures/hard-dois.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

/** Those that end in what every reader of a sentence takes for punctuation, or for a view, cannot be found in one. */
export const HARD_NAMES = registered.filter((name) => !/[.]$|[.]pdf$/.test(name));

const PATTERNS: readonly ((random: Random) => string)[] = [
  (random) => `10.1016/j.${word(random)}.${year(random)}.${digits(random, 2)}.${digits(random, 3)}`,
  (random) => `10.1038/s${digits(random, 5)}-${digits(random, 3)}-${digits(random, 5)}-${letter(random)}`,
  (random) => `10.1371/journal.p${word(random).slice(0, 3)}.${digits(random, 7)}`,
  (random) =>
    `10.1007/978-3-${digits(random, 3)}-${digits(random, 5)}-${digits(random, 1)}_${digits(random, 2)}`,
  (random) => `10.1103/PhysRevB.${digits(random, 2)}.${digits(random, 6)}`,
  (random) => `10.3390/${word(random)}${digits(random, 8)}`,
  (random) => `10.5281/zenodo.${digits(random, 7)}`,
  (random) => `10.1145/${digits(random, 7)}.${digits(random, 7)}`,
  (random) => `10.1080/${digits(random, 8)}.${year(random)}.${digits(random, 7)}`,
  (random) => `10.48550/arXiv.${digits(random, 4)}.${digits(random, 5)}`,
  (random) => `10.1002/${word(random)}.${year(random)}${digits(random, 5)}`,
  (random) => `10.${digits(random, 5)}/${word(random).toUpperCase()}-${digits(random, 4)}`,
];

export function ordinaryName(random: Random): string {
  return random.of(PATTERNS)(random);
}

export function anyName(random: Random): string {
  return random.next() < 0.5 ? random.of(HARD_NAMES) : ordinaryName(random);
}

export function digits(random: Random, count: number): string {
  const first = 1 + random.below(9);
  return [first, ...Array.from({ length: count - 1 }, () => random.below(10))].join('');
}

export function year(random: Random): string {
  return String(1990 + random.below(36));
}

export function letter(random: Random): string {
  return random.of([...'abcdefghijklmnopqrstuvwxyz']);
}

const WORDS = 'cell jmb energy tetlet anie plosone water ijms bdes polymer sensors'.split(' ');

export function word(random: Random): string {
  return random.of(WORDS);
}

// The same numbers for the same seed.

export interface Random {
  /** from 0 to 1, without 1 */
  next(): number;
  below(end: number): number;
  of<Item>(items: readonly Item[]): Item;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return { next, below, of: (items) => items[below(items.length)] as (typeof items)[number] };
}

/** A name as it stands in an address. */
export const inUrl = (name: string): string =>
  name.replace(
    /[%"#? <>{}^[\]`|\\+]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

export const inEntities = (name: string): string =>
  name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
