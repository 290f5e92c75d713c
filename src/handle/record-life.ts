// How long an answer of the directory is fresh: a record, or the absence of a name.

import type { HandleStatus } from './response-codes.ts';
import { toEpochMs } from './time.ts';
import type { HandleValue } from './value.ts';

export const LONGEST_LIFE_MS = 86_400_000;

/** How long the absence of a name is fresh. Short, because the name can be registered at any time. */
export const ABSENT_LIFE_MS = 300_000;

/** How long a record is fresh: the smallest ttl of its values, and at most a day. */
export function recordLifeMs(
  status: HandleStatus,
  values: readonly HandleValue[],
  fetchedAt: number,
): number {
  if (status === 'ERROR') return 0;
  if (status !== 'SUCCESS') return ABSENT_LIFE_MS;
  let lifeMs = LONGEST_LIFE_MS;
  for (const value of values) {
    lifeMs = Math.min(lifeMs, valueLifeMs(value, fetchedAt));
    if (lifeMs <= 0) return 0;
  }
  return lifeMs;
}

function valueLifeMs({ ttl, wire }: HandleValue, fetchedAt: number): number {
  if (ttl !== null) return ttl * 1000;
  const expiresAt = wire['ttl'];
  // A value with an unreadable time is stale at once. A value without a ttl is fresh as long as possible.
  return typeof expiresAt === 'string' ? (toEpochMs(expiresAt) ?? fetchedAt) - fetchedAt : LONGEST_LIFE_MS;
}
