// Every shape of every field, combined: no shape makes a wrong type or removes the title.

import { describe, expect, test } from 'vitest';
import { type CslItem, readWork } from '../../src/works/work.ts';
import { testTable } from '../support/test-table.ts';
import { AUTHORS, DATES, type Shape, TEXTS, TITLES, TYPES } from './csl-shapes.ts';

interface Item {
  readonly csl: CslItem;
  readonly read: Readonly<Record<string, unknown>>;
}

/** The shapes of each field in turn, so that each stands beside many others; none of an odd number is left out. */
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
      // What is beside it in one service or another.
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

describe('CSL JSON as services write it', () => {
  testTable(ITEMS)('is read', ({ csl, read }) => {
    const { titleHtml, issued, subtitle, creators: people, ...work } = readWork(csl);
    expect(subtitle).toBeNull();
    const creators = people.map(({ isOrganization: _, ror: __, affiliations: ___, ...names }) => names);
    expect({ ...work, creators, issued: issued?.text ?? null }).toEqual(read);
    expect(titleHtml === null).toBe(read['title'] === null);
  });

  testTable([
    ['TITLES', TITLES, 'title'],
    ['AUTHORS', AUTHORS, 'author'],
    ['DATES', DATES, 'issued'],
    ['TEXTS', TEXTS, 'publisher'],
    ['TYPES', TYPES, 'type'],
  ] as const)('has each of %s', (_, shapes, field) => {
    expect(new Set(ITEMS.map(({ csl }) => csl[field]))).toEqual(new Set(shapes.map(([csl]) => csl)));
  });
});

testTable([
  [{ title: [], 'original-title': ['Wasser'] }, 'Wasser'],
  [{ title: '', 'title-short': 'Water' }, 'Water'],
  [{ title: null, shortTitle: 'Water' }, 'Water'],
  [{ title: 'Water', 'original-title': ['Wasser'] }, 'Water'],
])('a title that stands elsewhere is read: %j', (csl, title) => {
  expect(readWork(csl).title).toBe(title);
});

testTable([
  [{ issued: { 'date-parts': [[null]] }, 'published-print': { 'date-parts': [[2018]] } }, '2018'],
  [{ issued: null, posted: { 'date-parts': [[2021, 2, 3]] } }, '2021-02-03'],
  [{ created: { 'date-parts': [[2023, 8, 23]] } }, null],
])('a date that stands elsewhere is read: %j', (csl, issued) => {
  expect(readWork(csl).issued?.text ?? null).toBe(issued);
});

test('the number of an article is its page where it has none', () => {
  expect(readWork({ 'article-number': '140402' }).page).toBe('140402');
  expect(readWork({ page: '1-2', 'article-number': '140402' }).page).toBe('1-2');
});
