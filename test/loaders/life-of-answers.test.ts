// Loaders include each answer in the expiry of the response, and never skip a look-up with auth or cert.

import { describe, expect, test } from 'vitest';
import { AnswerExpiry } from '../../src/loaders/answer-expiry.ts';
import { TrackingLoaders } from '../../src/loaders/loaders.ts';
import { doiName } from '../support/doi-names.ts';
import { createFakeDirectory, NOW, urlValue } from '../support/fake-directory.ts';
import { createMemoryDirectory } from '../support/memory-directory.ts';

const NAME = doiName('10.5555/a');
const VALUES = [urlValue('https://example.org/', { ttl: 600 })];
const DAY = 86_400;

function setUp(directory: ReturnType<typeof createFakeDirectory>) {
  const expiry = new AnswerExpiry();
  const signal = () => new AbortController().signal;
  return { expiry, loaders: new TrackingLoaders({ directory, signal, maxLookups: 100, expiry }) };
}

describe('a record that memory does not have', () => {
  test.each([
    ['as cached', VALUES, { auth: false, cert: false }, 0],
    ['with auth', VALUES, { auth: true, cert: false }, 1],
    ['with cert', VALUES, { auth: false, cert: true }, 1],
    ['for which the directory reports an error', 2, { auth: false, cert: false }, 1],
  ] as const)('%s', async (_, record, freshness, refusals) => {
    const { expiry, loaders } = setUp(createFakeDirectory({ records: { [NAME]: record } }));
    await loaders.record(NAME, freshness);
    expect(expiry.refusals).toBe(refusals);
    expect(expiry.secondsFrom(NOW) > 0).toBe(refusals === 0);
  });
});

describe('a record in memory', () => {
  test('is not used for a look-up with auth or cert, also directly after another look-up', async () => {
    const directory = createMemoryDirectory({ records: { [NAME]: VALUES } });
    const { loaders } = setUp(directory);
    await loaders.record(NAME);
    for (const auth of [true, false]) await loaders.record(NAME, { auth, cert: !auth });
    expect(directory.calls.resolve).toEqual([
      { name: NAME, auth: true, cert: false },
      { name: NAME, auth: false, cert: true },
    ]);
  });

  test('is included in the expiry, and is counted', async () => {
    const directory = createMemoryDirectory({
      agencies: { [NAME]: { status: 'FOUND', agency: 'Crossref' } },
    });
    const { expiry, loaders } = setUp(directory);
    await loaders.whichRa(NAME);
    expect(expiry.secondsFrom(NOW + 1_000)).toBe(DAY - 1);
    expect(directory.peeks).toEqual({ record: 0, agency: 1, metadata: 0 });
  });

  test('is read once for fields that follow each other', async () => {
    const directory = createMemoryDirectory({
      agencies: { [NAME]: { status: 'FOUND', agency: 'Crossref' } },
    });
    const { loaders } = setUp(directory);
    expect(await loaders.whichRa(NAME)).toBe(await loaders.whichRa(NAME));
    expect(directory.peeks.agency).toBe(1);
  });
});
