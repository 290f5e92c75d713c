import { expect, test } from 'vitest';
import { contributorsOf } from '../../src/schema/works/people-and-dates.ts';
import { doiName } from '../support/doi-names.ts';

test('the contributors of an answer are read once, also for a stale copy of the answer', () => {
  const work = {
    name: doiName('10.1000/182'),
    csl: Object.freeze({ author: [{ family: 'Carberry' }] }),
    source: 'Crossref',
    fetchedAt: 0,
    freshUntil: 0,
    stale: false,
  };
  const contributors = contributorsOf(work);
  expect(contributors).toMatchObject([{ name: 'Carberry', role: 'AUTHOR' }]);
  expect(contributorsOf({ ...work, stale: true })).toBe(contributors);
});
