// How long a response may be kept: the rule, and which answers the loaders include.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Directory } from '../../src/directory/directory.ts';
import { AnswerExpiry, type Perishable } from '../../src/loaders/answer-expiry.ts';
import { TrackingLoaders } from '../../src/loaders/loaders.ts';
import { doiName } from '../support/doi-names.ts';
import { createFakeDirectory, NOW, urlValue } from '../support/fake-directory.ts';
import { createMemoryDirectory } from '../support/memory-directory.ts';

const DAY = 86_400;
const NAME = doiName('10.5555/a');
const VALUES = [urlValue('https://example.org/', { ttl: 600 })];
const CROSSREF = { status: 'FOUND', agency: 'Crossref' } as const;

/** Times from some days before `NOW` to some days after it. Many are near `NOW`. */
const times = fc.oneof(fc.integer({ min: -3e8, max: 3e8 }), fc.integer({ min: -3_000, max: 3_000 }));
const parts = fc.array(times.map((ms): Perishable => ({ freshUntil: NOW + ms, stale: false })));

function expiryOf(answer: readonly Perishable[]): AnswerExpiry {
  const expiry = new AnswerExpiry();
  for (const part of answer) expiry.include(part);
  return expiry;
}

test('a response is kept until its first part expires, in whole seconds, but for at most a day', () => {
  fc.assert(
    fc.property(parts, times, (answer, ms) => {
      const now = NOW + ms;
      const least = Math.min(...answer.map(({ freshUntil }) => (freshUntil - now) / 1000));
      expect(expiryOf(answer).secondsFrom(now)).toBe(Math.max(0, Math.min(DAY, Math.floor(least))));
    }),
  );
});

test.each<[string, (expiry: AnswerExpiry, ms: number) => void]>([
  ['has a stale part', (expiry, ms) => expiry.include({ freshUntil: NOW + ms, stale: true })],
  ['is only for this request', (expiry) => expiry.mustNotBeCached()],
])('a response is not kept if it %s', (_, spoil) => {
  fc.assert(
    fc.property(parts, times, parts, (before, ms, after) => {
      const expiry = expiryOf(before);
      spoil(expiry, ms);
      for (const part of after) expiry.include(part);
      expect(expiry.secondsFrom(NOW)).toBe(0);
    }),
  );
});

function setUp(directory: Directory) {
  const expiry = new AnswerExpiry();
  const signal = () => new AbortController().signal;
  return { expiry, loaders: new TrackingLoaders({ directory, signal, maxLookups: 100, expiry }) };
}

describe('a response with a record', () => {
  test.each([
    ['without auth and cert', VALUES, {}, 600],
    ['with auth', VALUES, { auth: true }, 0],
    ['with cert', VALUES, { cert: true }, 0],
    ['with the status ERROR', 2, {}, 0],
  ] as const)(
    '%s is kept for as many seconds as this record allows',
    async (_, record, freshness, seconds) => {
      const { expiry, loaders } = setUp(createFakeDirectory({ records: { [NAME]: record } }));
      await loaders.record(NAME, { auth: false, cert: false, ...freshness });
      expect(expiry.secondsFrom(NOW)).toBe(seconds);
      expect(expiry.refusals > 0).toBe(seconds === 0);
    },
  );
});

test.each([
  ['a directory', createFakeDirectory],
  ['memory', createMemoryDirectory],
])('a response with an agency from %s expires with the agency', async (_, createDirectory) => {
  const { expiry, loaders } = setUp(createDirectory({ agencies: { [NAME]: CROSSREF } }));
  await loaders.whichRa(NAME);
  expect(expiry.secondsFrom(NOW + 1_000)).toBe(DAY - 1);
});

test('fields that follow each other read an answer from memory once', async () => {
  const directory = createMemoryDirectory({ agencies: { [NAME]: CROSSREF } });
  const { loaders } = setUp(directory);
  expect(await loaders.whichRa(NAME)).toBe(await loaders.whichRa(NAME));
  expect(directory.peeks).toEqual({ record: 0, agency: 1, metadata: 0 });
});
