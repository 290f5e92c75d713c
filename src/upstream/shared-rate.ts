// A request rate that all replicas share. Redis counts their requests.

import type { Cluster, Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RequestLimit } from '../metadata/metadata-rate-limits.ts';
import type { Time } from './deadlines.ts';

/**
 * Adds one request to the count of the current window. Resolves with 0 if the caller can send the request now, else with
 * the milliseconds until the caller can try again. While Redis fails, it always resolves with 0.
 */
export type SharedRate = (limit: RequestLimit) => Promise<number>;

/** After a failure of Redis, requests are not counted for this time. Otherwise each request would wait for a timeout. */
const BYPASS_MS = 1_000;

/** @param name replicas with the same name share one count */
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
