// The agency that a directory with the agencies' APIs gets for each work, from the cache.

import type { HandleName } from 'doi-names';
import { expect, test } from 'vitest';
import { createCachedDirectory } from '../../src/cache/cached-directory.ts';
import { NO_SHARED_TIER } from '../../src/cache/cached-entry.ts';
import { createMemoryTier } from '../../src/cache/memory-tier.ts';
import type { Directory, MetadataAnswer } from '../../src/directory/directory.ts';
import { createMetrics } from '../../src/metrics.ts';
import { CSL } from '../../src/works/metadata-format.ts';
import { createFakeDirectory, NOW, urlValue } from '../support/fake-directory.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const KNOWN = '10.5555/known' as HandleName;
const MOVED = '10.5555/moved' as HandleName;

function stage() {
  const fake = createFakeDirectory({
    records: { [KNOWN]: [urlValue('https://a.test')], [MOVED]: [urlValue('https://b.test')] },
    agencies: {
      [KNOWN]: { status: 'FOUND', agency: 'Crossref' },
      [MOVED]: { status: 'FOUND', agency: 'DataCite' },
    },
  });
  const answer: MetadataAnswer = { content: null, source: '', fetchedAt: NOW, freshUntil: NOW, stale: false };
  const agencies: unknown[] = [];
  const withApis: Directory = {
    ...fake,
    maxMetadataLookUps: 1,
    async describe(_name, _format, asked = {}) {
      const agency = (await asked.agency)?.agency ?? '';
      agencies.push(agency);
      return { ...answer, noWorkAt: agency };
    },
  };
  const directory = createCachedDirectory({
    directory: withApis,
    memory: createMemoryTier(1_000_000),
    shared: NO_SHARED_TIER,
    maxFailureBytes: 1_000_000,
    maxPrefixBytes: 1_000_000,
    random: () => 0,
    clock: createVirtualClock(),
    metrics: createMetrics(),
  });
  return { directory, agencies, calls: fake.calls };
}

test('may be that of its prefix, and is its own where the agency of the prefix has no such work', async () => {
  const { directory, agencies, calls } = stage();
  await Promise.all(directory.whichRa([KNOWN]));
  await directory.resolve(MOVED);
  await directory.describe?.(MOVED, CSL);
  expect(agencies).toEqual(['Crossref', 'DataCite']);
  expect(calls.whichRa).toEqual([[KNOWN], [MOVED]]);
});

test('is looked up once, however often it is needed', async () => {
  const { directory, calls } = stage();
  await directory.describe?.(KNOWN, CSL);
  await directory.describe?.(KNOWN, CSL);
  expect(calls.whichRa).toEqual([[KNOWN]]);
});
