// Watches whether a client keeps the limits of an API.

import type { Limit } from './agency-api.ts';

/**
 * The one tolerance. Requests that were sent a second apart may arrive a little closer: the clocks of two processes and
 * their event loops are not exact.
 */
const JITTER_MS = 50;

export interface RateReferee {
  /** Returns the limit that a request breaks now, or null. The request runs until `end` is called. */
  begin(kind: string, limit: Limit): string | null;
  end(limit: Limit): void;
}

/** Each pool and kind has a sliding window: no interval of this length may have more requests than the limit. */
export function createRateReferee(now: () => number): RateReferee {
  const arrivals = new Map<string, number[]>();
  const running = new Map<string, number>();
  return {
    begin(kind, { pool, requests, seconds, concurrency }) {
      const atOnce = (running.get(pool) ?? 0) + 1;
      running.set(pool, atOnce);
      const key = `${pool} ${kind}`;
      const began = now();
      const recent = (arrivals.get(key) ?? []).filter((at) => at > began - seconds * 1_000 + JITTER_MS);
      recent.push(began);
      arrivals.set(key, recent);
      if (recent.length > requests) return `${key}: ${recent.length} requests in ${seconds} s`;
      return atOnce > concurrency ? `${pool}: ${atOnce} requests at the same time` : null;
    },
    end({ pool }) {
      running.set(pool, (running.get(pool) ?? 1) - 1);
    },
  };
}
