// A request rate, as the configuration, a service's documentation or its headers state it.

import type { RequestLimit } from '../metadata/metadata-rate-limits.ts';
import type { Time } from './deadlines.ts';
import type { RequestRate } from './running-requests.ts';
import type { SharedRate } from './shared-rate.ts';

export interface RequestWindow extends RequestRate {
  /** whether a request would have to wait now */
  readonly isUsedUp: boolean;
  admits(ahead: number, leftMs: number): boolean;
  /** Takes the limit that the host's headers state. */
  learn(limit: RequestLimit): void;
}

/**
 * @param limit null: no limit until the host states one
 * @param shared counts the requests of all replicas; left out: each process counts its own
 */
export function createRequestWindow(
  limit: RequestLimit | null,
  time: Time,
  shared?: SharedRate,
): RequestWindow {
  let current = limit;
  let sent = 0;
  let beganAt = Number.NEGATIVE_INFINITY;
  const pauses = new Set<() => void>();

  function endsInMs({ seconds }: RequestLimit): number {
    const leftMs = beganAt + seconds * 1_000 - time.now();
    if (leftMs > 0) return leftMs;
    begin();
    return seconds * 1_000;
  }

  function begin(): void {
    beganAt = time.now();
    sent = 0;
  }

  /** Does not keep the process alive. A new limit ends it. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel();
        pauses.delete(wake);
        resolve();
      };
      const cancel = time.alarm(ms, wake);
      pauses.add(wake);
    });
  }

  async function takeOwn(): Promise<void> {
    if (current === null) begin();
    while (current !== null) {
      const waitMs = endsInMs(current);
      if (sent < current.requests) break;
      await pause(waitMs);
    }
    sent += 1;
  }

  async function takeShared(take: SharedRate): Promise<void> {
    while (current !== null) {
      const waitMs = await take(current);
      if (waitMs === 0) return;
      await pause(waitMs);
    }
  }

  return {
    get perSecond() {
      return current === null ? Number.POSITIVE_INFINITY : current.requests / current.seconds;
    },
    get isUsedUp() {
      return current !== null && time.now() < beganAt + current.seconds * 1_000 && sent >= current.requests;
    },
    admits(ahead, leftMs) {
      if (current === null) return true;
      const endsIn = endsInMs(current);
      const windows = Math.max(0, Math.ceil((leftMs - endsIn) / (current.seconds * 1_000)));
      return ahead < Math.max(0, current.requests - sent) + windows * current.requests;
    },
    async take() {
      await takeOwn();
      if (shared !== undefined) await takeShared(shared);
    },
    learn(learned) {
      if (learned.requests === current?.requests && learned.seconds === current.seconds) return;
      current = learned;
      for (const wake of [...pauses]) wake();
    },
  };
}

const MAX_SECONDS = 3_600;

/** `X-Rate-Limit-Limit: 50` and `X-Rate-Limit-Interval: 1s`; null unless both are there. */
export function limitOfHeaders(limit: string | undefined, interval: string | undefined): RequestLimit | null {
  const requests = /^\s*(\d{1,6})\s*$/.exec(limit ?? '')?.[1];
  const seconds = /^\s*(\d{1,4})s?\s*$/.exec(interval ?? '')?.[1];
  if (requests === undefined || seconds === undefined) return null;
  const read = { requests: Number(requests), seconds: Number(seconds) };
  return read.requests > 0 && read.seconds > 0 && read.seconds <= MAX_SECONDS ? read : null;
}
