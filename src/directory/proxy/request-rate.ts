// How many requests a second are sent to the directory; with Redis by all replicas together.

import type { Cluster, Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { REAL_TIME, type Time } from './question-deadline.ts';
import { endOfWaiting } from './upstream-failure.ts';

export interface RequestRate {
  /**
   * Resolves when a request may be sent, in the order of asking. Rejects with GATEWAY_BUSY at the deadline, else with
   * the signal's reason.
   */
  take(signal: AbortSignal): Promise<void>;
}

export interface RequestRateOptions {
  readonly perSecond: number;
  /** where replicas count together; while it fails, each counts for itself */
  readonly redis?: Redis | Cluster | null | undefined;
  readonly time?: Time | undefined;
}

const KEY = 'requests';

export function createRequestRate({ perSecond, redis, time = REAL_TIME }: RequestRateOptions): RequestRate {
  const consume = createLimiter(perSecond, redis ?? null, time);
  const waiting = new Set<() => void>();
  let handingOut = false;

  /** One question to the limiter at a time, for whoever waits longest: a crowd of them would only be refused. */
  async function handOut(): Promise<void> {
    if (handingOut) return;
    handingOut = true;
    while (waiting.size > 0) {
      const waitMs = await consume();
      if (waitMs > 0) {
        await time.sleep(waitMs);
        continue;
      }
      const [longest] = waiting;
      longest?.();
    }
    handingOut = false;
  }

  return {
    take: (signal) =>
      new Promise<void>((resolve, reject) => {
        const leave = () => {
          waiting.delete(grant);
          reject(endOfWaiting(signal.reason, Math.max(1, Math.ceil(waiting.size / perSecond))));
        };
        const grant = () => {
          waiting.delete(grant);
          signal.removeEventListener('abort', leave);
          resolve();
        };
        if (signal.aborted) {
          leave();
          return;
        }
        waiting.add(grant);
        signal.addEventListener('abort', leave, { once: true });
        void handOut();
      }),
  };
}

/** Takes one of this second's requests: 0, or the milliseconds to wait before asking again. */
type Consume = () => Promise<number>;

const WINDOW = { duration: 1, keyPrefix: 'doi-gateway:directory' };
/** A Redis that is frozen takes its client's time-out to fail: too long to wait for before every request. */
const BYPASS_MS = 1_000;

function createLimiter(points: number, redis: Redis | Cluster | null, time: Time): Consume {
  const memory = new RateLimiterMemory({ ...WINDOW, points });
  const alone: Consume = () => memory.consume(KEY).then(grant, waitOrThrow);
  if (redis === null) return alone;
  const shared = new RateLimiterRedis({
    ...WINDOW,
    points,
    storeClient: redis,
    rejectIfRedisNotReady: true,
  });
  let bypassedUntil = Number.NEGATIVE_INFINITY;
  return async () => {
    if (time.now() < bypassedUntil) return alone();
    try {
      return await shared.consume(KEY).then(grant, waitOrThrow);
    } catch {
      bypassedUntil = time.now() + BYPASS_MS;
      return alone();
    }
  };
}

const grant = () => 0;

function waitOrThrow(refusal: unknown): number {
  if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext);
  throw refusal;
}
