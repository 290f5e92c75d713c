// 500 works in twelve scripts are written, and other programs read them. `npm run bibliography` does it with bibtex and biber.

import { parse } from '@retorquere/bibtex-parser';
import { expect, test } from 'vitest';
import { writeBibtex } from '../../src/works/bibtex.ts';
import { writeRis } from '../../src/works/ris.ts';
import { readLatex } from '../support/latex-reader.ts';
import { testTable } from '../support/test-table.ts';
import { type NameParts, SCRIPTS, type WorkInScript, worksInScripts } from '../support/works-in-scripts.ts';

const WORKS = worksInScripts(500);

const { entries, errors } = parse(WORKS.map(({ csl, name }) => writeBibtex(csl, name)).join(''));
const ENTRIES = WORKS.map((work, index) => [work, entries[index] as (typeof entries)[number]] as const);

/** NFKC makes plain digits of subscripts and superscripts. */
const plain = (text: string): string =>
  text.replace(/<\/?(?:i|b|sub|sup|span)(?: class="nocase")?>/g, '').normalize('NFKC');

const joined = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(' ');
const wholeName = ({ given, family, suffix }: NameParts): string => joined(given, family, suffix);

test('the entries of 500 works form one file, and each entry has its own key', () => {
  expect(Object.keys(SCRIPTS)).toHaveLength(12);
  expect(errors).toEqual([]);
  expect(new Set(entries.map(({ key }) => key.toLowerCase())).size).toBe(WORKS.length);
});

testTable(ENTRIES)('the BibTeX of a work is read back', ({ read }, { fields }) => {
  const first = (...names: readonly string[]): string =>
    names.map((field) => [fields[field] ?? ''].flat().join()).find((text) => text !== '') ?? '';
  expect({
    title: plain(first('title')),
    authors: fields.author?.map((one) =>
      joined(one.firstName, one.prefix, one.lastName ?? one.name, one.suffix),
    ),
    container: first('journal', 'booktitle', 'series', 'howpublished'),
    publisher: first('publisher', 'school', 'institution'),
    year: first('year'),
    month: first('month'),
    day: first('day'),
    pages: first('pages').replace('–', '-'),
    doi: first('doi'),
  }).toEqual({
    ...read,
    title: plain(read.title),
    authors: read.authors.map(wholeName),
  });
});

testTable(WORKS)('the RIS of a work is read back', ({ csl, read, name }: WorkInScript) => {
  const lines = writeRis(csl, name).trimEnd().split('\n');
  const of = (tag: string): string[] =>
    lines.filter((line) => line.startsWith(`${tag}  - `)).map((line) => line.slice(6));
  const [year, month, day] = of('DA')[0]?.split('/') ?? [];
  expect({
    title: of('TI').join(),
    authors: of('AU'),
    container: of('T2').join(),
    publisher: of('PB').join(),
    year: year ?? '',
    month: String(Number(month ?? '') || ''),
    day: String(Number(day ?? '') || ''),
    pages: [...of('SP'), ...of('EP')].join('-'),
    doi: of('DO').join(),
  }).toEqual({
    ...read,
    authors: read.authors.map(({ family, given, suffix }) =>
      [family, given, suffix].filter(Boolean).join(', '),
    ),
    doi: name,
  });
});

testTable([
  ['{\\&} \\textbackslash{}x \\textit{{A}b} -{}- --', '& \\x Ab -- –'],
  ['a~b', 'a b'],
])('the LaTeX reader of this test reads LaTeX', (latex, text) => {
  expect(readLatex(latex)).toBe(text);
});

testTable(['a & b', 'x_1', '\\alpha', '$x$', '50%', '\\{'])(
  'the LaTeX reader of this test rejects other text',
  (latex) => {
    expect(() => readLatex(latex)).toThrow('LaTeX would not print');
  },
);
