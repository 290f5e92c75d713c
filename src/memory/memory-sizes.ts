// Divides the memory of a process: memory for caches, and memory for running requests on the heap and outside the heap.

/** The memory for all requests of a process together. */
export interface MemorySizes {
  readonly heapBytes: number;
  /** outside the heap, for bodies of requests */
  readonly bodyBytes: number;
  /** outside the heap, for responses that clients have not read yet */
  readonly responseBytes: number;
}

const MIB = 2 ** 20;

/** The share of each cache in the memory for all caches, which CACHE_MAX_BYTES limits. */
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

/** The caches leave this much of the heap free for requests. If the heap is small, the caches leave half of it. */
const WORKING_BYTES = 256 * MIB;
/** The share of the remaining heap that requests can reserve. The garbage collector needs the other part. */
const REQUESTS_SHARE = 0.7;

/** Memory for bodies: this, or twice the largest body if that is more. */
const BODY_BYTES = 64 * MIB;
/** Memory for responses: enough for six responses of the maximum size. */
const RESPONSE_BYTES = 192 * MIB;

/** What the head of a request takes on the heap, measured. */
const HEAD_SIZES = {
  /** the objects of Node for a request and its response */
  requestBytes: 2_100,
  /** a header in the list and in the object of all headers, without its characters */
  headerBytes: 125,
} as const;

export function headBytes(characters: number, headers: number): number {
  return HEAD_SIZES.requestBytes + arrivingBytes(characters, headers);
}

/** The memory for the part of a head that has arrived. */
export function arrivingBytes(characters: number, headers: number): number {
  return HEAD_SIZES.headerBytes * headers + characters;
}

/** Requests with more headers are refused. Balancers and browsers send about thirty. */
export const MAX_HEADERS = 100;

/** The size limit of each cache, in bytes. */
export type CacheSizes = Readonly<Record<keyof typeof CACHE_SHARES, number>>;

/** @param freeHeapBytes the heap limit without the objects that the process always needs */
export function cacheSizes(cacheMaxBytes: number, freeHeapBytes: number): CacheSizes {
  const bytes = Math.min(cacheMaxBytes, Math.max(freeHeapBytes - WORKING_BYTES, freeHeapBytes / 2));
  const shares = Object.entries(CACHE_SHARES).map(([cache, share]) => [cache, Math.floor(bytes * share)]);
  return Object.fromEntries(shares) as CacheSizes;
}

/** The memory that all requests together can reserve. */
export function memorySizes(freeHeapBytes: number, caches: CacheSizes, maxBodyBytes: number): MemorySizes {
  const cacheBytes = Object.values(caches).reduce((sum, bytes) => sum + bytes, 0);
  return {
    heapBytes: Math.floor((freeHeapBytes - cacheBytes) * REQUESTS_SHARE),
    ...outsideHeapBytes(maxBodyBytes),
  };
}

/** The memory outside the heap that all requests together can reserve. */
export function outsideHeapBytes(maxBodyBytes: number): Omit<MemorySizes, 'heapBytes'> {
  return {
    bodyBytes: Math.max(BODY_BYTES, 2 * maxBodyBytes),
    responseBytes: RESPONSE_BYTES,
  };
}
