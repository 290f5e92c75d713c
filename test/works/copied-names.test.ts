// A DOI that was copied to the reference of another work does not fit there, in any layout of the list.

import { findDois, referenceAround } from 'doi-names/parts';
import { expect } from 'vitest';
import { fitOfReference, type ReferenceFit } from '../../src/works/reference-fit.ts';
import { testTable } from '../support/test-table.ts';

const NAME = '10.1000/182';
const WORK = { title: 'Housing prices in small island states', authors: ['Okafor'], year: 2019 };

interface Citation {
  readonly people: string;
  readonly year: number;
  readonly title: string;
}
const OWN: Citation = { people: 'Okafor, N.', year: 2019, title: WORK.title };
const OTHERS: readonly Citation[] = [
  { people: 'Ito, Y.', year: 1987, title: 'Coral bleaching and the early Universe' },
  { people: 'Blanc, R.', year: 1972, title: 'A grammar of forgotten rivers and roads' },
];

const words = ({ people, year, title }: Citation): string => `${people} (${year}). ${title}. Lancet, 1.`;
const named = (work: Citation): string => `${words(work)} doi:${NAME}`;
const lines = (line: (work: Citation, number: number) => string, between = '\n') => {
  return (works: readonly Citation[]): string => works.map((work, at) => line(work, at + 1)).join(between);
};

/** Layouts in which every reference can be judged. */
const CLEAR: Readonly<Record<string, (works: readonly Citation[]) => string>> = {
  'plain lines': lines(named),
  'lines of Windows': lines(named, '\r\n'),
  'lines of old computers': lines(named, '\r'),
  'lines behind a heading': (works) => `References\n${lines(named)(works)}\n`,
  'lines with a full stop': lines((work) => `${named(work)}.`),
  'lines with an address': lines((work) => `${words(work)} https://doi.org/${NAME}`),
  'lines with an encoded address': lines(
    (work) => `${words(work)} https://doi.org/${NAME.replace('/', '%2F')}`,
  ),
  'lines with the name as text and as link': lines(
    (work) => `${words(work)} [${NAME}](https://doi.org/${NAME})`,
  ),
  'lines with a remark': lines((work) => `${named(work)} (open access)`),
  paragraphs: lines(named, '\n\n'),
  'numbers with a full stop': lines((work, number) => `${number}. ${named(work)}`),
  'numbers in square brackets': lines((work, number) => `[${number}] ${named(work)}`),
  'numbers and tabs': lines((work, number) => `${number}\t${named(work)}`),
  bullets: lines((work) => `- ${named(work)}`),
  'a hanging indent': lines((work) => `${words(work)}\n    https://doi.org/${NAME}`),
  'a name in the next line': lines((work) => `${words(work)}\ndoi:${NAME}`),
  'wrapped lines': lines((work) => named(work).replaceAll('. ', '.\n    ')),
  'line breaks of HTML': lines(named, '<br>'),
  'line breaks of XHTML in a paragraph': (works) => `<div>${lines(named, '<br />\n')(works)}</div>`,
  'items of HTML': lines((work) => `<li>${named(work)}</li>`, ''),
  'links of HTML': lines(
    (work) => `${words(work)} <a href="https://doi.org/${NAME}">https://doi.org/${NAME}</a>`,
  ),
  'line breaks of TeX': lines((work) => `${named(work)} \\\\`),
  'a list of TeX': lines((work, number) => `\\bibitem{k${number}} ${named(work)}`),
  'a table with the name first': lines(({ people, year, title }) => `${NAME},"${people}","${title}",${year}`),
  'a table with the name last': lines(({ people, year, title }) => `"${people}","${title}",${year},${NAME}`),
  'a table with the name inside': lines(
    ({ people, year, title }) => `"${people}",${year},"${title}",${NAME},Lancet and others,12`,
  ),
  'a table with semicolons': lines(
    ({ people, year, title }) => `"${people}";${year};"${title}";"${NAME}";"Lancet and others"`,
  ),
  'a table with tabs': lines(
    ({ people, year, title }) => `${people}\t${year}\t${title}\t${NAME}\tLancet and others`,
  ),
  'a table of Markdown': lines(({ people, year, title }) => `| ${people} | ${title} | ${year} | ${NAME} |`),
  'rows of HTML': lines(
    ({ people, year, title }) => `<tr><td>${people}<td>${title}<td>${year}<td>${NAME}</tr>`,
    '',
  ),
  BibTeX: lines(
    ({ people, year, title }, number) =>
      `@book{k${number},\n author = {${people}},\n title = {${title}},\n year = ${year},\n doi = {${NAME}}\n}`,
  ),
  'BibTeX in one line': lines(
    ({ people, year, title }, number) =>
      `@book{k${number}, title={${title}}, year={${year}}, doi={${NAME}}, author={${people}}}`,
  ),
  RIS: lines(
    ({ people, year, title }) =>
      `TY  - BOOK\nAU  - ${people}\nTI  - ${title}\nPY  - ${year}\nDO  - ${NAME}\nER  - `,
  ),
  MEDLINE: lines(
    ({ people, year, title }) =>
      `PMID- 12\nTI  - ${title}\nLID - ${NAME} [doi]\nFAU - ${people}\nDP  - ${year}\nAID - ${NAME} [doi]\n`,
  ),
  'Web of Science': lines(
    ({ people, year, title }) => `PT J\nAU ${people}\nTI ${title}\nDI ${NAME}\nPY ${year}\nER\n`,
  ),
};

