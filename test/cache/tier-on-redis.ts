// The tier of a replica on a Redis of the test's own.

import type { SharedTier } from '../../src/cache/cached-entry.ts';
import { createRedisTier, type RedisTierOptions } from '../../src/cache/redis-tier.ts';
import { redisUrl } from '../../src/config-variables/redis-url.ts';
import { createLog } from '../../src/log.ts';
import { createMetrics } from '../../src/metrics.ts';

/** what its keys begin with, unless a test says otherwise */
export const PREFIX = 'tests:';

/** It logs nothing, and its metrics are nobody's, unless a test says otherwise. */
export function createTierOn(
  url: string,
  options: Partial<Omit<RedisTierOptions, 'address'>> = {},
): SharedTier {
  const defaults = { prefix: PREFIX, log: createLog('silent'), metrics: createMetrics() };
  return createRedisTier({ address: redisUrl.parse(url), ...defaults, ...options });
}
