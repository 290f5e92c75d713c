// Look-ups whose clients leave.

import { describe, expect, test } from 'vitest';
import { NO_SHARED_TIER, type SharedTier } from '../../src/cache/cached-entry.ts';
import { doiName } from '../support/doi-names.ts';
import { createHeldDirectory } from '../support/held-directory.ts';
import { createVirtualClock, settled } from '../support/virtual-clock.ts';
import { createCacheOfLookUps, expectNoUnhandledRejections, NAME, reason } from './cache-of-look-ups.ts';
import { counted, createCacheUnderTest, HOUR, SECOND } from './cache-under-test.ts';
import { createFakeSharedTier } from './fake-shared-tier.ts';

expectNoUnhandledRejections();

describe('after an aborted look-up', () => {
  test('the next look-up sends a new request, and later look-ups join it', async () => {
    const { startLookUp, lookUps } = createCacheOfLookUps();
    const first = startLookUp();
    await settled();
    first.leave();
    await settled();
    const second = startLookUp();
    await settled();
    const third = startLookUp();
    await settled();
    await lookUps[1]?.answer(60);
    for (const { answer } of [second, third]) expect(await answer).toMatchObject({ status: 'SUCCESS' });
    expect(lookUps.map(({ isAborted }) => isAborted())).toEqual([true, false]);
  });

  test('a look-up that begins any number of microtasks later gets an answer', async () => {
    for (let ticks = 0; ticks < 24; ticks += 1) {
      const { startLookUp, lookUps } = createCacheOfLookUps();
      const first = startLookUp();
      await settled();
      first.leave();
      for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
      const second = startLookUp();
      await settled();
      await lookUps.at(-1)?.answer(60);
      expect(await second.answer, `after ${ticks} microtasks`).toMatchObject({ status: 'SUCCESS' });
    }
  });

  test('a stale record is refreshed without a pause, because the abort is not a failure', async () => {
    const { startLookUp, lookUps, clock, directory } = createCacheOfLookUps();
    const first = startLookUp();
    await settled();
    first.leave();
    await settled();
    const past = directory.resolve(NAME, { auth: true });
    await lookUps[1]?.answer(10);
    await past;
    await clock.advance(10 * SECOND);
    expect(await directory.resolve(NAME)).toMatchObject({ stale: true });
    await settled();
    expect(lookUps).toHaveLength(3);
  });
});

describe('a request is not sent', () => {
  test.each([
    ['with', createFakeSharedTier],
    ['without', () => NO_SHARED_TIER],
  ])('if the client leaves at once, %s a shared tier', async (_, createTier) => {
    const clock = createVirtualClock();
    const { startLookUp, lookUps } = createCacheOfLookUps({ clock, shared: createTier(clock) });
    const { answer, leave } = startLookUp();
    leave();
    await expect(answer).rejects.toBe(reason);
    await settled();
    expect(lookUps).toEqual([]);
  });

  test('if the client leaves during the read of the shared tier, and its lock is released', async () => {
    const clock = createVirtualClock();
    const shared = createFakeSharedTier(clock);
    let reads = 0;
    let release: () => void = () => undefined;
    const gate = new Promise<void>((done) => {
      release = done;
    });
    const getMany: SharedTier['getMany'] = async (keys) => {
      reads += 1;
      if (reads === 2) await gate;
      return shared.getMany(keys);
    };
    const { startLookUp, lookUps } = createCacheOfLookUps({ clock, shared: { ...shared, getMany } });
    const { leave } = startLookUp();
    await settled();
    expect(reads).toBe(2);
    leave();
    await settled();
    release();
    await settled();
    expect(lookUps).toEqual([]);
    expect((await shared.lock(`record:${NAME}`, SECOND)).got).toBe('lock');
  });
});

test.each([
  ['in the background', HOUR],
  ['that clients wait for', 2 * HOUR + 1],
])('a refresh %s continues without its clients', async (_, age) => {
  const { startLookUp, lookUps, clock } = createCacheOfLookUps();
  const first = startLookUp();
  await settled();
  await lookUps[0]?.answer(3_600);
  await first.answer;
  await clock.advance(age);
  const [reader, other] = [startLookUp(), startLookUp()];
  await settled();
  reader.leave();
  other.leave();
  await settled();
  expect(lookUps.map(({ isAborted }) => isAborted())).toEqual([false, false]);
  await lookUps[1]?.answer(3_600);
  expect(await startLookUp().answer).toMatchObject({ stale: false });
  expect(lookUps).toHaveLength(2);
});

test('a Which RA request continues while a client waits for one of its names', async () => {
  const held = createHeldDirectory();
  const { directory } = createCacheUnderTest({ directory: held });
  const other = doiName('10.1000/b');
  const [leaving, staying] = [new AbortController(), new AbortController()];
  const left = directory.whichRa([NAME, other], { signal: leaving.signal });
  await settled();
  const [answer] = directory.whichRa([other], { signal: staying.signal });
  await settled();
  leaving.abort(reason);
  for (const each of left) await expect(each).rejects.toBe(reason);
  await settled();
  expect(held.abandoned).toEqual([]);
  const [last] = directory.whichRa([NAME], { signal: staying.signal });
  await settled();
  held.answerAgency(other, 'Crossref');
  expect(await answer).toMatchObject({ agency: 'Crossref' });
  expect(held.calls.whichRa).toEqual([[NAME, other]]);
  staying.abort(reason);
  await expect(last).rejects.toBe(reason);
  await settled();
  expect(held.abandoned).toEqual([NAME, other]);
});

describe('the lock of a look-up', () => {
  test('goes to a waiting replica when the look-up is aborted', async () => {
    const clock = createVirtualClock();
    const shared = createFakeSharedTier(clock);
    const [one, other] = [1, 2].map(() => createCacheOfLookUps({ clock, shared }));
    if (!one || !other) expect.unreachable();
    const leaving = one.startLookUp();
    await settled();
    const staying = other.startLookUp();
    await clock.advance(1_000);
    expect(other.lookUps).toEqual([]);
    leaving.leave();
    await clock.advance(320);
    await other.lookUps[0]?.answer(60);
    expect(await staying.answer).toMatchObject({ status: 'SUCCESS' });
    expect(one.lookUps).toHaveLength(1);
  });

  test('is not awaited after the last client has left', async () => {
    const clock = createVirtualClock();
    const shared = createFakeSharedTier(clock);
    await shared.lock(`record:${NAME}`, HOUR);
    const { startLookUp, lookUps, metrics } = createCacheOfLookUps({ clock, shared });
    const { leave } = startLookUp();
    await clock.advance(1_000);
    expect(clock.sleepers).toBe(1);
    leave();
    await clock.advance(320);
    expect(clock.sleepers).toBe(0);
    expect(lookUps).toEqual([]);
    expect(await counted(metrics.lockWaits, {})).toBe(0);
  });

  test('is awaited once by all later look-ups, even after an aborted look-up', async () => {
    const clock = createVirtualClock();
    const shared = createFakeSharedTier(clock);
    await shared.lock(`record:${NAME}`, HOUR);
    const { startLookUp } = createCacheOfLookUps({ clock, shared });
    const first = startLookUp();
    await settled();
    first.leave();
    await settled();
    startLookUp();
    await clock.advance(20);
    expect(clock.sleepers).toBe(1);
    startLookUp();
    await settled();
    expect(clock.sleepers).toBe(1);
  });
});
