// The limit of requests per second to the directory. With Redis it applies to all replicas together.

import type { Cluster, Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { REAL_TIME, type Time } from './deadlines.ts';

export interface RequestRate {
  readonly perSecond: number;
  /** Whether a request behind `ahead` others of its client can be sent in time, without other clients; left out: by `perSecond`. */
  admits?(ahead: number, leftMs: number): boolean;
  /** Resolves when one more request may be sent. Call it once at a time. */
  take(): Promise<void>;
}

export interface RequestRateOptions {
  readonly perSecond: number;
  /** where replicas count together; while it fails, each counts alone */
  readonly redis?: Redis | Cluster | null | undefined;
  readonly time?: Time | undefined;
}

const KEY = 'requests';

export function createRequestRate({ perSecond, redis, time = REAL_TIME }: RequestRateOptions): RequestRate {
  const consume = createLimiter(perSecond, redis ?? null, time);
  return {
    perSecond,
    async take() {
      for (let waitMs = await consume(); waitMs > 0; waitMs = await consume()) await time.sleep(waitMs);
    },
  };
}

/** Takes one of this second's requests: 0, or the milliseconds until the next try. */
type Consume = () => Promise<number>;

const WINDOW = { duration: 1, keyPrefix: 'doi-gateway:directory' };
/** A frozen Redis fails only after its client's timeout, which is too long to wait for before every request. */
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
