import { toHandleName } from 'doi-names/parts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeRis } from '../../src/works/ris.ts';
import type { CslItem } from '../../src/works/work.ts';
import { testTable } from '../support/test-table.ts';

function record(csl: CslItem, name = '10.5555/a'): string {
  return writeRis(csl, toHandleName(name) as NonNullable<ReturnType<typeof toHandleName>>);
}

describe('a record of RIS', () => {
  it('has the fields of an article', () => {
    expect(
      record(
        {
          type: 'journal-article',
          title: 'On <i>H</i><sub>2</sub>O & {DNA}',
          author: [
            { given: 'Charles', family: 'Gaulle', 'dropping-particle': 'de' },
            { literal: 'The Consortium' },
            { given: 'Martin Luther', family: 'King', suffix: 'Jr.' },
          ],
          editor: [{ given: '小明', family: '王' }],
          translator: [{ given: 'Constance', family: 'Garnett' }],
          issued: { 'date-parts': [[2008, 8]] },
          'container-title': ['Journal'],
          volume: 5,
          issue: '11',
          page: 'S1–S12',
          abstract: '<jats:p>One\nline</jats:p>',
        },
        '10.5555/A_%b',
      ),
    ).toBe(`TY  - JOUR
AU  - de Gaulle, Charles
AU  - The Consortium
AU  - King, Martin Luther, Jr.
ED  - 王, 小明
A4  - Garnett, Constance
TI  - On H2O & {DNA}
T2  - Journal
PY  - 2008
DA  - 2008/08
SP  - S1
EP  - S12
VL  - 5
IS  - 11
DO  - 10.5555/A_%b
UR  - https://doi.org/10.5555/A_%25b
ER  - 
`);
  });

  it('has series, subtitle, and a line for each number', () => {
    const csl = {
      type: 'chapter',
      title: 'A',
      subtitle: 'b',
      'container-title': 'Book',
      'collection-title': 'Series',
    };
    const text = record({ ...csl, ISBN: ['978-3-16-148410-0'], ISSN: '0264-3561, 1472-9032' });
    for (const line of ['TI  - A: b', 'T2  - Book', 'T3  - Series']) expect(text).toContain(`\n${line}\n`);
    expect(text.match(/^SN.*$/gm)).toEqual(['SN  - 978-3-16-148410-0', 'SN  - 0264-3561', 'SN  - 1472-9032']);
  });

  testTable<[string, string[]]>([
    ['e30', ['SP  - e30']],
    ['1-3, 7-9', ['SP  - 1-3, 7-9']],
    ['-', ['SP  - -']],
  ])('has one line for pages that are not a range', (page, lines) => {
    expect(record({ page }).match(/^[SE]P.*$/gm)).toEqual(lines);
  });

  it('has one line for each field, for any metadata', () => {
    const anyValue = fc.oneof(
      fc.anything(),
      fc.string({ unit: fc.constantFrom(...'ER -\n\r\u2028\u0085<p>&;') }),
    );
    const fields = ['title', 'author', 'issued', 'publisher', 'type', 'page', 'abstract', 'ISSN'];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...fields), anyValue), (csl) => {
        const text = record(csl as CslItem);
        expect(text).toMatch(/^TY {2}- [A-Z]+\n(?:[A-Z][A-Z0-9] {2}- \S.*\n)+ER {2}- \n$/);
        expect(text.isWellFormed()).toBe(true);
      }),
    );
  });
});
