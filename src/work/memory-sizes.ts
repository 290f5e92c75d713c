// How the memory of a process is shared: caches, work in hand, bytes outside the heap.

import type { AccountSizes } from './account.ts';

const MIB = 2 ** 20;

/** Each cache in memory, and its share of all of them. CACHE_MAX_BYTES bounds their sum. */
const CACHE_SHARES = {
  /** records, agencies and metadata of the live system */
  directory: 0.6,
  /** documents that were parsed and validated, with their plans */
  documents: 0.12,
  /** JSON of objects that come again */
  items: 0.16,
  /** queries that clients registered by their hash */
  registeredQueries: 0.04,
  /** the agency of each prefix */
  prefixAgencies: 0.04,
  /** names whose refresh failed a short time ago */
  failures: 0.04,
} as const;

/** Caches leave so much of the heap to work in hand, but at most half. */
const WORKING_BYTES = 256 * MIB;
/** The rest is for objects that wait for the garbage collector. */
const WORK_SHARE = 0.8;

/** At least two of the largest bodies and responses fit. */
const BODY_BYTES = 64 * MIB;
const RESPONSE_BYTES = 192 * MIB;

/** Bytes that each cache may hold. */
export type CacheSizes = Readonly<Record<keyof typeof CACHE_SHARES, number>>;

/** @param freeHeapBytes what the heap limit leaves beside the objects that the process needs anyway */
export function cacheSizes(cacheMaxBytes: number, freeHeapBytes: number): CacheSizes {
  const bytes = Math.min(cacheMaxBytes, Math.max(freeHeapBytes - WORKING_BYTES, freeHeapBytes / 2));
  const shares = Object.entries(CACHE_SHARES).map(([cache, share]) => [cache, Math.floor(bytes * share)]);
  return Object.fromEntries(shares) as CacheSizes;
}

/** What the caches at their largest leave of the heap is for work in hand. */
export function accountSizes(freeHeapBytes: number, caches: CacheSizes, maxBodyBytes: number): AccountSizes {
  const cacheBytes = Object.values(caches).reduce((sum, bytes) => sum + bytes, 0);
  return {
    heapBytes: Math.floor((freeHeapBytes - cacheBytes) * WORK_SHARE),
    ...outsideBytes(maxBodyBytes),
  };
}

/** What all requests may have in hand outside the heap. */
export function outsideBytes(maxBodyBytes: number): Omit<AccountSizes, 'heapBytes'> {
  return {
    bodyBytes: Math.max(BODY_BYTES, 2 * maxBodyBytes),
    responseBytes: RESPONSE_BYTES,
  };
}
