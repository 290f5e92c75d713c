// A request rate that all replicas share. Redis counts their requests.

import type { Cluster, Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RequestLimit } from '../metadata/metadata-rate-limits.ts';
import type { Time } from './deadlines.ts';

/**
 * Takes one request of the window. Returns 0, or the milliseconds to wait before the next try. While Redis fails,
 * always 0.
 */
export type SharedRate = (limit: RequestLimit) => Promise<number>;

/** After a failure, requests bypass Redis for this time. If Redis hangs, each request would wait for a timeout. */
const BYPASS_MS = 1_000;

/** @param name replicas that use the same name share the window */
export function createSharedRate(redis: Redis | Cluster, name: string, time: Pick<Time, 'now'>): SharedRate {
  let limiter: RateLimiterRedis | undefined;
  let bypassedUntil = Number.NEGATIVE_INFINITY;

  /** Makes a new limiter only when the service states another limit. */
  function limiterOf({ requests, seconds }: RequestLimit): RateLimiterRedis {
    if (limiter?.points === requests && limiter.duration === seconds) return limiter;
    limiter = new RateLimiterRedis({
      keyPrefix: 'doi-gateway:rate',
      points: requests,
      duration: seconds,
      storeClient: redis,
      rejectIfRedisNotReady: true,
    });
    return limiter;
  }

  return async (limit) => {
    if (time.now() < bypassedUntil) return 0;
    try {
      await limiterOf(limit).consume(name);
      return 0;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext);
      bypassedUntil = time.now() + BYPASS_MS;
      return 0;
    }
  };
}
