// Hostile works, for the file of metadata of the embedded directory: names, titles and details that make careless
// readers slow. Each has at most a megabyte, as a response of an agency.

import { text } from './hostile-records.ts';
import { list } from './requests.ts';

const NAME_CHARACTERS = 10_000;
/** Sixty people with the same long member. */
const sixty = (member: string, unit: string, others: object = {}): object => ({
  author: list(60, () => ({ ...others, [member]: `${unit.repeat(NAME_CHARACTERS / unit.length)}x` })),
});
const many = (name: string): object => ({
  author: list(20_000, (n) => ({ family: name, given: `A${n}` })),
});
const titled = (unit: string): object => {
  const long = `${unit.repeat(10_000 / unit.length)}x`;
  return {
    title: long,
    subtitle: long,
    abstract: long,
    publisher: long,
    'container-title': long,
    page: long,
  };
};

/** The keys are the ends of the names of the works. */
const WORKS = (): Readonly<Record<string, object>> => ({
  'commas in names': sixty('literal', ','),
  'spaces in names': sixty('literal', ' '),
  'semicolons in names': sixty('family', '; ', { given: 'A' }),
  'commas in given names': sixty('given', ' ,', { family: 'A' }),
  'commas in suffixes': sixty('suffix', ',', { family: 'A', given: 'B' }),
  'words and commas in names': sixty('literal', 'a, '),
  'angles in names': sixty('literal', '<'),
  'misread names': sixty('literal', 'Ã¼'),
  'commas in particles': sixty('dropping-particle', ',;', { family: 'A', given: 'B' }),
  'commas in affiliations': { author: list(60, () => ({ family: 'A', affiliation: [','.repeat(9_000)] })) },
  '20,000 people': many('Carberry'),
  '20,000 people with markup': many('<i>Car</i>&amp;<b>y</b>'),
  '20,000 misread people': many('MÃ¼ller'),
  'angles in titles': titled('<'),
  'open elements in titles': titled('<i>'),
  'open attributes in titles': titled('<i a="'),
  'open formulas in titles': titled('<mml:math> '),
  'escaped elements in titles': titled('&lt;i '),
  'formulas of TeX in titles': titled('$$a'),
  'dashes in titles': titled('-'),
});

export const WORK_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(WORKS()).map((name) => [name, `10.5555/work-${name.replace(/\W+/g, '-')}`]),
);
/** A work with an ordinary title, which references are compared with. */
export const CITED_WORK = '10.5555/work-cited';
const CITED = {
  title: 'Развитие методов измерения длинных слов в текстах',
  author: [{ family: 'Иванов', given: 'И.' }],
  issued: { 'date-parts': [[2020]] },
};

const ALL = (): [name: string, csl: object][] => [
  ...Object.entries(WORKS()).map(([key, work]): [string, object] => [
    WORK_NAMES[key] ?? '',
    { title: 'A', type: 'article', ...work },
  ]),
  [CITED_WORK, CITED],
];

/** JSON Lines for DOI_METADATA_FILE. */
export const worksFile = (): string =>
  ALL()
    .map(([handle, csl]) => `${JSON.stringify({ handle, csl })}\n`)
    .join('');

/** The records of the works, as JSON Lines for DOI_DIRECTORY_FILE. */
export const workRecords = (): string =>
  ALL()
    .map(([handle]) => `${JSON.stringify({ handle, values: [text(1, 'URL', 'https://example.org/')] })}\n`)
    .join('');
