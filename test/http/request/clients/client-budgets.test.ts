// The budget of each client limits its look-ups in a time. The gateway counts in memory or in Redis.

import { EventEmitter } from 'node:events';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GatewayError } from '../../../../src/errors.ts';
import { policyOf } from '../../../../src/http/request/clients/budget-policy.ts';
import {
  type BudgetWithHeaders,
  createClientBudgets,
  MAX_CLIENTS,
} from '../../../../src/http/request/clients/client-budgets.ts';

// rate-limiter-flexible has no other clock.
beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const POLICY = policyOf(2, 6);
const now = () => Date.now();

/** Takes look-ups one by one. Returns how many were allowed, and the waits of the refused look-ups. */
async function take(
  budget: BudgetWithHeaders,
  count: number,
): Promise<[allowed: number, retryAfterSeconds: unknown[]]> {
  const results = await Promise.allSettled(Array.from({ length: count }, () => budget.take(1)));
  const waits = results.flatMap((result) => {
    if (result.status === 'fulfilled') return [];
    const error = result.reason as GatewayError;
    expect([error.code, error.httpStatus, error.retryable]).toEqual(['RATE_LIMITED', 429, true]);
    return [error.details['retryAfterSeconds']];
  });
  return [count - waits.length, waits];
}

test.each([
  [2, 6, { quota: 6, windowSeconds: 3 }],
  [2, null, { quota: 20, windowSeconds: 10 }],
  [3, 10, { quota: 10, windowSeconds: 4 }],
  [5, 5, { quota: 5, windowSeconds: 1 }],
])('%i look-ups a second with a burst of %s make the policy %j', (perSecond, burst, policy) => {
  expect(policyOf(perSecond, burst)).toEqual(policy);
  expect(policy.quota / policy.windowSeconds).toBeLessThanOrEqual(perSecond);
});

