// Fills the templates of the corpus with names and words.

import { readFileSync } from 'node:fs';
import { randomNumbers } from '../../test/support/random-numbers.ts';

/** Random numbers that the seed decides. */
export interface Random {
  /** from 0 to 1, without 1 */
  next(): number;
  below(end: number): number;
  of<Item>(items: readonly Item[]): Item;
}

export function createRandom(seed: number): Random {
  const next = randomNumbers(seed);
  const below = (end: number): number => Math.floor(next() * end);
  return { next, below, of: (items) => items[below(items.length)] as (typeof items)[number] };
}

const digits = (random: Random, count: number): string => {
  const first = 1 + random.below(9);
  return [first, ...Array.from({ length: count - 1 }, () => random.below(10))].join('');
};

const WORDS = 'cell jmb energy tetlet anie plosone water ijms bdes polymer sensors'.split(' ');
const word = (random: Random): string => random.of(WORDS);

const AUTHORS =
  'Smith, J. | García Márquez, G. | Müller, K.-H. | O’Neil, P. | Li, X. | van der Berg, A. B. | Иванов, И. | 王, 伟'.split(
    ' | ',
  );
const TITLES =
  'On the 10.5 micron band of NGC 10.2 | A study of 1,000 cases (part 2) | Growth, decay; and rest | The role of <i>E. coli</i> in water | Version 10.1 of a model: results | What is known?'.split(
    ' | ',
  );
const JOURNALS =
  'J. Biol. | Nature | Phys. Rev. B | Tetrahedron Lett. | PLoS ONE | Ann. Phys. (Leipzig)'.split(' | ');

/** The values of `{word}` and the like in a template. `{3}` is a number of three digits. */
const PARTS: Readonly<Record<string, (random: Random) => string>> = {
  word,
  wor: (random) => word(random).slice(0, 3),
  WORD: (random) => word(random).toUpperCase(),
  letter: (random) => random.of([...'abcdefghijklmnopqrstuvwxyz']),
  year: (random) => String(1990 + random.below(36)),
  month: (random) => String(10 + random.below(3)),
  byte: (random) => String(random.below(256)),
  mask: (random) => String(8 + random.below(24)),
  author: (random) => random.of(AUTHORS),
  title: (random) => random.of(TITLES),
  journal: (random) => random.of(JOURNALS),
  pages: (random) => `${digits(random, 3)}-${digits(random, 3)}`,
};

const inUrl = (name: string): string =>
  name.replace(
    /[%"#? <>{}^[\]`|\\+]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
const inEntities = (name: string): string =>
  name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Puts a character into the middle of the suffix. */
const inMiddle = (name: string, character: string): string => {
  const suffixAt = name.indexOf('/') + 1;
  const middle = suffixAt + Math.floor((name.length - suffixAt) / 2);
  return name.slice(0, middle) + character + name.slice(middle);
};

/** How to spell a name for a mark such as `⟦url⟧` in a template; `⟦⟧` is the name itself. */
const SPELLINGS: Readonly<Record<string, (name: string) => string>> = {
  '': (name) => name,
  url: inUrl,
  query: encodeURIComponent,
  entities: inEntities,
  urlInEntities: (name) => inEntities(inUrl(name)),
  tex: (name) => name.replace(/[_%&#]/g, '\\$&'),
  json: (name) => name.replaceAll('/', '\\/'),
  label: (name) => name.replaceAll('%', '%25').replaceAll('#', '%23'),
  zeroWidth: (name) => inMiddle(name, '\u200b'),
  softHyphen: (name) => inMiddle(name, '\u00ad'),
  broken: (name) => name.replace(/-(?=[A-Za-z0-9])/, '-\n'),
};

/** Fills a template. @param write returns the text for a mark; `spell` spells a name as the mark requires */
export function filled(
  template: string,
  random: Random,
  write: (spell: (name: string) => string) => string = () => '',
): string {
  return template.replace(/\{(\w+)\}|⟦(\w*)⟧/g, (all, part?: string, spelling = '') => {
    if (part === undefined) return write(SPELLINGS[spelling] as (name: string) => string);
    return /^\d+$/.test(part) ? digits(random, Number(part)) : (PARTS[part]?.(random) ?? all);
  });
}

const registered = readFileSync(new URL('../../test/fixtures/hard-dois.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

/** Without names that end with a full stop or `.pdf`: in a sentence, no reader can find their end. */
const HARD_NAMES = registered.filter((name) => !/[.]$|[.]pdf$/.test(name));

/** Templates of names as publishers make them. */
const ORDINARY = [
  '10.1016/j.{word}.{year}.{2}.{3}',
  '10.1038/s{5}-{3}-{5}-{letter}',
  '10.1371/journal.p{wor}.{7}',
  '10.1007/978-3-{3}-{5}-{1}_{2}',
  '10.1103/PhysRevB.{2}.{6}',
  '10.3390/{word}{8}',
  '10.5281/zenodo.{7}',
  '10.1145/{7}.{7}',
  '10.1080/{8}.{year}.{7}',
  '10.48550/arXiv.{4}.{5}',
  '10.1002/{word}.{year}{5}',
  '10.{5}/{WORD}-{4}',
];

export function anyName(random: Random): string {
  return random.next() < 0.5 ? random.of(HARD_NAMES) : filled(random.of(ORDINARY), random);
}
