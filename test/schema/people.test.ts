// People of a work are read once, however often an operation selects them.

import { expect, test } from 'vitest';
import { contributorsOf } from '../../src/schema/works/people-and-dates.ts';
import { doiName } from '../support/doi-names.ts';

test('the contributors of an answer are one list, also for a stale copy of the answer', () => {
  const csl = Object.freeze({ author: [{ family: 'Carberry' }] });
  const work = {
    name: doiName('10.1000/182'),
    csl,
    source: 'Crossref',
    fetchedAt: 0,
    freshUntil: 0,
    stale: false,
  };
  const contributors = contributorsOf(work);
  expect(contributors).toMatchObject([{ name: 'Carberry', role: 'AUTHOR' }]);
  expect(contributorsOf({ ...work, stale: true })).toBe(contributors);
});
