// Metadata from memory counts like metadata from the directory.

import type { HandleName } from 'doi-names';
import { expect, test } from 'vitest';
import type { MetadataAnswer } from '../../src/directory/directory.ts';
import { TrackingLoaders } from '../../src/loaders/loaders.ts';
import { CSL } from '../../src/works/metadata-format.ts';
import { keptForever, memoryWith } from '../support/directory-memory.ts';
import { createFakeDirectory, NOW } from '../support/fake-directory.ts';

test.each([
  ['of many names', (number: number) => `10.1000/${number}`],
  ['of one name at many places', () => '10.1000/1'],
])('megabytes of metadata that memory holds are too much for one operation: %s', (_, nameOf) => {
  const answer: MetadataAnswer = Object.freeze({
    content: Object.freeze({ abstract: 'a'.repeat(900_000) }),
    source: 'Crossref',
    fetchedAt: NOW,
    freshUntil: NOW + 1_000,
    stale: false,
  });
  const loaders = new TrackingLoaders({
    directory: {
      ...createFakeDirectory({ metadata: {} }),
      memory: memoryWith({ metadata: () => keptForever(answer) }),
    },
    signal: () => new AbortController().signal,
    maxLookups: 100,
  });
  const ask = (number: number) => loaders.metadata(nameOf(number) as HandleName, CSL);
  for (let number = 0; number < 17; number += 1) expect(ask(number)).toBe(answer);
  expect(() => ask(17)).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
});
