import { expect, test } from 'vitest';
import type { SharedTier } from '../../src/cache/cached-entry.ts';
import { doiName } from '../support/doi-names.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import {
  type CacheUnderTest,
  createCacheUnderTest,
  DOWN,
  HOUR,
  livingFor,
  MINUTE,
} from './cache-under-test.ts';
import { createFakeSharedTier } from './fake-shared-tier.ts';

const NAME = doiName('10.1000/a');
const EARLIER = 'https://example.org/earlier';
const LATER = 'https://example.org/later';

async function urlOf({ directory }: CacheUnderTest): Promise<unknown> {
  const { values, stale } = await directory.resolve(NAME);
  expect(stale).toBe(true);
  const [{ data } = expect.unreachable()] = values;
  return data.kind === 'string' && data.value;
}

/** A replica with a stale answer, a shared tier with another stale answer, and a directory that is down. */
async function start({ inMemory, inShared }: { readonly inMemory: string; readonly inShared: string }) {
  const clock = createVirtualClock();
  const shared = createFakeSharedTier(clock);
  // The replica does not write to the shared tier.
  const readOnly: SharedTier = Object.create(shared, { set: { value: () => {} } });
  const replica = createCacheUnderTest({ clock, shared: readOnly });
  const other = createCacheUnderTest({ clock, shared });
  replica.says(livingFor(3_600, inMemory));
  other.says(livingFor(3_600, inShared));
  const lookUp = async (cache: CacheUnderTest): Promise<void> => {
    shared.state = cache === other ? 'up' : 'down';
    await cache.directory.resolve(NAME);
    await clock.advance(10 * MINUTE);
  };
  for (const cache of inMemory === EARLIER ? [replica, other] : [other, replica]) await lookUp(cache);
  for (const cache of [replica, other]) cache.says(DOWN);
  shared.state = 'up';
  await clock.advance(4 * HOUR);
  return { replica, shared };
}

test.each([
  ['memory', { inMemory: LATER, inShared: EARLIER }],
  ['the shared tier', { inMemory: EARLIER, inShared: LATER }],
])('if %s has the later answer, this answer is served and kept in memory', async (_, answers) => {
  const { replica, shared } = await start(answers);
  expect(await urlOf(replica)).toBe(LATER);
  shared.state = 'down';
  expect(await urlOf(replica)).toBe(LATER);
});
