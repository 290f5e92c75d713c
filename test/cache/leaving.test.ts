// Clients that hang up: a look-up that nobody waits for any more is given up, one that is shared is not.

import { describe, expect, test } from 'vitest';
import { NO_SHARED_TIER, type SharedTier } from '../../src/cache/cached-entry.ts';
import { doiName } from '../support/doi-names.ts';
import { createHeldDirectory } from '../support/held-directory.ts';
import { createVirtualClock, settled } from '../support/virtual-clock.ts';
import { createCacheOfLookUps, expectNoUnhandledRejections, NAME, reason } from './cache-of-look-ups.ts';
import { createCacheUnderTest, HOUR, SECOND } from './cache-under-test.ts';
import { createFakeSharedTier } from './fake-shared-tier.ts';

expectNoUnhandledRejections();

describe('a look-up', () => {
  test('is given up when the last who waits for it has gone', async () => {
    const { ask, lookUps } = createCacheOfLookUps();
    const [one, other] = [ask(), ask()];
    await settled();
    one.leave();
    await expect(one.answer).rejects.toBe(reason);
    await settled();
    expect(lookUps.map(({ isGivenUp }) => isGivenUp())).toEqual([false]);
    other.leave();
    await expect(other.answer).rejects.toBe(reason);
    await settled();
    expect(lookUps.map(({ isGivenUp }) => isGivenUp())).toEqual([true]);
  });

  test('goes on for those who stay, with a signal and without', async () => {
    const { ask, lookUps, directory } = createCacheOfLookUps();
    const [leaving, staying, unending] = [ask(), ask(), directory.resolve(NAME)];
    await settled();
    leaving.leave();
    await settled();
    await lookUps[0]?.answer(60);
    expect(await staying.answer).toMatchObject({ status: 'SUCCESS' });
    expect(await unending).toMatchObject({ status: 'SUCCESS' });
    expect(lookUps).toHaveLength(1);
  });

  // How many microtasks the newcomer is behind the one who leaves decides what he meets.
  test.each(Array.from({ length: 24 }, (_, ticks) => ticks))(
    'that is given up is nothing to one who comes %i microtasks after: he gets an answer',
    async (ticks) => {
      const { ask, lookUps } = createCacheOfLookUps();
      const first = ask();
      await settled();
      first.leave();
      for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
      const second = ask();
      await settled();
      await lookUps.at(-1)?.answer(60);
      expect(await second.answer).toMatchObject({ status: 'SUCCESS' });
    },
  );

  test('that is given up leaves the next one alone: it is found, and joined, until its answer', async () => {
    const { ask, lookUps } = createCacheOfLookUps();
    const first = ask();
    await settled();
    first.leave();
    await settled();
    const second = ask();
    await settled();
    const third = ask();
    await settled();
    await lookUps[1]?.answer(60);
    for (const { answer } of [second, third]) expect(await answer).toMatchObject({ status: 'SUCCESS' });
    expect(lookUps.map(({ isGivenUp }) => isGivenUp())).toEqual([true, false]);
  });

  test('that is given up is no failure: what is known of the name is refreshed as ever', async () => {
    const { ask, lookUps, clock, directory } = createCacheOfLookUps();
    const first = ask();
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

  test.each([
    ['with a shared tier', createFakeSharedTier],
    ['without one', () => NO_SHARED_TIER],
  ])('is not begun for who left before it could be, %s', async (_, createTier) => {
    const clock = createVirtualClock();
    const { ask, lookUps } = createCacheOfLookUps({ clock, shared: createTier(clock) });
    const { answer, leave } = ask();
    leave();
    await expect(answer).rejects.toBe(reason);
    await settled();
    expect(lookUps).toEqual([]);
  });

  test('is not begun for who left while another replica might have had the answer; its lock is free', async () => {
    const clock = createVirtualClock();
    const shared = createFakeSharedTier(clock);
    let reads = 0;
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((done) => {
      letGo = done;
    });
    const getMany: SharedTier['getMany'] = async (keys) => {
      reads += 1;
      if (reads === 2) await gate;
      return shared.getMany(keys);
    };
    const { ask, lookUps } = createCacheOfLookUps({ clock, shared: { ...shared, getMany } });
    const { leave } = ask();
    await settled();
    expect(reads).toBe(2);
    leave();
    await settled();
    letGo();
    await settled();
    expect(lookUps).toEqual([]);
    expect((await shared.lock(`record:${NAME}`, SECOND)).got).toBe('lock');
  });
});

describe('a refresh', () => {
  test.each([
    ['behind an answer', HOUR],
    ['that its reader waits for', 2 * HOUR + 1],
  ])('%s goes on without the reader, and without who joined it', async (_, age) => {
    const { ask, lookUps, clock } = createCacheOfLookUps();
    const cold = ask();
    await settled();
    await lookUps[0]?.answer(3_600);
    await cold.answer;
    await clock.advance(age);
    const [reader, other] = [ask(), ask()];
    await settled();
    reader.leave();
    other.leave();
    await settled();
    expect(lookUps.map(({ isGivenUp }) => isGivenUp())).toEqual([false, false]);
    await lookUps[1]?.answer(3_600);
    expect(await ask().answer).toMatchObject({ stale: false });
    expect(lookUps).toHaveLength(2);
  });
});

test('a Which RA request goes on as long as anybody waits for one of its names', async () => {
  const held = createHeldDirectory();
  const { directory } = createCacheUnderTest({ directory: held });
  const other = doiName('10.1000/b');
  const [leaving, staying] = [new AbortController(), new AbortController()];
  const gone = directory.whichRa([NAME, other], { signal: leaving.signal });
  await settled();
  const [answer] = directory.whichRa([other], { signal: staying.signal });
  await settled();
  leaving.abort(reason);
  for (const each of gone) await expect(each).rejects.toBe(reason);
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
