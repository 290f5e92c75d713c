// The agency that the cache passes to a directory with the agencies' APIs.

import type { HandleName } from 'doi-names';
import { expect, test } from 'vitest';
import type { Directory, MetadataAnswer } from '../../src/directory/directory.ts';
import { CSL } from '../../src/works/metadata-format.ts';
import { createFakeDirectory, NOW, urlValue } from '../support/fake-directory.ts';
import { createCacheUnderTest } from './cache-under-test.ts';

const KNOWN = '10.5555/known' as HandleName;
const MOVED = '10.5555/moved' as HandleName;

function start() {
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
    async describe(_name, _format, lookUp = {}) {
      const agency = (await lookUp.agency)?.agency ?? '';
      agencies.push(agency);
      return { ...answer, noWorkAt: agency };
    },
  };
  const { directory } = createCacheUnderTest({ directory: withApis });
  return { directory, agencies, calls: fake.calls };
}

test('the agency of the name is tried only if the agency of the prefix has no such work', async () => {
  const { directory, agencies, calls } = start();
  await Promise.all(directory.whichRa([KNOWN]));
  await directory.resolve(MOVED);
  await directory.describe?.(MOVED, CSL);
  expect(agencies).toEqual(['Crossref', 'DataCite']);
  expect(calls.whichRa).toEqual([[KNOWN], [MOVED]]);
});

test('the agency is looked up once for several look-ups of metadata', async () => {
  const { directory, calls } = start();
  await directory.describe?.(KNOWN, CSL);
  await directory.describe?.(KNOWN, CSL);
  expect(calls.whichRa).toEqual([[KNOWN]]);
});