/** Layouts in which the words around a name are not enough. */
const UNCLEAR: Readonly<Record<string, (works: readonly Citation[]) => string>> = {
  'one line': lines(named, ' '),
  'one line with semicolons': lines(named, '; '),
  'one line with the names first': lines((work) => `doi:${NAME} ${words(work)}`, ' '),
  'lines with the name first': lines((work) => `doi:${NAME} ${words(work)}`),
  'names in their own lines, first': lines((work) => `${NAME}\n${words(work)}`),
  'names in their own paragraphs': lines((work) => `${words(work)}\n\n${NAME}`, '\n\n'),
  'short references': lines((work) => `${work === OWN ? words(work) : 'Li, 2001.'} doi:${NAME}`),
  'one item': (works) => `<li>${lines(named)(works)}</li>`,
  'JSON, the title first': lines(
    ({ title, year }) => `{"title":"${title}","year":"${year}","DOI":"${NAME}"}`,
    ',',
  ),
  'JSON, the name first': lines(
    ({ title, year }) => `{"DOI":"${NAME}","title":"${title}","year":"${year}"}`,
    ',',
  ),
  'JSON in lines': lines(
    ({ title, year }) =>
      `{\n"DOI": "${NAME}",\n"URL": "https://doi.org/${NAME}",\n"year": "${year}",\n"title": "${title}"\n}`,
    ',\n',
  ),
  'strings of JSON': (works) => JSON.stringify({ references: lines(named)(works) }),
  'strings of a list of JSON': (works) =>
    JSON.stringify(works.map((work) => ({ unstructured: named(work) }))),
  'BibTeX and lines': lines((work, number) =>
    number === 1 ? `@book{k, title={${work.title}}, year={${work.year}}, doi={${NAME}}}` : named(work),
  ),
};

const ORDERS: readonly (readonly Citation[])[] = [
  [OWN, OTHERS[0] as Citation],
  [OTHERS[0] as Citation, OWN],
  [OWN, ...OTHERS],
  [...OTHERS, OWN],
];

/** Returns, for each order and each name, the fit, and whether the reference is the reference of the work. */
function judged(layout: (works: readonly Citation[]) => string): { isOwn: boolean; fit: ReferenceFit }[] {
  return ORDERS.flatMap((works) => {
    const text = layout(works);
    const matches = findDois(text);
    const matchesPerWork = matches.length / works.length;
    return matches.map((match, at) => ({
      isOwn: works[Math.floor(at / matchesPerWork)] === OWN,
      fit: fitOfReference(referenceAround(text, match), WORK),
    }));
  });
}

testTable(Object.entries(CLEAR))('a copied DOI does not fit, and the DOI of the work fits', (_, layout) => {
  const names = judged(layout);
  expect(names.length).toBeGreaterThanOrEqual(10);
  expect(names.map(({ fit }) => fit)).toEqual(names.map(({ isOwn }) => (isOwn ? 'FITS' : 'DOES_NOT_FIT')));
});

testTable(Object.entries(UNCLEAR))(
  'in an unclear layout, a copied DOI never fits and the right DOI is never wrong',
  (_, layout) => {
    const names = judged(layout);
    expect(names.length).toBeGreaterThanOrEqual(10);
    expect(names.filter(({ isOwn, fit }) => (isOwn ? fit === 'DOES_NOT_FIT' : fit === 'FITS'))).toEqual([]);
  },
);
