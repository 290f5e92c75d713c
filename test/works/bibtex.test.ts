import { toHandleName } from 'doi-names/parts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeBibtex } from '../../src/works/bibtex.ts';
import type { CslItem } from '../../src/works/work.ts';
import { testTable } from '../support/test-table.ts';

function entry(csl: CslItem, name = '10.5555/a'): string {
  return writeBibtex(csl, toHandleName(name) as NonNullable<ReturnType<typeof toHandleName>>);
}

/** The value of a field. */
function fieldOf(csl: CslItem, field: string, name?: string): string | undefined {
  return new RegExp(`^  ${field} = (.*),$`, 'm').exec(entry(csl, name))?.[1];
}

describe('an entry of BibTeX', () => {
  it('has the fields of an article', () => {
    expect(
      entry(
        {
          type: 'article-journal',
          title: 'Toward a unified theory of DNA',
          author: [
            { given: 'Josiah', family: 'Carberry' },
            { literal: 'The Consortium' },
            { given: 'Ludwig', family: 'Beethoven', 'non-dropping-particle': 'van' },
          ],
          issued: { 'date-parts': [[2008, 8, 13]] },
          'container-title': 'Journal of Psychoceramics',
          publisher: 'Taylor and Francis',
          volume: '5',
          issue: 11,
          page: '1-3',
          ISSN: ['0264-3561'],
        },
        '10.5555/12345678',
      ),
    ).toBe(`@article{carberry2008toward-8b8b0167,
  title = {Toward a unified theory of {DNA}},
  author = {Carberry, Josiah and {The Consortium} and van Beethoven, Ludwig},
  journal = {Journal of Psychoceramics},
  publisher = {{Taylor and Francis}},
  year = {2008},
  month = aug,
  day = {13},
  pages = {1--3},
  volume = {5},
  number = {11},
  issn = {0264-3561},
  doi = {10.5555/12345678},
  url = {https://doi.org/10.5555/12345678},
}
`);
  });

  it('has translators, and the identifier of arXiv', () => {
    const csl = { type: 'book', title: 'A', translator: [{ given: 'Constance', family: 'Garnett' }] };
    expect(fieldOf(csl, 'translator')).toBe('{Garnett, Constance}');
    expect(fieldOf(csl, 'eprint')).toBeUndefined();
    for (const id of ['2101.00001', '1412.0001v2', 'hep-th/9901001', 'math.GT/0309136']) {
      expect(fieldOf(csl, 'eprint', `10.48550/arXiv.${id}`)).toBe(`{${id}}`);
      expect(fieldOf(csl, 'archiveprefix', `10.48550/arXiv.${id}`)).toBe('{arXiv}');
    }
  });

  testTable<[CslItem, string, string, string?]>([
    [{ type: 'chapter', 'container-title': 'Book' }, '@incollection', 'booktitle'],
    [{ type: 'proceedings-article', 'container-title': 'Book' }, '@inproceedings', 'booktitle'],
    [{ type: 'thesis', publisher: 'Book' }, '@phdthesis', 'school'],
    [{ type: 'thesis', genre: "Master's thesis", publisher: 'Book' }, '@mastersthesis', 'school'],
    [{ type: 'report', publisher: 'Book' }, '@techreport', 'institution'],
    [{ type: 'posted-content', 'container-title': 'Book' }, '@misc', 'howpublished'],
    [{ type: 'no such type', 'container-title': 'Book' }, '@misc', 'howpublished'],
    [{ type: 'book', 'collection-title': 'Book' }, '@book', 'series'],
    [{ type: 'chapter', 'container-title': 'A', 'collection-title': 'Book' }, '@incollection', 'series'],
    [{ type: 'peer-review', publisher: 'Book' }, '@misc', 'publisher'],
    [{ type: 'thesis', genre: 'Masterarbeit', publisher: 'Book' }, '@mastersthesis', 'school'],
  ])('has the type and field of its CSL type', (csl, type, field) => {
    expect(entry(csl).startsWith(`${type}{`)).toBe(true);
    expect(fieldOf(csl, field)).toBe('{Book}');
  });

  testTable([
    ['A history of London', 'A history of {London}'],
    ['DNA, mRNA and the iPhone', '{DNA}, {mRNA} and the {iPhone}'],
    ['“Über” den Wolken', '“{Über}” den {Wolken}'],
    ['Élan vital', 'Élan vital'],
    ['<i>Escherichia coli</i> in H<sub>2</sub>O', '\\textit{{Escherichia} coli} in {H}\\textsubscript{2}{O}'],
    ['AT&amp;T', '{AT}\\&{T}'],
    ['a < b <i> c</i>', 'a \\textless{} b \\textit{c}'],
    ['$x_1^2$ of 5% #3', '\\$x\\_1\\textasciicircum{}2\\$ of 5\\% \\#3'],
    [
      '{a}} \\b ~',
      '\\textbraceleft{}a\\textbraceright{}\\textbraceright{} \\textbackslash{}b \\textasciitilde{}',
    ],
    ["1--2 ''a'' ?`", "1-{}-2 '{}'a'{}' ?{}`"],
    ['two\n lines\u0000', 'two lines'],
    ['量子力学における時間', '量子力学における時間'],
  ])('protects capitals and escapes special characters in a title', (title, latex) => {
    expect(fieldOf({ title }, 'title')).toBe(`{${latex}}`);
  });

  it('joins title and subtitle, and lists all numbers', () => {
    const csl = { title: 'DNA', subtitle: 'a Study', ISSN: ['0264-3561', '1472-9032'], ISBN: '1, 2' };
    expect(fieldOf(csl, 'title')).toBe('{{DNA}: a {Study}}');
    expect(fieldOf(csl, 'issn')).toBe('{0264-3561, 1472-9032}');
    expect(fieldOf(csl, 'isbn')).toBe('{1, 2}');
  });

  testTable<[unknown, string | undefined]>([
    [[{ family: 'García Márquez', given: 'Gabriel' }], '{García Márquez, Gabriel}'],
    [[{ family: 'Álvarez García', given: 'José' }], '{{Álvarez García}, José}'],
    [[{ family: 'Ortega y Gasset', given: 'José' }], '{{Ortega y Gasset}, José}'],
    [[{ family: 'al-Rashid', given: 'A.' }], '{{al-Rashid}, A.}'],
    [[{ family: 'Gaulle', given: 'Charles', 'dropping-particle': 'de' }], '{de Gaulle, Charles}'],
    [[{ family: 'King', given: 'Martin Luther', suffix: 'Jr.' }], '{King, Jr., Martin Luther}'],
    [[{ family: '王', given: '小明' }], '{王, 小明}'],
    [[{ family: 'hooks', given: 'bell' }], '{{hooks}, bell}'],
    [[{ family: 'and So', given: '-' }], '{{and So}, {-}}'],
    [[{ given: 'Josiah Carberry' }], '{{Josiah Carberry}}'],
    [[{ family: 'Plato' }], '{{Plato}}'],
    [[{ literal: 'Ben & Jerry, Inc.' }, { literal: 'Others' }], '{{Ben \\& Jerry, Inc.} and {O{}thers}}'],
    [[{ family: 'A, B', given: 'C' }], '{{C A, B}}'],
    [[{ family: 'Lee', given: 'Ann and Bo' }], '{Lee, {Ann and Bo}}'],
    [[{ literal: 'given=x' }], '{{given{=}x}}'],
    [[{}, null, 5, ''], undefined],
  ])('writes names so that no program divides them differently', (author, names) => {
    expect(fieldOf({ author }, 'author')).toBe(names);
  });

  testTable([
    ['10.5555/a_b%c#d&e{f}', '10.5555/a_b%c#d&e{f}'],
    ['10.5555/{a', '10.5555/%7Ba'],
    ['10.5555/}a{', '10.5555/%7Da%7B'],
    ['10.5555/a\\', '10.5555/a%5C'],
    ['10.5555/a  b', '10.5555/a%20%20b'],
    ['10.5555/é', '10.5555/é'],
    ['10.5555/a$b$', '10.5555/a$b$'],
    ['10.5555/a$b', '10.5555/a%24b'],
  ])('has the DOI unchanged, or encoded if BibTeX cannot read the DOI', (name, written) => {
    expect(fieldOf({}, 'doi', name)).toBe(`{${written}}`);
  });

  testTable<[unknown, string, string | undefined]>([
    [{ 'date-parts': [[2020]] }, 'year', '{2020}'],
    [{ 'date-parts': [[2020]] }, 'month', undefined],
    [{ 'date-parts': [[2020, 12]] }, 'month', 'dec'],
    [{ 'date-parts': [[2020, 12]] }, 'day', undefined],
    [{ 'date-parts': [[null]] }, 'year', undefined],
    [{ 'date-parts': [[-44]] }, 'year', '{-44}'],
  ])('has the known parts of a date', (issued, field, written) => {
    expect(fieldOf({ issued }, field)).toBe(written);
  });

  it('has the first 20,000 names and "others"', () => {
    const author = Array.from({ length: 20_001 }, () => ({ family: 'A', given: 'B' }));
    expect(fieldOf({ author }, 'author')).toMatch(/^\{(?:A, B and ){20000}others\}$/);
    const odd = Array.from({ length: 100 }, () => ({ literal: '\\'.repeat(9_000) }));
    expect(fieldOf({ author: odd }, 'author')?.length).toBeLessThan(1_100_000);
  });

  it('is one entry with balanced braces for any metadata', () => {
    const anyValue = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.string({ unit: fc.constantFrom(...'{}\\%@",=# \n<i>/&;$~Aé'), maxLength: 20 }),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    const fields = ['title', 'author', 'editor', 'issued', 'publisher', 'type', 'page', 'abstract', 'genre'];
    const parts = { family: anyValue, given: anyValue, literal: anyValue, suffix: anyValue };
    const people = fc.array(fc.record(parts, { requiredKeys: [] }), { maxLength: 3 });
    const item = fc.dictionary(fc.constantFrom(...fields), fc.oneof(anyValue, people));
    fc.assert(
      fc.property(item, (csl) => {
        const text = entry(csl as CslItem);
        expect(text).toMatch(/^@[a-z]+\{[a-z0-9-]+,\n(?: {2}[a-z]+ = (?:[a-z]{3}|\{.*\}),\n)+\}\n$/);
        expect(text.isWellFormed()).toBe(true);
        expect(depths(text)).toEqual({ least: 0, last: 0 });
      }),
    );
  });
});

