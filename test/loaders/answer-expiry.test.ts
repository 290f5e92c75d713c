// The laws of how long an answer may be kept.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AnswerExpiry, type Perishable } from '../../src/loaders/answer-expiry.ts';
import { NOW } from '../support/fake-directory.ts';

const DAY = 86_400;

/** From some days past to some days on, often near `NOW`. */
const times = fc.oneof(fc.integer({ min: -3e8, max: 3e8 }), fc.integer({ min: -3_000, max: 3_000 }));
const parts = fc.array(times.map((ms): Perishable => ({ freshUntil: NOW + ms, stale: false })));

function secondsOf(answer: readonly Perishable[]): number {
  const expiry = new AnswerExpiry();
  for (const part of answer) expiry.include(part);
  return expiry.secondsFrom(NOW);
}

test('it is the whole seconds that are left to the part that is the first to go', () => {
  fc.assert(
    fc.property(parts, (answer) => {
      const least = Math.min(...answer.map(({ freshUntil }) => (freshUntil - NOW) / 1000));
      expect(secondsOf(answer)).toBe(Math.max(0, Math.min(DAY, Math.floor(least))));
    }),
  );
});

test('no part is kept longer than it is fresh, and only an expired part ends the expiry at once', () => {
  fc.assert(
    fc.property(parts, (answer) => {
      const seconds = secondsOf(answer);
      for (const { freshUntil } of answer) {
        if (seconds > 0) expect(NOW + seconds * 1000).toBeLessThanOrEqual(freshUntil);
      }
      if (answer.every(({ freshUntil }) => freshUntil >= NOW + 1000)) expect(seconds).toBeGreaterThan(0);
    }),
  );
});

test('the order of parts and repeated parts change nothing', () => {
  fc.assert(
    fc.property(parts, (answer) => {
      expect(secondsOf([...answer, ...answer.toReversed()])).toBe(secondsOf(answer));
    }),
  );
});

test('one part that is stale ends it, whatever comes before and after', () => {
  fc.assert(
    fc.property(parts, times, parts, (before, ms, after) => {
      expect(secondsOf([...before, { freshUntil: NOW + ms, stale: true }, ...after])).toBe(0);
    }),
  );
});

test('a response that must not be kept is not kept, with any parts before and after', () => {
  fc.assert(
    fc.property(parts, parts, (before, after) => {
      const expiry = new AnswerExpiry();
      for (const part of before) expiry.include(part);
      expiry.mustNotBeCached();
      for (const part of after) expiry.include(part);
      expect(expiry.secondsFrom(NOW)).toBe(0);
    }),
  );
});

test('it grows shorter as time goes on, by a second a second', () => {
  const expiry = new AnswerExpiry();
  expiry.include({ freshUntil: NOW + 2_000, stale: false });
  const seconds = [0, 1, 1_000, 1_001, 2_000, 9_000].map((ms) => expiry.secondsFrom(NOW + ms));
  expect(seconds).toEqual([2, 1, 1, 0, 0, 0]);
});

test('a response without parts is kept for a day', () => {
  expect(new AnswerExpiry().secondsFrom(NOW)).toBe(DAY);
});
