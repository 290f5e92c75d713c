// CSL from content negotiation becomes CSL that pandoc, citeproc and Zotero read.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanCsl } from '../../src/works/negotiated-csl.ts';
import type { CslItem } from '../../src/works/work.ts';
import { doiName } from '../support/doi-names.ts';
import { CSL_SCHEMA, cslErrors } from './csl-schema.ts';

const NAME = doiName('10.5555/a');
const clean = (item: CslItem) => cleanCsl(item, NAME);

describe('the cleaning of CSL from content negotiation', () => {
  it('corrects the CSL of Crossref', () => {
    expect(
      clean({
        type: 'book-chapter',
        DOI: '10.5555/A',
        title: 'On <jats:italic>x</jats:italic>',
        subtitle: ['A study'],
        'container-title': ['Lecture Notes in Computer Science', 'Algorithm Engineering'],
        author: [
          { name: 'GTEx Consortium', sequence: 'first' },
          { family: 'Ba', given: 'A.', affiliation: [] },
        ],
        issued: { 'date-parts': [[null]] },
        'published-print': { 'date-parts': [['2019', '02']] },
        ISSN: ['0264-3561', '1472-9032'],
        event: { name: 'ICML 2020', location: 'Oslo' },
        page: 'n/a',
        'reference-count': 3,
        reference: [{ key: '1' }],
        score: 1,
      }),
    ).toEqual({
      id: '10.5555/A',
      type: 'chapter',
      DOI: '10.5555/A',
      title: 'On <i>x</i>: A study',
      'title-short': 'On <i>x</i>',
      subtitle: 'A study',
      'container-title': 'Algorithm Engineering',
      'collection-title': 'Lecture Notes in Computer Science',
      author: [{ literal: 'GTEx Consortium' }, { family: 'Ba', given: 'A.' }],
      issued: { 'date-parts': [[2019, 2]] },
      ISSN: '0264-3561, 1472-9032',
      'event-title': 'ICML 2020',
    });
  });

  it('corrects the CSL of mEDRA and JaLC', () => {
    expect(
      clean({
        type: 'article-journal',
        title: ['大気中の水', 'Water'],
        author: [
          { literal: 'EXAMPLE, Ada' },
          { literal: 'University of California, Berkeley' },
          { family: 'ROSSI, Anna' },
          'BIANCHI, Ugo',
          { familyName: '鈴木', givenName: '花子' },
        ],
        issued: '2014-03',
        'container-title': ['科学'],
        language: ['ja'],
        abstract: ['<jats:p>A &amp; B</jats:p>'],
        volume: 7,
      }),
    ).toEqual({
      id: NAME,
      type: 'article-journal',
      DOI: NAME,
      title: '大気中の水',
      author: [
        { family: 'EXAMPLE', given: 'Ada' },
        { literal: 'University of California, Berkeley' },
        { family: 'ROSSI', given: 'Anna' },
        { family: 'BIANCHI', given: 'Ugo' },
        { family: '鈴木', given: '花子' },
      ],
      issued: { 'date-parts': [[2014, 3]] },
      'container-title': '科学',
      language: 'ja',
      abstract: 'A & B',
      volume: '7',
    });
  });

  it('keeps every other variable of CSL', () => {
    const item = {
      ...{ id: NAME, type: 'speech', DOI: NAME, title: 'A', 'event-place': 'Oslo' },
      ...{ 'original-title': 'B<sub>2</sub>', 'collection-number': '5', 'number-of-pages': '12', note: 'C' },
      translator: [{ family: 'Ba', given: 'A.', 'dropping-particle': 'von' }],
      ...{ recipient: [{ literal: 'D' }], version: '2', accessed: { 'date-parts': [[2020, 1, 2]] } },
    };
    expect(clean(item)).toEqual(item);
    expect(clean({ shortTitle: 'A', journalAbbreviation: 'J.' })).toMatchObject({
      ...{ 'title-short': 'A', 'container-title-short': 'J.' },
    });
  });

  it('makes valid, frozen CSL of any JSON, and does not change clean CSL', () => {
    const variables = Object.keys(CSL_SCHEMA.items.properties);
    const namesOfParts = ['family', 'given', 'literal', 'name', 'date-parts', 'subtitle'];
    const names = fc.constantFrom(...variables, ...namesOfParts);
    const { nested } = fc.letrec((tie) => ({
      nested: fc.oneof(fc.jsonValue(), fc.array(tie('nested')), fc.dictionary(names, tie('nested'))),
    }));
    fc.assert(
      fc.property(fc.dictionary(names, nested), (item) => {
        const cleaned = clean(item);
        expect(cslErrors(cleaned)).toEqual([]);
        expect(Object.isFrozen(cleaned)).toBe(true);
        expect(clean(cleaned)).toEqual(cleaned);
      }),
    );
  });
});
