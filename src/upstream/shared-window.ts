// Counts events of all replicas in one window of time, in Redis.

import type { Cluster, Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';

/**
 * Adds to a count, and returns the count and the milliseconds until its window ends.
 * KEYS: 1. the count. ARGV: 1. how many to add; 2. the seconds of a window.
 * Redis stores the end of a window as a time of day. If the clock of Redis is set back, windows end too late. So a window
 * that ends later than one window from now is replaced.
 */
const COUNT = `
local windowMs = 1000 * ARGV[2]
local leftMs = redis.call('PTTL', KEYS[1])
if leftMs <= 0 or leftMs > windowMs then
  redis.call('SET', KEYS[1], 0, 'PX', windowMs)
  leftMs = windowMs
end
return { redis.call('INCRBY', KEYS[1], ARGV[1]), leftMs }
`;

/** Its `consume` rejects with a RateLimiterRes if the window is full, and with other errors if Redis fails. */
export function createSharedWindow(
  redis: Redis | Cluster,
  keyPrefix: string,
  { requests, seconds }: { readonly requests: number; readonly seconds: number },
): RateLimiterRedis {
  return new RateLimiterRedis({
    keyPrefix,
    points: requests,
    duration: seconds,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    customIncrTtlLuaScript: COUNT,
  });
}
