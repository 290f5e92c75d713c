// The shared tier of a replica on the Redis of a test.

import type { SharedTier } from '../../src/cache/cached-entry.ts';
import { createRedisTier, type RedisTierOptions } from '../../src/cache/redis-tier.ts';
import { redisUrl } from '../../src/config-variables/redis-url.ts';
import { createLog } from '../../src/log.ts';
import { createMetrics } from '../../src/metrics.ts';

/** the default start of all keys */
export const PREFIX = 'tests:';

export function createTierOn(
  url: string,
  options: Partial<Omit<RedisTierOptions, 'address'>> = {},
): SharedTier {
  const defaults = { prefix: PREFIX, log: createLog('silent'), metrics: createMetrics() };
  return createRedisTier({ address: redisUrl.parse(url), ...defaults, ...options });
}
