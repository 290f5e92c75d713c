// CSL JSON with every shape of every field.

import { expect } from 'vitest';
import { type CslItem, readWork } from '../../src/works/work.ts';
import { testTable } from '../support/test-table.ts';
import { AUTHORS, DATES, type Shape, TEXTS, TITLES, TYPES } from './csl-shapes.ts';

interface Item {
  readonly csl: CslItem;
  readonly read: Readonly<Record<string, unknown>>;
}

/** Each field takes its shapes in turn, with a different step, so that each shape meets many others. */
const ITEMS: readonly Item[] = Array.from({ length: 400 }, (_, index) => {
  const at = (shapes: readonly Shape[], step: number): Shape =>
    shapes[(index * step) % shapes.length] as Shape;
  const [title, author, issued, type] = [at(TITLES, 1), at(AUTHORS, 3), at(DATES, 5), at(TYPES, 1)];
  const [container, publisher, volume, issue, page, language] = [1, 5, 7, 11, 13, 17].map((step) =>
    at(TEXTS, step),
  );
  return {
    csl: {
      ...{ title: title[0], author: author[0], issued: issued[0], type: type[0] },
      ...{ 'container-title': container?.[0], publisher: publisher?.[0], volume: volume?.[0] },
      ...{ issue: issue?.[0], page: page?.[0], language: language?.[0] },
      // Members that some services add.
      ...{
        'reference-count': 3,
        subject: [],
        score: 1.0,
        id: 'https://doi.org/10.1000/1',
        ISSN: ['1234-5679'],
      },
      ...{
        event: { name: 'A conference' },
        'journal-issue': { issue: '9' },
        categories: null,
        copyright: 'CC',
      },
    },
    read: {
      ...{ title: title[1], creators: author[1], issued: issued[1], type: type[1] },
      ...{ containerTitle: container?.[1], publisher: publisher?.[1], volume: volume?.[1] },
      ...{ issue: issue?.[1], page: page?.[1], language: language?.[1] },
    },
  };
});

testTable(ITEMS)('an item with fields of any shape is read', ({ csl, read }) => {
  const { titleHtml, issued, subtitle, creators: people, ...work } = readWork(csl);
  expect(subtitle).toBeNull();
  const creators = people.map(({ isOrganization: _, ror: __, affiliations: ___, ...names }) => names);
  expect({ ...work, creators, issued: issued?.text ?? null }).toEqual(read);
  expect(titleHtml === null).toBe(read['title'] === null);
});

testTable([
  [TITLES, 'title'],
  [AUTHORS, 'author'],
  [DATES, 'issued'],
  [TEXTS, 'publisher'],
  [TYPES, 'type'],
] as const)('the items have every shape', (shapes, field) => {
  expect(new Set(ITEMS.map(({ csl }) => csl[field]))).toEqual(new Set(shapes.map(([csl]) => csl)));
});

testTable([
  [{ title: [], 'original-title': ['Wasser'] }, 'Wasser'],
  [{ title: '', 'title-short': 'Water' }, 'Water'],
  [{ title: null, shortTitle: 'Water' }, 'Water'],
  [{ title: 'Water', 'original-title': ['Wasser'] }, 'Water'],
])('a title in another member is read', (csl, title) => {
  expect(readWork(csl).title).toBe(title);
});

testTable([
  [{ issued: { 'date-parts': [[null]] }, 'published-print': { 'date-parts': [[2018]] } }, '2018'],
  [{ issued: null, posted: { 'date-parts': [[2021, 2, 3]] } }, '2021-02-03'],
  [{ created: { 'date-parts': [[2023, 8, 23]] } }, null],
])('a date in another member is read', (csl, issued) => {
  expect(readWork(csl).issued?.text ?? null).toBe(issued);
});
