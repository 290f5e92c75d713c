// Memory and the shared tier hold different answers of a name: the one that was fetched last counts.

import { describe, expect, test } from 'vitest';
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

/** A replica that holds an old answer, a shared tier with another, and a directory that is gone. */
async function setUp({ inMemory, inShared }: { readonly inMemory: string; readonly inShared: string }) {
  const clock = createVirtualClock();
  const shared = createFakeSharedTier(clock);
  // What the replica fetches does not come to the shared tier.
  const readOnly: SharedTier = Object.create(shared, { set: { value: () => {} } });
  const replica = createCacheUnderTest({ clock, shared: readOnly });
  const other = createCacheUnderTest({ clock, shared });
  replica.says(livingFor(3_600, inMemory));
  other.says(livingFor(3_600, inShared));
  const ask = async (asking: CacheUnderTest): Promise<void> => {
    shared.state = asking === other ? 'up' : 'down';
    await asking.directory.resolve(NAME);
    await clock.advance(10 * MINUTE);
  };
  for (const asking of inMemory === EARLIER ? [replica, other] : [other, replica]) await ask(asking);
  for (const asking of [replica, other]) asking.says(DOWN);
  shared.state = 'up';
  await clock.advance(4 * HOUR);
  return { replica, shared };
}

describe.each([
  ['memory', { inMemory: LATER, inShared: EARLIER }],
  ['the shared tier', { inMemory: EARLIER, inShared: LATER }],
])('where the later answer is in %s', (_, where) => {
  test('it is served', async () => {
    const { replica } = await setUp(where);
    expect(await urlOf(replica)).toBe(LATER);
  });

  test('it is what memory holds from then on', async () => {
    const { replica, shared } = await setUp(where);
    await urlOf(replica);
    shared.state = 'down';
    expect(await urlOf(replica)).toBe(LATER);
  });
});
