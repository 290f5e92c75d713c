// The records and the metadata of one operation have at most 16 MB together.

import type { HandleName } from 'doi-names';
import { describe, expect, test } from 'vitest';
import type { Directory, MetadataAnswer } from '../../src/directory/directory.ts';
import { TrackingLoaders } from '../../src/loaders/loaders.ts';
import { CSL } from '../../src/works/metadata-format.ts';
import { keptForever, memoryWith } from '../support/directory-memory.ts';
import { doiName } from '../support/doi-names.ts';
import { createFakeDirectory, NOW, urlValue } from '../support/fake-directory.ts';

const MEGABYTE = 'x'.repeat(1_000_000);
const NAMES = Array.from({ length: 30 }, (_, index) => doiName(`10.5555/${index}`));

const loadersOver = (directory: Directory) =>
  new TrackingLoaders({ directory, signal: () => new AbortController().signal, maxLookups: 2_000 });

/** Loaders over a directory in which each name has one value with these data. */
function loadersOf(value: unknown): TrackingLoaders {
  return loadersOver(
    createFakeDirectory({ records: Object.fromEntries(NAMES.map((name) => [name, [value]])) }),
  );
}

async function rejectionsOf(value: unknown): Promise<readonly unknown[]> {
  const loaders = loadersOf(value);
  const outcomes = await Promise.allSettled(NAMES.map(async (name) => loaders.record(name)));
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
}

describe('records', () => {
  test.each([
    ['text', { format: 'string', value: MEGABYTE }],
    ['bytes', { format: 'base64', value: 'AAAA'.repeat(333_334) }],
    ['another format', { format: 'odd', value: { text: MEGABYTE } }],
  ])('of a megabyte of %s fail with LIMIT_EXCEEDED after 15 records', async (_, data) => {
    const rejections = await rejectionsOf({ index: 1, type: 'X', data, ttl: 600 });
    expect(rejections.length).toBeGreaterThan(14);
    expect(rejections.length).toBeLessThan(30);
    for (const reason of rejections) expect(reason).toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });

  test('of ordinary size do not fail', async () => {
    expect(await rejectionsOf(urlValue('https://example.org/'))).toEqual([]);
  });

  test('of another operation have their own limit', async () => {
    for (let operation = 0; operation < 20; operation += 1) {
      const record = await loadersOf(urlValue(MEGABYTE)).record(NAMES[0] as HandleName);
      expect(record.status).toBe('SUCCESS');
    }
  });
});

test.each([
  ['of many names', (number: number) => `10.1000/${number}`],
  ['of one name in many fields', () => '10.1000/1'],
])('metadata %s fails with LIMIT_EXCEEDED above the limit, also from memory', (_, nameOf) => {
  const answer: MetadataAnswer = Object.freeze({
    content: Object.freeze({ abstract: 'a'.repeat(900_000) }),
    source: 'Crossref',
    fetchedAt: NOW,
    freshUntil: NOW + 1_000,
    stale: false,
  });
  const loaders = loadersOver({
    ...createFakeDirectory({ metadata: {} }),
    memory: memoryWith({ metadata: () => keptForever(answer) }),
  });
  const lookUp = (number: number) => loaders.metadata(nameOf(number) as HandleName, CSL);
  for (let number = 0; number < 17; number += 1) expect(lookUp(number)).toBe(answer);
  expect(() => lookUp(17)).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
});