/** BibTeX counts each brace, also behind a backslash. */
function depths(text: string): { least: number; last: number } {
  let [least, last] = [0, 0];
  for (const brace of text.match(/[{}]/g) ?? []) {
    last += brace === '{' ? 1 : -1;
    least = Math.min(least, last);
  }
  return { least, last };
}

describe('the key of an entry', () => {
  const keyOf = (csl: CslItem, name?: string): string | undefined =>
    /\{(.*)-[0-9a-f]{8},/.exec(entry(csl, name))?.[1];

  testTable<[CslItem, string]>([
    [
      { author: [{ family: 'Müller-Lüdenscheidt', given: 'A' }], issued: 2020, title: 'The <i>Ärger</i>' },
      'mullerludenscheidt2020arger',
    ],
    [{ author: [{ literal: 'World Health Organization of Everything' }] }, 'worldhealthorganizat'],
    [{ author: [{ family: '王' }], issued: '2020', title: '量子 effects' }, '2020effects'],
    [{ author: [{ family: '王' }], issued: '2020', title: '量子' }, 'doi2020105555a'],
    [{}, 'doi105555a'],
  ])('has an author, the year and a word of the title', (csl, key) => {
    expect(keyOf(csl)).toBe(key);
  });

  it('is different for each DOI, and the same for each case of a DOI', () => {
    const csl = { author: [{ literal: 'GBIF.Org User' }], issued: 2020, title: 'Occurrence Download' };
    const keys = Array.from({ length: 2_000 }, (_, i) => /\{(.*),/.exec(entry(csl, `10.15468/dl.${i}`))?.[1]);
    expect(new Set(keys).size).toBe(2_000);
    expect(entry(csl, '10.5555/ABC')).toBe(entry(csl, '10.5555/abc').replaceAll('5555/abc', '5555/ABC'));
  });
});
