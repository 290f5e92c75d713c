import { expect, test } from 'vitest';
import { keptMs } from '../../src/cache/cached-entry.ts';
import { createWhichRaAnswer } from '../../src/directory/directory.ts';
import { NOW } from '../support/fake-directory.ts';
import { DAY, HOUR, MINUTE } from './cache-under-test.ts';

const FOUND = createWhichRaAnswer({ status: 'FOUND', agency: 'Crossref' }, NOW);
const ABSENT = createWhichRaAnswer({ status: 'DOES_NOT_EXIST', agency: null }, NOW);
const ABSENT_WORK = { content: null, source: '', fetchedAt: NOW, freshUntil: NOW + HOUR, stale: false };

test.each([
  [0, 1],
  [0.5, 0.95],
  [1, 0.9],
])(
  'the shared tier keeps an answer as long as it can be served, less a random part of up to a tenth: %d',
  (random, share) => {
    const kept = [FOUND, ABSENT, ABSENT_WORK].map((answer) => keptMs(answer, NOW, () => random));
    expect(kept).toEqual([8 * DAY, 5 * MINUTE + HOUR, 2 * HOUR].map((ms) => Math.floor(ms * share)));
  },
);

test('the shared tier keeps an answer for at least 1 ms, because Redis accepts no shorter time', () => {
  expect(keptMs(ABSENT, NOW + 5 * MINUTE + HOUR, () => 0)).toBe(1);
});
