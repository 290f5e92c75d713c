// An account of memory with a timer that the test controls, and a log of its reservations.

import { GatewayError } from '../../src/errors.ts';
import { MemoryAccount } from '../../src/memory/account.ts';
import type { ReservingRequest } from '../../src/memory/admission-queue.ts';

const SIZES = { heapBytes: 4_000_000, bodyBytes: 1_000_000, responseBytes: 1_000_000 };
/** Three quarters of the heap are for large operations. */
export const LARGE_PART = 3_000_000;
export const SMALL_PART = 1_000_000;

export function createTestAccount() {
  const timers = new Set<() => void>();
  const warned: string[] = [];
  const account = new MemoryAccount(SIZES, {
    deadlineMs: 30_000,
    after(_, task) {
      timers.add(task);
      return () => timers.delete(task);
    },
    trouble: { warn: (kind) => void warned.push(kind) },
  });
  return { account, timers, warned, deadline: () => [...timers].forEach((task) => void task()) };
}

export function requestOf(client: string, signal = new AbortController().signal): ReservingRequest {
  return { requester: { client: { key: client } }, signal };
}

export const large = (heapBytes: number, responseBytes = 0) => ({ heapBytes, responseBytes });

/** Logs the name when the reservation is admitted, or the reason if it is rejected. */
export function logAdmission(log: string[], name: string, waiting: Promise<void> | undefined): void {
  if (waiting === undefined) log.push(name);
  else {
    waiting.then(
      () => log.push(name),
      (error: unknown) => log.push(`${name}: ${error instanceof GatewayError ? error.code : String(error)}`),
    );
  }
}

/** Waits for turns of the event loop. */
export const turns = async (count = 10) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
};
