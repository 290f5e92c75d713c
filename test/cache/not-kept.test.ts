// Names whose answers may not be kept: replicas do not wait for each other's.

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

/** Six replicas of a directory that takes its time, and whose records live for so many seconds. */
function createFleet() {
  const clock = createVirtualClock();
  const shared = createFakeSharedTier(clock);
  let seconds = 0;
  let calls = 0;
  const directory = {
    ...createFakeDirectory(),
    async resolve(handle: HandleName) {
      calls += 1;
      await clock.sleep(ANSWER_MS);
      const values = decodeValues(livingFor(seconds));
      return createRecord({ responseCode: 1, handle, values, fetchedAt: clock.now() });
    },
  };
  const replicas = Array.from({ length: 6 }, () => createCacheUnderTest({ clock, shared, directory }));

  /** What each of them waited when all wanted the name at once, in order; and what that cost. */
  async function race(name = NAME): Promise<{ waitedMs: number[]; calls: number }> {
    const start = clock.now();
    calls = 0;
    const asked = replicas.map((replica) => replica.directory.resolve(name).then(() => clock.now() - start));
    await clock.advance(10_000);
    const waitedMs = await Promise.all(asked);
    return { waitedMs: waitedMs.sort((a, b) => a - b), calls };
  }

  const liveFor = (next: number): void => {
    seconds = next;
  };
  return { clock, shared, replicas, race, liveFor };
}

describe('a name whose answers may not be kept', () => {
  test('is waited for once, then each replica asks for itself at once', async () => {
    const { race } = createFleet();
    const first = await race();
    expect(first.waitedMs[0]).toBe(ANSWER_MS);
    expect(first.waitedMs.at(-1)).toBeLessThanOrEqual(2 * ANSWER_MS + LAST_POLL_MS);
    expect(await race()).toEqual({ waitedMs: Array(6).fill(ANSWER_MS), calls: 6 });
    expect(await race()).toEqual({ waitedMs: Array(6).fill(ANSWER_MS), calls: 6 });
  });

  test('is waited for again when that is long ago', async () => {
    const { clock, race } = createFleet();
    await race();
    await clock.advance(LIFETIMES.notCacheable);
    const { waitedMs } = await race();
    expect(waitedMs.at(-1)).toBeGreaterThan(ANSWER_MS);
  });

  test('is asked for once as soon as its answers may be kept', async () => {
    const { clock, race, liveFor } = createFleet();
    await race();
    liveFor(60);
    expect((await race()).calls).toBe(6);
    await clock.advance(8 * 24 * 3_600_000);
    expect((await race()).calls).toBe(1);
  });

  test('says nothing of other names', async () => {
    const { race, liveFor } = createFleet();
    await race();
    liveFor(60);
    expect((await race(doiName('10.1000/b'))).calls).toBe(1);
  });

  test('counts the waits that ended so', async () => {
    const { replicas, race } = createFleet();
    await race();
    const waits = await Promise.all(
      replicas.map(({ metrics }) => counted(metrics.lockWaits, { ended: 'not kept' })),
    );
    expect(waits.sort()).toEqual([0, 1, 1, 1, 1, 1]);
  });
});
