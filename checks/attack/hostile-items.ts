// Hostile works in the form of Crossref's API, for lists, single works and searches.

import { list } from './requests.ts';

type Item = Readonly<Record<string, unknown>>;

const WORDS = 'Reliability of hydraulic pumps in alpine villages';
const affiliation = list(50, (n) => ({
  name: `University of ${n}`,
  id: [{ id: 'https://ror.org/05dxps055' }],
}));
const person = (n: number): object => ({ given: 'Ada', family: `Berger${n}` });

/** The keys are the starts of the suffixes. Two items fit in the megabyte of a list, but abstracts need a request each. */
const ITEMS = {
  abstracts: () => ({ abstract: `<jats:p>${'long words '.repeat(300_000)}</jats:p>` }),
  bombs: () => ({
    abstract: '<jats:p><b><i>&lt;x '.repeat(20_000),
    title: [`${WORDS} ${'<i>'.repeat(30_000)}`],
  }),
  formulas: () => ({ abstract: '$$x<mml:math><mml:mi>x'.repeat(20_000) }),
  crowds: () => ({ author: list(900, (n) => ({ ...person(n), affiliation: affiliation.slice(0, 5) })) }),
  institutes: () => ({ author: list(100, (n) => ({ ...person(n), affiliation })) }),
  subjects: () => ({ subject: list(25_000, (n) => `subject ${n}`) }),
  scripts: () => ({
    license: list(2_000, (n) => ({ URL: `javascript:alert(${n})`, 'content-version': 'vor' })),
    link: list(2_000, (n) => ({ URL: `javascript:alert(${n})`, 'content-type': 'text/html' })),
    funder: list(2_000, (n) => ({ name: `<script>${n}`, award: ['a', 'b'] })),
  }),
  citing: () => ({
    reference: list(6_000, (n) => ({
      key: `r${n}`,
      DOI: `10.5555/citing-${n % 7}`,
      unstructured: `x ${n}`,
    })),
  }),
  words: () => ({ reference: list(4, (n) => ({ key: `r${n}`, unstructured: 'words '.repeat(18_000) })) }),
  titles: () => ({ title: [`${WORDS} `.repeat(3_000)], subtitle: ['and '.repeat(30_000)] }),
  typos: () => ({ title: [list(80, (n) => `hydraulix${n % 10}`).join(' ')], author: list(60, person) }),
} satisfies Readonly<Record<string, () => Item>>;

export type HostileItem = keyof typeof ITEMS;
export const HOSTILE_ITEMS = Object.keys(ITEMS) as readonly HostileItem[];

const kept = new Map<string, Item>();

/** The members of the item for a name such as `10.5555/crowds-1`. Empty for another name. */
export function hostileMembers(name: string): Item {
  const key = /^10\.5555\/([a-z]+)-/.exec(name)?.[1] ?? '';
  if (!Object.hasOwn(ITEMS, key)) return {};
  const members = kept.get(key) ?? ITEMS[key as HostileItem]();
  kept.set(key, members);
  return members;
}

/** Five works for each search, of which the second to the fifth are small if the first is large. */
export function foundNames(words: string): readonly string[] {
  const key = HOSTILE_ITEMS.find((item) => words.includes(item)) ?? 'none';
  const isSmall = key === 'typos' || key === 'none';
  return list(5, (n) => `10.5555/${n === 0 || isSmall ? key : 'typos'}-found-${n}`);
}
