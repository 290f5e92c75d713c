// The records of one operation have a limit of bytes together.

import { describe, expect, test } from 'vitest';
import { AnswerExpiry } from '../../src/loaders/answer-expiry.ts';
import { TrackingLoaders } from '../../src/loaders/loaders.ts';
import { doiName } from '../support/doi-names.ts';
import { createFakeDirectory, urlValue } from '../support/fake-directory.ts';

const MEGABYTE = `https://example.org/${'x'.repeat(1_000_000)}`;
const NAMES = Array.from({ length: 30 }, (_, index) => doiName(`10.5555/${index}`));
const TOO_MUCH = { status: 'rejected', reason: expect.objectContaining({ code: 'LIMIT_EXCEEDED' }) };

const asUrl = (url: string): unknown => urlValue(url);

function loadersOver(url: string, wireValue = asUrl) {
  const records = Object.fromEntries(NAMES.map((name) => [name, [wireValue(url)]]));
  const directory = createFakeDirectory({ records });
  const signal = () => new AbortController().signal;
  return new TrackingLoaders({ directory, signal, maxLookups: 2_000, expiry: new AnswerExpiry() });
}

describe('records of a megabyte each', () => {
  test('are returned until the limit of 16 MB, and then fail', async () => {
    const loaders = loadersOver(MEGABYTE);
    const outcomes = await Promise.allSettled(NAMES.map(async (name) => loaders.record(name)));
    const kept = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(kept.length).toBeLessThan(16);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual(
      Array(NAMES.length - kept.length).fill(TOO_MUCH),
    );
  });

  test.each([
    ['bytes', { format: 'base64', value: 'AAAA'.repeat(333_334) }],
    ['something else', { format: 'odd', value: { text: 'x'.repeat(1_000_000) } }],
  ])('have the same limit if they hold %s', async (_, data) => {
    const loaders = loadersOver('', () => ({ index: 1, type: 'X', data, ttl: 600 }));
    const outcomes = await Promise.allSettled(NAMES.map(async (name) => loaders.record(name)));
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(14);
  });

  test('of another operation have their own limit', async () => {
    const [name] = NAMES;
    for (let operation = 0; operation < 20; operation += 1) {
      const record = await loadersOver(MEGABYTE).record(name ?? doiName('10.5555/0'));
      expect(record.status).toBe('SUCCESS');
    }
  });
});

test('ordinary records stay below the limit', async () => {
  const loaders = loadersOver('https://example.org/');
  const outcomes = await Promise.allSettled(NAMES.map(async (name) => loaders.record(name)));
  expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
});
