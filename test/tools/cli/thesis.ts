// A generated thesis of 400 references: real, mistyped, invented and look-alike.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { forms } from 'doi-names';
import { doiName } from '../../support/doi-names.ts';
import { randomNumbers, shuffled } from '../../support/random-numbers.ts';

export interface Thesis {
  readonly text: string;
  /** as written in the thesis */
  readonly real: readonly string[];
  /** `intended` is the name before the mistake */
  readonly mistyped: readonly { readonly typed: string; readonly intended: string }[];
  readonly invented: readonly string[];
  readonly lookalikes: readonly string[];
  /** the names in the directory */
  readonly registered: readonly string[];
}

const COUNTS = { real: 360, mistyped: 20, invented: 10, lookalikes: 10 } as const;

const hardNames = readFileSync(
  fileURLToPath(new URL('../../fixtures/hard-dois.txt', import.meta.url)),
  'utf8',
)
  .split('\n')
  // Without truncated names.
  .filter((name) => /^[\x21-\x7e]+$/.test(name) && !/[.,;:/]$/.test(name));

/** The same thesis for the same seed. */
export function writeThesis(seed: number): Thesis {
  const random = randomNumbers(seed);
  const names = shuffled([...new Map(hardNames.map((name) => [name.toLowerCase(), name])).values()], random);
  const real = names.splice(0, COUNTS.real);
  const known = new Set(hardNames.map((name) => name.toLowerCase()));
  // `doi check` cuts the ending .pdf, which would be a second mistake.
  const others = names.filter((name) => !name.endsWith('.pdf'));
  const take = (): string => others.shift() ?? '';
  const registered = [...real];

  const mistyped = Array.from({ length: COUNTS.mistyped }, (_, index) => {
    for (;;) {
      const intended = take();
      const typed = MISTAKES[index % MISTAKES.length]?.(intended, random) ?? null;
      if (typed === null || known.has(typed.toLowerCase())) continue;
      registered.push(intended);
      return { typed, intended };
    }
  });
  const lookalikes = Array.from({ length: COUNTS.lookalikes }, () => {
    for (;;) {
      const intended = take();
      const typed = withImitation(intended);
      if (typed === null) continue;
      registered.push(intended);
      return typed;
    }
  });
  const invented = Array.from(
    { length: COUNTS.invented },
    () =>
      `10.${1_000 + Math.floor(random() * 8_999)}/j.invented.${2_000 + Math.floor(random() * 24)}.${Math.floor(random() * 1e6)}`,
  );
  const all = shuffled([...real, ...mistyped.map(({ typed }) => typed), ...invented, ...lookalikes], random);
  return { text: written(all), real, mistyped, invented, lookalikes, registered };
}

type Mistake = (name: string, random: () => number) => string | null;

const MISTAKES: readonly Mistake[] = [
  // Two digits the other way round.
  (name, random) => {
    const at = placeIn(name, /(?=(\d)(?!\1)\d)/g, random);
    return at === null ? null : name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2);
  },
  // A digit twice.
  (name, random) => {
    const at = placeIn(name, /(?=(\d)(?!\1))(?<!\d)|(?=(\d)(?!\2))/g, random);
    return at === null || !/\d/.test(name[at] ?? '') ? null : name.slice(0, at) + name[at] + name.slice(at);
  },
  // A dash that a word processor made of a hyphen.
  (name, random) => {
    const at = placeIn(name, /(?<=[A-Za-z0-9])-(?=[A-Za-z0-9])/g, random);
    return at === null ? null : `${name.slice(0, at)}\u2013${name.slice(at + 1)}`;
  },
  // A letter for a digit.
  (name, random) => {
    const at = placeIn(name, /[01]/g, random);
    return at === null ? null : name.slice(0, at) + (name[at] === '0' ? 'O' : 'l') + name.slice(at + 1);
  },
  // A slash at the end.
  (name) => `${name}/`,
];

/** A place in the suffix where a pattern matches. */
function placeIn(name: string, pattern: RegExp, random: () => number): number | null {
  const places = [...name.matchAll(pattern)].map(({ index }) => index).filter((at) => at > name.indexOf('/'));
  return places[Math.floor(random() * places.length)] ?? null;
}

const CYRILLIC: Readonly<Record<string, string>> = { a: 'а', e: 'е', o: 'о', p: 'р', c: 'с', x: 'х' };

function withImitation(name: string): string | null {
  const at = name.search(/(?<=[a-z])[aeopcx](?=[a-z])/);
  return at <= name.indexOf('/') ? null : name.slice(0, at) + CYRILLIC[name[at] ?? ''] + name.slice(at + 1);
}

/** Styles of references: links, labels, BibTeX, Markdown. */
const STYLES: readonly ((name: string) => string)[] = [
  (name) => `Author, A. (2020). A title, 12(3), 45–67. ${forms(doiName(name)).url}\n`,
  (name) => `[7] B. Author, "A title", doi:${name}\n`,
  (name) => `@article{key,\n  title = {A title},\n  doi = {${name}},\n}\n`,
  (name) => `- Author. *A title*. ${forms(doiName(name)).markdown.replace(/^\[.*?\]\(/, '[link](')}\n`,
  (name) =>
    `\\bibitem{key} Author, A title. \\url{https://doi.org/${encodeURI(name).replaceAll('#', '%23')}}\n`,
];

function written(names: readonly string[]): string {
  return names.map((name, index) => STYLES[index % STYLES.length]?.(name) ?? '').join('\n');
}