describe('a budget in memory', () => {
  test('allows a burst, and no more before its window ends', async () => {
    const budget = createClientBudgets({ redis: null, now }).of('a', POLICY);
    expect(await take(budget, 8)).toEqual([6, [3, 3]]);
    vi.advanceTimersByTime(1_900);
    expect(await take(budget, 1)).toEqual([0, [2]]);
    vi.advanceTimersByTime(1_100);
    expect((await take(budget, 8))[0]).toBe(6);
  });

  test('is shared by all requests of a client that run at once', async () => {
    const budgets = createClientBudgets({ redis: null, now });
    const requests = Array.from({ length: 50 }, () => budgets.of('a', POLICY));
    const taken = await Promise.all(requests.map((budget) => take(budget, 20)));
    expect(taken.reduce((sum, [count]) => sum + count, 0)).toBe(6);
  });

  test('of a client does not change the budget of another client', async () => {
    const budgets = createClientBudgets({ redis: null, now });
    await take(budgets.of('a', POLICY), 100);
    expect((await take(budgets.of('b', POLICY), 6))[0]).toBe(6);
  });

  test('refuses more look-ups than are left, and takes none of them', async () => {
    const budget = createClientBudgets({ redis: null, now }).of('a', POLICY);
    await budget.take(4);
    await expect(budget.take(3)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(budget.take(2)).resolves.toBeUndefined();
  });

  test('reports its policy, the remaining look-ups, and the seconds to the end of its window', async () => {
    const budgets = createClientBudgets({ redis: null, now });
    const left = (key = 'a') => budgets.of(key, POLICY).headers[3];
    expect(budgets.of('a', POLICY).headers).toEqual([
      'RateLimit-Policy',
      '"lookups";q=6;w=3',
      'RateLimit',
      '"lookups";r=6',
    ]);
    await budgets.of('a', POLICY).take(1);
    vi.advanceTimersByTime(500);
    expect(left()).toBe('"lookups";r=5;t=3');
    await take(budgets.of('a', POLICY), 10);
    vi.advanceTimersByTime(1_600);
    expect(left()).toBe('"lookups";r=0;t=1');
    expect(left('b')).toBe('"lookups";r=6');
    vi.advanceTimersByTime(900);
    expect(left()).toBe('"lookups";r=6');
  });

  test('starts full for another policy', async () => {
    const budgets = createClientBudgets({ redis: null, now });
    await take(budgets.of('a', POLICY), 6);
    expect((await take(budgets.of('a', policyOf(3, 6)), 10))[0]).toBe(6);
  });

  test('is kept only for the latest clients, up to a limit', async () => {
    const budgets = createClientBudgets({ redis: null, now });
    const first = budgets.of('first', POLICY);
    await take(first, 6);
    for (let client = 1; client < MAX_CLIENTS; client += 1) await budgets.of(`${client}`, POLICY).take(1);
    expect((await take(first, 1))[0]).toBe(0);
    for (let client = 0; client < MAX_CLIENTS; client += 1)
      await budgets.of(`other ${client}`, POLICY).take(1);
    expect(vi.getTimerCount()).toBe(0);
    expect((await take(first, 6))[0]).toBe(6);
  });

  test('ends its window in time after the system clock goes back by an hour', async () => {
    let monotonicMs = 0;
    vi.setSystemTime(3_600_000);
    const budget = createClientBudgets({ redis: null, now: () => monotonicMs }).of('a', POLICY);
    await take(budget, 6);
    vi.setSystemTime(0);
    expect(await take(budget, 1)).toEqual([0, [3]]);
    monotonicMs = 3_000;
    expect((await take(budget, 7))[0]).toBe(6);
  });
});

/** The commands of Redis that the rate limiter uses. */
class FakeRedis extends EventEmitter {
  status = 'ready';
  fault: 'fails' | 'hangs' | null = null;
  readonly calls: string[] = [];
  private readonly counts = new Map<string, { count: number; until: number }>();

  defineCommand(): void {}

  async rlflxIncr([key = '', points = '1', seconds = '1']: readonly string[]): Promise<[number, number]> {
    this.calls.push(key);
    if (this.fault === 'hangs') return new Promise(() => {});
    if (this.fault === 'fails') throw new Error('ECONNRESET');
    const known = this.counts.get(key);
    const entry =
      known && Date.now() < known.until ? known : { count: 0, until: Date.now() + Number(seconds) * 1_000 };
    this.counts.set(key, entry);
    entry.count += Number(points);
    return [entry.count, entry.until - Date.now()];
  }
}

describe('a budget in Redis', () => {
  function replicas() {
    const redis = new FakeRedis();
    const make = () => createClientBudgets({ redis: redis as unknown as Redis, now });
    return { redis, a: make(), b: make() };
  }

  test('is shared by all replicas', async () => {
    const { redis, a, b } = replicas();
    expect((await take(a.of('x', POLICY), 4))[0]).toBe(4);
    expect(await take(b.of('x', POLICY), 4)).toEqual([2, [3, 3]]);
    expect(new Set(redis.calls)).toEqual(new Set(['lookups:6/3:x']));
  });

  test('that has refused a look-up sends no request to Redis before its window ends', async () => {
    const { redis, a } = replicas();
    await take(a.of('x', POLICY), 7);
    expect(redis.calls).toHaveLength(7);
    expect((await take(a.of('x', POLICY), 1_000))[0]).toBe(0);
    expect(redis.calls).toHaveLength(7);
    await vi.advanceTimersByTimeAsync(3_001);
    expect((await take(a.of('x', POLICY), 6))[0]).toBe(6);
  });

  test('is counted in memory while Redis fails, and in Redis again a second after Redis recovers', async () => {
    const { redis, a } = replicas();
    redis.fault = 'fails';
    expect((await take(a.of('x', POLICY), 100))[0]).toBe(6);
    const callsBefore = redis.calls.length;
    expect((await take(a.of('y', POLICY), 100))[0]).toBe(6);
    expect(redis.calls).toHaveLength(callsBefore);
    redis.fault = null;
    await vi.advanceTimersByTimeAsync(1_001);
    expect((await take(a.of('z', POLICY), 1))[0]).toBe(1);
    expect(redis.calls.at(-1)).toBe('lookups:6/3:z');
  });

  test('is counted in memory if Redis does not respond in time', async () => {
    const { redis, a } = replicas();
    redis.fault = 'hangs';
    const taken = take(a.of('x', POLICY), 10);
    await vi.advanceTimersByTimeAsync(250);
    expect((await taken)[0]).toBe(6);
  });

  test('is counted in memory before Redis is connected', async () => {
    const { redis, a } = replicas();
    redis.status = 'connecting';
    expect((await take(a.of('x', POLICY), 10))[0]).toBe(6);
    expect(redis.calls).toEqual([]);
  });
});
