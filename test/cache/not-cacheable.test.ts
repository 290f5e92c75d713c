// Names whose answers cannot be stored: replicas do not wait for each other.

import type { HandleName } from 'doi-names';
import { describe, expect, test } from 'vitest';
import { createRecord } from '../../src/handle/record.ts';
import { decodeValues } from '../../src/handle/value.ts';
import { LIFETIMES } from '../../src/lifetimes.ts';
import { doiName } from '../support/doi-names.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { counted, createCacheUnderTest, livingFor } from './cache-under-test.ts';
import { createFakeSharedTier } from './fake-shared-tier.ts';

const NAME = doiName('10.1000/a');
const ANSWER_MS = 300;
const LAST_POLL_MS = 320;

/** Six replicas of a directory that takes ANSWER_MS. The test sets the ttl of its records. */
function createFleet() {
  const clock = createVirtualClock();
  const shared = createFakeSharedTier(clock);
  let ttl = 0;
  let calls = 0;
  const directory = {
    ...createFakeDirectory(),
    async resolve(handle: HandleName) {
      calls += 1;
      await clock.sleep(ANSWER_MS);
      const values = decodeValues(livingFor(ttl));
      return createRecord({ responseCode: 1, handle, values, fetchedAt: clock.now() });
    },
  };
  const replicas = Array.from({ length: 6 }, () => createCacheUnderTest({ clock, shared, directory }));

  /** All replicas look up the name at once. Returns their waits in order, and the number of requests. */
  async function lookUpAtOnce(name = NAME): Promise<{ waitedMs: number[]; calls: number }> {
    const start = clock.now();
    calls = 0;
    const lookUps = replicas.map((replica) =>
      replica.directory.resolve(name).then(() => clock.now() - start),
    );
    await clock.advance(10_000);
    const waitedMs = await Promise.all(lookUps);
    return { waitedMs: waitedMs.sort((a, b) => a - b), calls };
  }

  const setTtl = (next: number): void => {
    ttl = next;
  };
  return { clock, replicas, lookUpAtOnce, setTtl };
}

describe('a name whose answers cannot be stored', () => {
  test('makes replicas wait once; then each replica sends its own request at once', async () => {
    const { lookUpAtOnce } = createFleet();
    const first = await lookUpAtOnce();
    expect(first.waitedMs[0]).toBe(ANSWER_MS);
    expect(first.waitedMs.at(-1)).toBeLessThanOrEqual(2 * ANSWER_MS + LAST_POLL_MS);
    expect(await lookUpAtOnce()).toEqual({ waitedMs: Array(6).fill(ANSWER_MS), calls: 6 });
    expect(await lookUpAtOnce()).toEqual({ waitedMs: Array(6).fill(ANSWER_MS), calls: 6 });
  });

  test('makes replicas wait again when the time LIFETIMES.notCacheable has passed', async () => {
    const { clock, lookUpAtOnce } = createFleet();
    await lookUpAtOnce();
    await clock.advance(LIFETIMES.notCacheable);
    const { waitedMs } = await lookUpAtOnce();
    expect(waitedMs.at(-1)).toBeGreaterThan(ANSWER_MS);
  });

  test('costs one request again after its answers can be stored', async () => {
    const { clock, lookUpAtOnce, setTtl } = createFleet();
    await lookUpAtOnce();
    setTtl(60);
    expect((await lookUpAtOnce()).calls).toBe(6);
    await clock.advance(8 * 24 * 3_600_000);
    expect((await lookUpAtOnce()).calls).toBe(1);
  });

  test('does not change the look-ups of other names', async () => {
    const { lookUpAtOnce, setTtl } = createFleet();
    await lookUpAtOnce();
    setTtl(60);
    expect((await lookUpAtOnce(doiName('10.1000/b'))).calls).toBe(1);
  });

  test('is counted in the metrics of the waits', async () => {
    const { replicas, lookUpAtOnce } = createFleet();
    await lookUpAtOnce();
    const waits = await Promise.all(
      replicas.map(({ metrics }) => counted(metrics.lockWaits, { ended: 'not kept' })),
    );
    expect(waits.sort()).toEqual([0, 1, 1, 1, 1, 1]);
  });
});
