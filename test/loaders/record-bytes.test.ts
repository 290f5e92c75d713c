// What the records of one operation hold together has an end, whatever their names are.

import { describe, expect, test } from 'vitest';
import { createAnswerLife } from '../../src/loaders/answer-expiry.ts';
import { createLoaders } from '../../src/loaders/loaders.ts';
import { doiName } from '../support/doi-names.ts';
import { createFakeDirectory, urlValue } from '../support/fake-directory.ts';

const MEGABYTE = `https://example.org/${'x'.repeat(1_000_000)}`;
const NAMES = Array.from({ length: 30 }, (_, index) => doiName(`10.5555/${index}`));
const TOO_MUCH = { status: 'rejected', reason: expect.objectContaining({ code: 'LIMIT_EXCEEDED' }) };

function loadersOver(url: string) {
  const records = Object.fromEntries(NAMES.map((name) => [name, [urlValue(url)]]));
  const directory = createFakeDirectory({ records });
  const signal = () => new AbortController().signal;
  return createLoaders({ directory, signal, maxLookups: 2_000, life: createAnswerLife() });
}

describe('records of a megabyte each', () => {
  test('are handed out up to sixteen of them, and no further', async () => {
    const loaders = loadersOver(MEGABYTE);
    const outcomes = await Promise.allSettled(NAMES.map(async (name) => loaders.record(name)));
    const kept = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(kept.length).toBeLessThan(16);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual(
      Array(NAMES.length - kept.length).fill(TOO_MUCH),
    );
  });

  test('of another operation have their own end', async () => {
    const [name] = NAMES;
    for (let operation = 0; operation < 20; operation += 1) {
      const record = await loadersOver(MEGABYTE).record(name ?? doiName('10.5555/0'));
      expect(record.status).toBe('SUCCESS');
    }
  });
});

test('ordinary records have no end', async () => {
  const loaders = loadersOver('https://example.org/');
  const outcomes = await Promise.allSettled(NAMES.map(async (name) => loaders.record(name)));
  expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
});
