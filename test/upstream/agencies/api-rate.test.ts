// The request rate of an agency's API: the limit holds in every period, wherever the period begins.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ApiRate, createApiRate, statedConcurrency } from '../../../src/upstream/agencies/api-rate.ts';
import { createManualTime, type ManualTime } from '../manual-time.ts';

const THREE_A_SECOND = { requests: 3, seconds: 1 };

function rateAt(time: ManualTime, limit = THREE_A_SECOND): ApiRate {
  return createApiRate({ limit, pool: 'public', time, sharedIn: () => undefined });
}

/** Runs everything that does not wait for the clock. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** Sends one request after the other. Each arrives at its delay after it was sent, and is answered then. */
async function sendAll(rate: ApiRate, time: ManualTime, delays: readonly number[], arrived: number[]) {
  for (const delayMs of delays) {
    const permit = await rate.take();
    permit.sent();
    time.after(delayMs, () => {
      arrived.push(time.now());
      permit.responded();
    });
  }
}

function maxInOnePeriod(arrived: readonly number[], seconds: number): number {
  const counts = arrived.map(
    (from) => arrived.filter((at) => at >= from && at < from + seconds * 1_000).length,
  );
  return Math.max(0, ...counts);
}

describe('the rate of an API', () => {
  test('holds in every period, however long each request runs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ requests: fc.integer({ min: 1, max: 5 }), seconds: fc.integer({ min: 1, max: 3 }) }),
        fc.array(fc.integer({ min: 0, max: 250 }), { minLength: 1, maxLength: 25 }),
        async (limit, delays) => {
          const time = createManualTime();
          const arrived: number[] = [];
          void sendAll(rateAt(time, limit), time, delays, arrived);
          while (arrived.length < delays.length) {
            await settle();
            time.advance(10);
          }
          expect(maxInOnePeriod(arrived, limit.seconds)).toBeLessThanOrEqual(limit.requests);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('is nearly used up, so that twenty requests take at most 1.2 times the required time', async () => {
    const time = createManualTime();
    const arrived: number[] = [];
    void sendAll(rateAt(time), time, new Array(20).fill(100), arrived);
    while (arrived.length < 20) {
      await settle();
      time.advance(10);
    }
    expect(time.now()).toBeLessThanOrEqual(6_100 * 1.2);
  });

  test('is the stated limit after a response with headers', async () => {
    const time = createManualTime();
    const rate = rateAt(time);
    rate.learn({ 'x-rate-limit-limit': '50', 'x-rate-limit-interval': '1s', 'x-api-pool': 'public' });
    for (let sent = 0; sent < 50; sent += 1) (await rate.take()).sent();
    expect(rate.isUsedUp).toBe(true);
    expect(rate.perSecond).toBe(50);
  });

  test('counts only the requests of the current pool', async () => {
    const rate = rateAt(createManualTime());
    for (let sent = 0; sent < 3; sent += 1) (await rate.take()).sent();
    rate.learn({ 'x-api-pool': 'plus' });
    expect(rate.isUsedUp).toBe(false);
    rate.learn({ 'x-api-pool': 'public' });
    expect(rate.isUsedUp).toBe(true);
  });

  test('knows whether a request can be sent in time', async () => {
    const time = createManualTime();
    const rate = rateAt(time);
    expect([2, 3].map((ahead) => rate.canSendInTime(ahead, 500))).toEqual([true, false]);
    expect([59, 60].map((ahead) => rate.canSendInTime(ahead, 20_000))).toEqual([true, false]);
    for (let sent = 0; sent < 3; sent += 1) (await rate.take()).sent();
    expect(rate.canSendInTime(0, 500)).toBe(false);
    expect(rate.canSendInTime(0, 2_000)).toBe(true);
  });

  test('makes a request wait as long as the count that replicas share requires', async () => {
    const time = createManualTime();
    const waits = [300, 0];
    const sharedIn = (pool: string) => async () => (pool === 'public' ? (waits.shift() ?? 0) : 0);
    const rate = createApiRate({ limit: THREE_A_SECOND, pool: 'public', time, sharedIn });
    let isTaken = false;
    void rate.take().then(() => {
      isTaken = true;
    });
    await settle();
    expect(isTaken).toBe(false);
    time.advance(300);
    await settle();
    expect(isTaken).toBe(true);
  });
});

test('the number of parallel requests is the stated number, at most 12', () => {
  const stated = (value: string) => statedConcurrency({ 'x-concurrency-limit': value });
  expect(['3', '0', '900', 'many', ''].map(stated)).toEqual([3, null, 12, null, null]);
  expect(statedConcurrency({})).toBeNull();
});
