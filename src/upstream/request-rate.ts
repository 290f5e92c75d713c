// Limits the request rate: at most N requests in a window of some seconds. The limit comes from the configuration, from
// the documentation of a service, or from its response headers. With Redis, all replicas share the rate.

import type { Cluster, Redis } from 'ioredis';
import { type RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from '../time.ts';
import type { RequestLimit } from './agencies/agency-limits.ts';
import { firstValue, type ResponseHead } from './response-body.ts';
import { createSharedWindow } from './shared-window.ts';

export interface RequestRate {
  readonly perSecond: number;
  /** Whether a client could send `ahead` requests and then one more within `leftMs`, if there were no other clients. */
  canSendInTime(ahead: number, leftMs: number): boolean;
  /** Resolves when the caller can send one request. The caller must await the promise before the next call. */
  take(): Promise<void>;
}

export type RequestWindow = ReturnType<typeof createRequestWindow>;

/**
 * @param limit null: no limit until `learn`
 * @param shared counts the requests of all replicas. Default: each process counts only its own requests.
 */
export function createRequestWindow(limit: RequestLimit | null, time: Clock, shared?: SharedRate) {
  let current = limit;
  let sent = 0;
  let beganAt = Number.NEGATIVE_INFINITY;
  const pauses = createPauses(time);

  /** The time left in the current window. If the window has ended, begins the next window. */
  function windowLeftMs({ seconds }: RequestLimit): number {
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
      const waitMs = windowLeftMs(current);
      if (sent < current.requests) break;
      await pauses.pause(waitMs);
    }
    sent += 1;
  }

  return {
    get perSecond() {
      return current === null ? Number.POSITIVE_INFINITY : current.requests / current.seconds;
    },
    /** whether a request must wait for the next window */
    get isUsedUp() {
      return current !== null && time.now() < beganAt + current.seconds * 1_000 && sent >= current.requests;
    },
    canSendInTime(ahead: number, leftMs: number): boolean {
      if (current === null) return true;
      const currentLeftMs = windowLeftMs(current);
      const windows = Math.max(0, Math.ceil((leftMs - currentLeftMs) / (current.seconds * 1_000)));
      return ahead < Math.max(0, current.requests - sent) + windows * current.requests;
    },
    async take(): Promise<void> {
      await takeOwn();
      await takeShared(pauses, () => (current === null ? undefined : shared?.(current)));
    },
    /** Sets the limit from the headers of a response. */
    learn(learned: RequestLimit): void {
      if (learned.requests === current?.requests && learned.seconds === current.seconds) return;
      current = learned;
      pauses.endAll();
    },
  };
}

const MAX_SECONDS = 3_600;

/** Reads `X-Rate-Limit-Limit: 50` and `X-Rate-Limit-Interval: 1s`. Null if one of these headers is missing or invalid. */
export function statedLimit(headers: ResponseHead['headers']): RequestLimit | null {
  const requests = /^\s*(\d{1,6})\s*$/.exec(firstValue(headers['x-rate-limit-limit']) ?? '')?.[1];
  const seconds = /^\s*(\d{1,4})s?\s*$/.exec(firstValue(headers['x-rate-limit-interval']) ?? '')?.[1];
  if (requests === undefined || seconds === undefined) return null;
  const read = { requests: Number(requests), seconds: Number(seconds) };
  return read.requests > 0 && read.seconds > 0 && read.seconds <= MAX_SECONDS ? read : null;
}

/** Pauses that can end early, for example when the rate changes. */
export function createPauses(time: Pick<Clock, 'after'>) {
  const pauses = new Set<() => void>();
  return {
    /** Resolves after `ms`, or earlier at `endAll`. The pause does not keep the process alive. `ms` can be Infinity. */
    pause: (ms: number) =>
      new Promise<void>((resolve) => {
        const end = (): void => {
          cancel();
          pauses.delete(end);
          resolve();
        };
        const cancel = Number.isFinite(ms) ? time.after(Math.max(1, ms), end) : () => {};
        pauses.add(end);
      }),
    endAll(): void {
      for (const end of [...pauses]) end();
    },
  };
}

/** Waits until all replicas together can send one more request. @param take undefined: there is no shared rate */
export async function takeShared(
  pauses: ReturnType<typeof createPauses>,
  take: () => Promise<number> | undefined,
): Promise<void> {
  for (let waitMs = await take(); waitMs; waitMs = await take()) await pauses.pause(waitMs);
}

/**
 * Adds one request to the count of the current window. Resolves with 0 if the caller can send the request now, else with
 * the milliseconds until the caller can try again. Always resolves with 0 while Redis fails.
 */
export type SharedRate = (limit: RequestLimit) => Promise<number>;

/** After a failure of Redis, requests are not counted for this time. Otherwise each request would wait for a timeout. */
const BYPASS_MS = 1_000;

/** @param name replicas with the same name share one count */
export function createSharedRate(redis: Redis | Cluster, name: string, time: Pick<Clock, 'now'>): SharedRate {
  let limiter: RateLimiterRedis | undefined;
  let bypassedUntil = Number.NEGATIVE_INFINITY;

  /** Makes a new limiter only when the service states another limit. */
  function limiterOf(limit: RequestLimit): RateLimiterRedis {
    if (limiter?.points === limit.requests && limiter.duration === limit.seconds) return limiter;
    limiter = createSharedWindow(redis, 'doi-gateway:rate', limit);
    return limiter;
  }

  return async (limit) => {
    if (time.now() < bypassedUntil) return 0;
    try {
      await limiterOf(limit).consume(name);
      return 0;
    } catch (error) {
      if (error instanceof RateLimiterRes) return Math.max(1, error.msBeforeNext);
      bypassedUntil = time.now() + BYPASS_MS;
      return 0;
    }
  };
}
