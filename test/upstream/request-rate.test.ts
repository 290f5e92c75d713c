// No more requests a second than may be sent, by one replica or by all together.

import { EventEmitter } from 'node:events';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { steadyClock } from '../../src/time.ts';
import { createRequestWindow, createSharedRate, type RequestRate } from '../../src/upstream/request-rate.ts';

const reason = new Error('the client has gone');

// rate-limiter-flexible knows no other clock.
beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Takes one after the other, as the queue does: the numbers of those that were let through by now. */
function take(rate: RequestRate, count: number): number[] {
  const granted: number[] = [];
  void (async () => {
    for (let index = 0; index < count; index += 1) {
      await rate.take();
      granted.push(index);
    }
  })();
  return granted;
}

/** The counter that replicas share, as far as the rate limiter uses it. */
class FakeRedis extends EventEmitter {
  status = 'ready';
  fails: boolean = false;
  calls = 0;
  private count = 0;
  private until = 0;

  defineCommand(): void {}

  async rlflxIncr([, points = '1', seconds = '1']: readonly string[]): Promise<[number, number]> {
    this.calls += 1;
    if (this.fails) throw new Error('ECONNRESET');
    if (Date.now() >= this.until) {
      this.count = 0;
      this.until = Date.now() + Number(seconds) * 1_000;
    }
    this.count += Number(points);
    return [this.count, this.until - Date.now()];
  }
}

function rateOf(perSecond: number, redis?: FakeRedis): RequestRate {
  const shared = redis && createSharedRate(redis as unknown as Redis, 'directory', steadyClock);
  return createRequestWindow({ requests: perSecond, seconds: 1 }, steadyClock, shared);
}

describe('one replica', () => {
  test('sends so many at once, and as many again each second, in their order', async () => {
    const granted = take(rateOf(3), 8);
    await vi.advanceTimersByTimeAsync(0);
    expect(granted).toEqual([0, 1, 2]);
    await vi.advanceTimersByTimeAsync(990);
    expect(granted).toEqual([0, 1, 2]);
    await vi.advanceTimersByTimeAsync(20);
    expect(granted).toEqual([0, 1, 2, 3, 4, 5]);
    await vi.advanceTimersByTimeAsync(1_020);
    expect(granted).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});

describe('replicas with Redis', () => {
  test('count together', async () => {
    const redis = new FakeRedis();
    const rates = [1, 2].map(() => rateOf(4, redis));
    const granted = rates.map((rate) => take(rate, 10));
    const total = () => granted.flat().length;
    await vi.advanceTimersByTimeAsync(0);
    expect(total()).toBe(4);
    await vi.advanceTimersByTimeAsync(1_010);
    expect(total()).toBe(8);
  });

  test('do not ask Redis for every one that waits', async () => {
    const redis = new FakeRedis();
    take(rateOf(4, redis), 1_000);
    await vi.advanceTimersByTimeAsync(900);
    expect(redis.calls).toBe(4);
  });

  test.each<[string, (redis: FakeRedis) => void]>([
    [
      'fails',
      (redis) => {
        redis.fails = true;
      },
    ],
    [
      'is not connected',
      (redis) => {
        redis.status = 'reconnecting';
      },
    ],
  ])('count each for itself while Redis %s', async (_, spoil) => {
    const redis = new FakeRedis();
    spoil(redis);
    const granted = take(rateOf(4, redis), 10);
    await vi.advanceTimersByTimeAsync(0);
    expect(granted).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(1_010);
    expect(granted).toHaveLength(8);
  });
});

test('a Redis that fails is left alone for a second, then it counts again', async () => {
  const redis = new FakeRedis();
  const rate = rateOf(1_000, redis);
  redis.fails = true;
  const granted = take(rate, 500);
  await vi.advanceTimersByTimeAsync(10);
  expect(granted).toHaveLength(500);
  expect(redis.calls).toBe(1);
  redis.fails = false;
  await vi.advanceTimersByTimeAsync(1_000);
  take(rate, 5);
  await vi.advanceTimersByTimeAsync(10);
  expect(redis.calls).toBe(6);
});

test('time that sleeps is let go by its signal, and leaves no timer behind', async () => {
  const controller = new AbortController();
  const slept = steadyClock.sleep(60_000, controller.signal);
  controller.abort(reason);
  await expect(slept).rejects.toBe(reason);
  expect(vi.getTimerCount()).toBe(0);
});
