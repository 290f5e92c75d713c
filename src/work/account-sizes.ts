// How large the account of work in hand is.

import type { AccountSizes } from './account.ts';

const MIB = 2 ** 20;

/** Two of the largest have to fit. */
const BODY_BYTES = 64 * MIB;
const RESPONSE_BYTES = 192 * MIB;

/** Of what caches leave of the heap, a fifth is for objects that nothing needs any more. */
const WORK_SHARE = 0.8;
/** Also where caches may fill the heap: work goes on, and Node collects garbage more often. */
const LEAST_SHARE = 1 / 4;

export interface ProcessMemory {
  readonly heapLimitBytes: number;
  /** what the process holds before it serves, and the most that its caches may hold */
  readonly heldBytes: number;
  readonly maxBodyBytes: number;
  readonly maxResponseBytes: number;
}

export function accountSizes({ heapLimitBytes, heldBytes, ...largest }: ProcessMemory): AccountSizes {
  const heapBytes = Math.max((heapLimitBytes - heldBytes) * WORK_SHARE, heapLimitBytes * LEAST_SHARE);
  return { heapBytes: Math.floor(heapBytes), ...outsideBytes(largest) };
}

/** What all requests may have in hand outside the heap. */
export function outsideBytes({
  maxBodyBytes,
  maxResponseBytes,
}: Pick<ProcessMemory, 'maxBodyBytes' | 'maxResponseBytes'>): Omit<AccountSizes, 'heapBytes'> {
  return {
    bodyBytes: Math.max(BODY_BYTES, 2 * maxBodyBytes),
    responseBytes: Math.max(RESPONSE_BYTES, 2 * maxResponseBytes),
  };
}
