// `doi cite --complete` lists the fields of an entry that differ from the metadata. Another spelling is no difference.

import { describe, expect, test } from 'vitest';
import { CSL, complete } from './complete-entry.ts';

/** A name, and its spellings in BibTeX files. */
const TEX_NAMES: readonly (readonly [name: string, ...spellings: string[]])[] = [
  [
    'Ångström',
    '{\\AA}ngstr{\\"o}m',
    '\\AA ngstr\\"om',
    '\\AA{}ngstr\\"{o}m',
    '\\r{A}ngstr\\"{o}m',
    '{\\r A}ngstr{\\"{o}}m',
  ],
  [
    'Dvořák',
    "Dvo{\\v r}{\\'a}k",
    "Dvo\\v{r}\\'{a}k",
    "Dvo\\v r\\'ak",
    "Dvo{\\v{r}}{\\'{a}}k",
    "Dvo\\v r{\\' a}k",
  ],
  ['Erdős', 'Erd{\\H o}s', 'Erd\\H{o}s', 'Erd\\H os', 'Erd{\\H{o}}s'],
  ['Đorđević', "{\\DJ}or{\\dj}evi{\\'c}", "\\DJ or\\dj evi\\'c", "\\DJ{}or\\dj{}evi\\'{c}"],
  ['Ņikitin', '{\\c N}ikitin', '\\c{N}ikitin', '\\c Nikitin'],
  [
    'García',
    "Garc{\\'\\i}a",
    "Garc\\'{\\i}a",
    "Garc\\'\\i a",
    "Garc\\'ia",
    "Garc{\\'{\\i}}a",
    "Garc\\'\\i{}a",
  ],
  ['Weiß', 'Wei{\\ss}', 'Wei\\ss', 'Wei\\ss{}'],
  ['Sørensen', 'S{\\o}rensen', 'S\\o rensen', 'S\\o{}rensen'],
  ['Łukasiewicz', '{\\L}ukasiewicz', '\\L ukasiewicz', '\\L{}ukasiewicz'],
  ['Zając', 'Zaj{\\k a}c', 'Zaj\\k{a}c', 'Zaj\\k ac'],
  ['Żółw', "{\\.Z}{\\'o}{\\l}w", "\\.Z\\'o\\l w", "\\.{Z}\\'{o}\\l{}w"],
  ['Tuğrul', 'Tu{\\u g}rul', 'Tu\\u{g}rul', 'Tu\\u grul'],
  ['Þórsson', "{\\TH}{\\'o}rsson", "\\TH\\'orsson", "\\TH{}\\'{o}rsson"],
  ['Œuvre', '{\\OE}uvre', '\\OE uvre'],
  ['Nguyễn', 'Nguy{\\~{\\^e}}n', 'Nguy\\~{\\^{e}}n'],
  ['Ḥasan', '{\\d H}asan', '\\d{H}asan', '\\d Hasan'],
  ['Ŋuna', '{\\NG}una', '\\NG una'],
  ['Ko\u0304no', 'K{\\=o}no', 'K\\=ono', 'K\\=o\\-no'],
];

const CHAPTER = {
  type: 'chapter',
  title: 'CRISP-R: Consensus Selection',
  subtitle: 'Consensus Selection',
  'container-title': 'Algorithm Engineering',
  'collection-title': 'Lecture Notes in Computer Science',
  page: 'e12',
};

describe('the listed differences', () => {
  test.each([
    ['title = {TOWARD A {U}nified Theory of $H_2O$}'],
    ["author = {Carberry, J. and Gabriel Garc{\\'i}a M\\'arquez}"],
    ['author = {Josiah Carberry and others}'],
    ['month = {8}'],
    ['month = {August}'],
    ['month = "13~" # aug'],
    ['date = {2008-08}'],
    ['journaltitle = {J. of Psychocs. Lett.}'],
    ['pages = "10--20"'],
    ['publisher = {Brown \\& Co}'],
    ['issn = {1472-9032}'],
    ['url = {https://example.org/}'],
    ['year = someyear'],
  ])('do not contain %s', async (field) => {
    expect((await complete(`@article{a, doi = {10.5555/a}, ${field}}`)).notes).toHaveLength(1);
  });

  test('do not contain any spelling of TeX accents and letters', async () => {
    const people = TEX_NAMES.map(([family]) => ({ family, given: 'A' }));
    const differences: string[] = [];
    for (const [at, [, ...spellings]] of TEX_NAMES.entries()) {
      for (const spelling of spellings) {
        const csl = { ...CSL, title: `On the name of ${people[at]?.family}`, author: [people[at]] };
        const fields = `author = {${spelling}, A.}, title = {On the name of ${spelling}}`;
        const { notes } = await complete(`@article{a, doi = {10.5555/a}, ${fields}}`, csl);
        if (notes.length > 1) differences.push(spelling, ...notes);
      }
    }
    expect(differences).toEqual([]);
  });

  test.each([
    ['title = {Towards a theory}'],
    ['author = {Carberry, J.}'],
    ['author = {Thornton, J. and others}'],
    ['month = jul'],
    ['date = {2009-08}'],
    ['year = {2007}'],
    ['journal = {Nature}'],
    ['pages = {10}'],
    ['journal = {J. Psych.}'],
  ])('contain %s', async (field) => {
    const { notes, exitCode } = await complete(`@article{a, doi = {10.5555/a}, ${field}}`);
    expect(notes[0]).toContain(`refs.bib:1: a: ${field.split(' =')[0]} is `);
    expect(exitCode).toBe(0);
  });
});

describe('an entry of a chapter with a subtitle', () => {
  const chapter = (fields: string) => complete(`@incollection{a, doi = {10.5555/a}, ${fields}}`, CHAPTER);

  test.each([
    ['title = {{CRISP-R}: Consensus selection}'],
    ['title = {CRISP-R}, subtitle = {Consensus Selection}'],
    ['title = {CRISP-R}'],
    ['booktitle = {Algorithm Engineering}, series = {LNCS}'],
    ['booktitle = {Algorithm Engineering -- ALENEX 2010}'],
    ['booktitle = {Algorithm}, booksubtitle = {Engineering}'],
    ['booktitle = {ALENEX}, maintitle = {Algorithm Engineering}'],
    ['eid = {e12}'],
  ])('does not differ with %s', async (fields) => {
    expect((await chapter(fields)).notes).toHaveLength(1);
  });

  test.each([
    ['title = {CRISP-R}, subtitle = {Other Selection}'],
    ['title = {CRISP-R and Others}'],
    ['booktitle = {Automata}'],
    ['eid = {e13}'],
  ])('differs with %s', async (fields) => {
    expect((await chapter(fields)).notes).toHaveLength(2);
  });

  test('gets no pages if it has the field eid', async () => {
    const { text } = await chapter('eid = {e12}');
    expect(text).toContain('series = {Lecture {Notes} in {Computer} {Science}}');
    expect(text).not.toContain('pages');
    expect((await chapter('title = {CRISP-R}')).text).toContain('pages = {e12}');
  });

  test('does not differ if the agency confuses the book with the series', async () => {
    const confused = {
      ...CHAPTER,
      'container-title': CHAPTER['collection-title'],
      'collection-title': undefined,
    };
    const entry =
      '@incollection{a, doi = {10.5555/a}, booktitle = {Euro-Par}, series = {Lecture Notes in Computer Science}}';
    expect((await complete(entry, confused)).notes).toHaveLength(1);
  });
});
