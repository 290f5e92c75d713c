// The request rate of one host, as its documentation or its headers state it.

import type { RequestLimit } from '../../metadata/metadata-rate-limits.ts';
import type { Time } from '../deadlines.ts';
import type { RequestRate } from '../running-requests.ts';

/** Each process counts its own requests. */
export interface RequestWindow extends RequestRate {
  /** whether a request would have to wait now */
  readonly isUsedUp: boolean;
  admits(ahead: number, leftMs: number): boolean;
  /** Takes the limit that the host's headers state. */
  learn(limit: RequestLimit): void;
}

/** @param limit null: no limit until the host states one */
export function createRequestWindow(limit: RequestLimit | null, time: Time): RequestWindow {
  let current = limit;
  let sent = 0;
  let beganAt = Number.NEGATIVE_INFINITY;
  let wake = (): void => {};

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

  /** Does not keep the process alive. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = time.alarm(ms, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
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
      if (current === null) begin();
      while (current !== null) {
        const waitMs = endsInMs(current);
        if (sent < current.requests) break;
        await pause(waitMs);
      }
      sent += 1;
    },
    learn(limit) {
      if (limit.requests === current?.requests && limit.seconds === current.seconds) return;
      current = limit;
      wake();
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
