// Limits the request rate: at most N requests in a window of some seconds. The limit comes from the configuration, from
// the documentation of a service, or from its response headers.

import type { RequestLimit } from '../metadata/metadata-rate-limits.ts';
import type { Time } from './deadlines.ts';
import type { RequestRate } from './running-requests.ts';
import type { SharedRate } from './shared-rate.ts';

export interface RequestWindow extends RequestRate {
  /** whether a request must wait for the next window */
  readonly isUsedUp: boolean;
  canSendInTime(ahead: number, leftMs: number): boolean;
  /** Sets the limit from the headers of a response. */
  learn(limit: RequestLimit): void;
}

/**
 * @param limit null: no limit until `learn`
 * @param shared counts the requests of all replicas. Default: each process counts only its own requests.
 */
export function createRequestWindow(
  limit: RequestLimit | null,
  time: Time,
  shared?: SharedRate,
): RequestWindow {
  let current = limit;
  let sent = 0;
  let beganAt = Number.NEGATIVE_INFINITY;
  const pauses = createPauses(time);

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

  async function takeOwn(): Promise<void> {
    if (current === null) begin();
    while (current !== null) {
      const waitMs = endsInMs(current);
      if (sent < current.requests) break;
      await pauses.pause(waitMs);
    }
    sent += 1;
  }

  async function takeShared(take: SharedRate): Promise<void> {
    while (current !== null) {
      const waitMs = await take(current);
      if (waitMs === 0) return;
      await pauses.pause(waitMs);
    }
  }

  return {
    get perSecond() {
      return current === null ? Number.POSITIVE_INFINITY : current.requests / current.seconds;
    },
    get isUsedUp() {
      return current !== null && time.now() < beganAt + current.seconds * 1_000 && sent >= current.requests;
    },
    canSendInTime(ahead, leftMs) {
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
      pauses.endAll();
    },
  };
}

const MAX_SECONDS = 3_600;

/** Reads `X-Rate-Limit-Limit: 50` and `X-Rate-Limit-Interval: 1s`. Null if one of them is missing or invalid. */
export function limitOfHeaders(limit: string | undefined, interval: string | undefined): RequestLimit | null {
  const requests = /^\s*(\d{1,6})\s*$/.exec(limit ?? '')?.[1];
  const seconds = /^\s*(\d{1,4})s?\s*$/.exec(interval ?? '')?.[1];
  if (requests === undefined || seconds === undefined) return null;
  const read = { requests: Number(requests), seconds: Number(seconds) };
  return read.requests > 0 && read.seconds > 0 && read.seconds <= MAX_SECONDS ? read : null;
}

/** Pauses that can end early, for example when the rate changes. */
export interface Pauses {
  /** Resolves after `ms`, or earlier at `endAll`. The pause does not keep the process alive. `ms` can be Infinity. */
  pause(ms: number): Promise<void>;
  endAll(): void;
}

export function createPauses(time: Pick<Time, 'alarm'>): Pauses {
  const pauses = new Set<() => void>();
  return {
    pause: (ms) =>
      new Promise((resolve) => {
        const end = (): void => {
          cancel();
          pauses.delete(end);
          resolve();
        };
        const cancel = Number.isFinite(ms) ? time.alarm(Math.max(1, ms), end) : () => {};
        pauses.add(end);
      }),
    endAll() {
      for (const end of [...pauses]) end();
    },
  };
}
