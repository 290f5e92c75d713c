import { EventEmitter } from 'node:events';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { steadyClock } from '../../src/time.ts';
import {
  createRequestWindow,
  createSharedRate,
  type RequestRate,
  statedLimit,
} from '../../src/upstream/request-rate.ts';
import { createManualTime } from './manual-time.ts';

/** Takes `count` times, one take after the other. The result grows with each take that resolves. */
function take(rate: Pick<RequestRate, 'take'>, count: number): number[] {
  const granted: number[] = [];
  void (async () => {
    for (let index = 0; index < count; index += 1) {
      await rate.take();
      granted.push(index);
    }
  })();
  return granted;
}

describe('a request window', () => {
  test('admits its number of requests, and the next window admits the next request', async () => {
    const time = createManualTime();
    const window = createRequestWindow({ requests: 2, seconds: 10 }, time);
    await window.take();
    await window.take();
    const granted = take(window, 1);
    time.advance(9_999);
    await Promise.resolve();
    expect(granted).toEqual([]);
    time.advance(1);
    await expect.poll(() => granted).toEqual([0]);
  });

  test('knows whether a request can be sent in time', async () => {
    const time = createManualTime();
    const window = createRequestWindow({ requests: 2, seconds: 10 }, time);
    await window.take();
    expect([0, 1].map((ahead) => window.canSendInTime(ahead, 5_000))).toEqual([true, false]);
    expect([2, 3].map((ahead) => window.canSendInTime(ahead, 10_001))).toEqual([true, false]);
    time.advance(10_000);
    expect([1, 2].map((ahead) => window.canSendInTime(ahead, 5_000))).toEqual([true, false]);
  });

  test('has no limit until it learns a limit, and then also counts the earlier requests', async () => {
    const window = createRequestWindow(null, createManualTime());
    await window.take();
    expect(window.canSendInTime(1_000_000, 1)).toBe(true);
    window.learn({ requests: 2, seconds: 1 });
    await window.take();
    expect(window.canSendInTime(0, 500)).toBe(false);
  });

  test('admits waiting requests when it learns a higher limit', async () => {
    const window = createRequestWindow({ requests: 1, seconds: 300 }, createManualTime());
    await window.take();
    const second = window.take();
    window.learn({ requests: 50, seconds: 1 });
    await second;
    expect(window.perSecond).toBe(50);
  });
});

test.each([
  ['50', '1s', { requests: 50, seconds: 1 }],
  ['3000', '60', { requests: 3_000, seconds: 60 }],
  ['50', undefined, null],
  [undefined, '1s', null],
  ['0', '1s', null],
  ['50', '0s', null],
  ['50', '9999s', null],
  ['50, 50', '1s', null],
  ['-1', '1s', null],
])('the headers with the limit %s and the interval %s are read', (limit, interval, read) => {
  const headers = { 'x-rate-limit-limit': limit, 'x-rate-limit-interval': interval };
  expect(statedLimit(headers)).toEqual(read);
});

describe('replicas with Redis', () => {
  // rate-limiter-flexible accepts no other clock.
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  /** The counter that replicas share. It has only the members that the rate limiter uses. */
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

  function rateOf(perSecond: number, redis: FakeRedis): RequestRate {
    const shared = createSharedRate(redis as unknown as Redis, 'directory', steadyClock);
    return createRequestWindow({ requests: perSecond, seconds: 1 }, steadyClock, shared);
  }

  test('share one rate', async () => {
    const redis = new FakeRedis();
    const granted = [1, 2].map(() => take(rateOf(4, redis), 10));
    await vi.advanceTimersByTimeAsync(0);
    expect(granted.flat()).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(1_010);
    expect(granted.flat()).toHaveLength(8);
  });

  test('send Redis one command for each request that they send, not for waiting requests', async () => {
    const redis = new FakeRedis();
    take(rateOf(4, redis), 1_000);
    await vi.advanceTimersByTimeAsync(900);
    expect(redis.calls).toBe(4);
  });

  test.each([
    ['fails', { fails: true }],
    ['is not connected', { status: 'reconnecting' }],
  ])('use their own counts while Redis %s', async (_, state) => {
    const granted = take(rateOf(4, Object.assign(new FakeRedis(), state)), 10);
    await vi.advanceTimersByTimeAsync(0);
    expect(granted).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(1_010);
    expect(granted).toHaveLength(8);
  });

  test('bypass Redis for a second after a failure', async () => {
    const redis = Object.assign(new FakeRedis(), { fails: true });
    const rate = rateOf(1_000, redis);
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
});
