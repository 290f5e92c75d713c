// Keeps the limits of an agency's API: requests in a period, and requests at the same time.

import type { Clock } from '../../time.ts';
import { createPauses, type SharedRate, statedLimit, takeShared } from '../request-rate.ts';
import { firstValue, type ResponseHead } from '../response-body.ts';
import type { RequestLimit } from './agency-limits.ts';

/** The running requests of all kinds, and their limit. */
export interface ApiSlots {
  running: number;
  maxRunning: number;
}

/** The permission to send one request. */
export interface Permit {
  /** Must be called when the request is sent. */
  sent(): void;
  /** Must be called when the response has arrived, because the request has then reached the API. */
  responded(): void;
}

export type ApiRate = ReturnType<typeof createApiRate>;

export interface ApiRateOptions {
  /** the documented limit, until the headers of a response state another limit */
  readonly limit: RequestLimit;
  /** the pool into which the API probably puts the gateway */
  readonly pool: string;
  readonly time: Clock;
  /** Returns the rate of all replicas in one pool. Undefined: each process counts its own requests. */
  readonly sharedIn: (pool: string) => SharedRate | undefined;
}

/** After this time, a request has arrived at the API, even if it has no response yet. */
const ARRIVES_IN_MS = 250;
const MAX_POOLS = 8;

interface PoolRate {
  limit: RequestLimit;
  /** The latest time at which each request can have arrived at the API. Infinity before the request is sent. */
  arrivals: { at: number }[];
  readonly shared: SharedRate | undefined;
}

/** Limits the rate of one kind of request. The API's limit holds for every period, whenever the period begins. */
export function createApiRate(options: ApiRateOptions) {
  const { time, sharedIn } = options;
  const pools = new Map<string, PoolRate>();
  let current = poolRate(options.pool);
  // If the limit or an arrival changes, all pauses end, and each caller computes its pause again.
  const pauses = createPauses(time);

  function poolRate(pool: string): PoolRate {
    const known = pools.get(pool) ?? { limit: options.limit, arrivals: [], shared: sharedIn(pool) };
    pools.set(pool, known);
    return known;
  }

  /** The arrivals in the current period. */
  function arrivals(): PoolRate['arrivals'] {
    const from = time.now() - current.limit.seconds * 1_000;
    current.arrivals = current.arrivals.filter(({ at }) => at > from);
    return current.arrivals;
  }

  return {
    get perSecond() {
      return current.limit.requests / current.limit.seconds;
    },
    /** whether a request must wait now */
    get isUsedUp() {
      return arrivals().length >= current.limit.requests;
    },
    /** Whether `ahead` requests and then one more can be sent within `leftMs`. */
    canSendInTime(ahead: number, leftMs: number): boolean {
      const { requests, seconds } = current.limit;
      const periodMs = seconds * 1_000;
      const periods = Math.floor(Math.max(0, leftMs - 1) / periodMs);
      const freeBy = time.now() + leftMs - periods * periodMs - periodMs;
      const stillCounted = arrivals().filter(({ at }) => at >= freeBy).length;
      return ahead < (periods + 1) * requests - stillCounted;
    },
    /** Resolves when the caller can send one request. */
    async take(): Promise<Permit> {
      while (arrivals().length >= current.limit.requests) {
        const first = Math.min(...current.arrivals.map(({ at }) => at));
        await pauses.pause(first + current.limit.seconds * 1_000 - time.now());
      }
      const arrival = { at: Number.POSITIVE_INFINITY };
      current.arrivals.push(arrival);
      await takeShared(pauses, () => current.shared?.(current.limit));
      return {
        sent() {
          arrival.at = time.now() + ARRIVES_IN_MS;
          pauses.endAll();
        },
        responded() {
          arrival.at = Math.min(arrival.at, time.now());
          pauses.endAll();
        },
      };
    },
    /** Reads the pool and the limit of its requests from the headers of a response. */
    learn(headers: ResponseHead['headers']): void {
      const pool = /^[a-z]{1,20}$/.exec(firstValue(headers['x-api-pool']) ?? '')?.[0];
      // An API has few pools. After MAX_POOLS pools, new names are ignored.
      if (pool !== undefined && (pools.has(pool) || pools.size < MAX_POOLS)) current = poolRate(pool);
      current.limit = statedLimit(headers) ?? current.limit;
      pauses.endAll();
    },
  };
}

/** Each request has a connection. */
export const MAX_CONCURRENT = 12;

/** Maximum number of requests at the same time, from `X-Concurrency-Limit`. Null without this header. */
export function statedConcurrency(headers: ResponseHead['headers']): number | null {
  const stated = Number(/^\d{1,3}$/.exec(firstValue(headers['x-concurrency-limit']) ?? '')?.[0] ?? 0);
  return stated > 0 ? Math.min(MAX_CONCURRENT, stated) : null;
}
