// Divides the memory of a process: between the caches, and work in hand on the heap and outside it.

import type { WorkMemorySizes } from './account.ts';

const MIB = 2 ** 20;

/** Each cache in memory, and its share of the memory for all caches. CACHE_MAX_BYTES limits their sum. */
const CACHE_SHARES = {
  /** records, agencies and metadata of the live system */
  directory: 0.6,
  /** documents that were parsed and validated, with their plans */
  documents: 0.12,
  /** JSON of objects that many requests select */
  items: 0.16,
  /** queries that clients registered by their hash */
  registeredQueries: 0.04,
  /** the agency of each prefix */
  prefixAgencies: 0.04,
  /** names whose refresh failed recently */
  failures: 0.04,
} as const;

/** The caches leave this much of the free heap to work in hand. If the heap is small, they leave half of it. */
const WORKING_BYTES = 256 * MIB;
/** The share of the remaining heap for work in hand. The rest is for objects that wait for the garbage collector. */
const WORK_SHARE = 0.8;

/** The least memory for bodies. There is always memory for two of the largest bodies. */
const BODY_BYTES = 64 * MIB;
/** Six of the largest responses of 32 MiB. */
const RESPONSE_BYTES = 192 * MIB;

/** The size limit of each cache, in bytes. */
export type CacheSizes = Readonly<Record<keyof typeof CACHE_SHARES, number>>;

/** @param freeHeapBytes the heap limit without the objects that the process always needs */
export function cacheSizes(cacheMaxBytes: number, freeHeapBytes: number): CacheSizes {
  const bytes = Math.min(cacheMaxBytes, Math.max(freeHeapBytes - WORKING_BYTES, freeHeapBytes / 2));
  const shares = Object.entries(CACHE_SHARES).map(([cache, share]) => [cache, Math.floor(bytes * share)]);
  return Object.fromEntries(shares) as CacheSizes;
}

/** Work in hand gets WORK_SHARE of the heap that full caches leave free, and bytes outside the heap. */
export function workMemorySizes(
  freeHeapBytes: number,
  caches: CacheSizes,
  maxBodyBytes: number,
): WorkMemorySizes {
  const cacheBytes = Object.values(caches).reduce((sum, bytes) => sum + bytes, 0);
  return {
    heapBytes: Math.floor((freeHeapBytes - cacheBytes) * WORK_SHARE),
    ...outsideBytes(maxBodyBytes),
  };
}

/** The memory outside the heap for all requests together. */
export function outsideBytes(maxBodyBytes: number): Omit<WorkMemorySizes, 'heapBytes'> {
  return {
    bodyBytes: Math.max(BODY_BYTES, 2 * maxBodyBytes),
    responseBytes: RESPONSE_BYTES,
  };
}
