// The budget of look-ups of each client. Memory counts the look-ups, or Redis counts those of all replicas together.

import type { Cluster, Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  RLWrapperTimeouts,
} from 'rate-limiter-flexible';
import type { ClientBudget } from '../../../directory/requester.ts';
import { GatewayError } from '../../../errors.ts';
import type { BudgetPolicy } from './budget-policy.ts';

/** A budget that reports its state, in the terms of draft-ietf-httpapi-ratelimit-headers-11. */
export interface BudgetWithHeaders extends ClientBudget {
  /** alternating names and values */
  readonly headers: readonly string[];
}

export interface ClientBudgets {
  /** the budget of the client with this key */
  of(key: string, policy: BudgetPolicy): BudgetWithHeaders;
}

export interface ClientBudgetsOptions {
  /** Replicas with the same Redis count together. While Redis fails, each process counts its own look-ups. */
  readonly redis: Redis | Cluster | null;
  /** Milliseconds of a clock that never goes back. Default: `performance.now`. */
  readonly now?: () => number;
  /** If Redis does not respond within this time, the gateway bypasses it. Default: 250. */
  readonly redisTimeoutMs?: number;
}

/** The most clients in memory. With more clients, the gateway drops the client whose last request is the oldest. */
export const MAX_CLIENTS = 50_000;

const REDIS_TIMEOUT_MS = 250;
/** After a timeout or a failure, the gateway bypasses Redis for this time. */
const BYPASS_MS = 1_000;

/** The state of a client's budget after its last look-ups. */
interface Standing {
  remaining: number;
  /** the end of the window, by `now` */
  endsAt: number;
  readonly forget: () => void;
}

interface Limiter {
  readonly id: string;
  /** the headers of a client that has made no look-up in its window */
  readonly untouched: BudgetWithHeaders['headers'];
  consume(key: string, lookUps: number): Promise<RateLimiterRes>;
  forget(key: string): void;
}

export function createClientBudgets(options: ClientBudgetsOptions): ClientBudgets {
  const { redis, now = () => performance.now(), redisTimeoutMs = REDIS_TIMEOUT_MS } = options;
  const limiters = new Map<string, Limiter>();
  // Made at first use, because it takes memory and a gateway without limits does not need it.
  let standings: LRUCache<string, Standing> | undefined;

  function limiterOf(policy: BudgetPolicy): Limiter {
    const id = `${policy.quota}/${policy.windowSeconds}`;
    let limiter = limiters.get(id);
    if (limiter === undefined) {
      limiter = createLimiter(id, policy, redis, now, redisTimeoutMs);
      limiters.set(id, limiter);
    }
    return limiter;
  }

  return {
    of(key, policy) {
      standings ??= new LRUCache({ max: MAX_CLIENTS, dispose: ({ forget }) => forget() });
      return new Budget(key, limiterOf(policy), standings, now);
    },
  };
}

class Budget implements BudgetWithHeaders {
  readonly #key: string;
  readonly #limiter: Limiter;
  readonly #standings: LRUCache<string, Standing>;
  readonly #now: () => number;

  constructor(key: string, limiter: Limiter, standings: LRUCache<string, Standing>, now: () => number) {
    this.#key = key;
    this.#limiter = limiter;
    this.#standings = standings;
    this.#now = now;
  }

  async take(lookUps: number): Promise<void> {
    const known = this.#known;
    // A client without budget is refused without a request to Redis.
    if (known !== undefined && known.remaining < lookUps) throw spent(known.endsAt - this.#now());
    const { remainingPoints, msBeforeNext, isOver } = await this.#consume(lookUps);
    this.#note(remainingPoints, this.#now() + msBeforeNext);
    if (isOver) throw spent(msBeforeNext);
  }

  get headers(): BudgetWithHeaders['headers'] {
    const known = this.#known;
    const { untouched } = this.#limiter;
    if (known === undefined) return untouched;
    const seconds = wholeSeconds(known.endsAt - this.#now());
    return [...untouched.slice(0, 3), `"lookups";r=${known.remaining};t=${seconds}`];
  }

  async #consume(lookUps: number) {
    try {
      const result = await this.#limiter.consume(this.#key, lookUps);
      return { ...plain(result), isOver: false };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return { ...plain(refusal), remainingPoints: 0, isOver: true };
    }
  }

  /** The state in the current window. Undefined if the client has made no look-up in this window. */
  get #known(): Standing | undefined {
    const known = this.#standings.get(this.#id);
    return known !== undefined && this.#now() < known.endsAt ? known : undefined;
  }

  #note(remaining: number, endsAt: number): void {
    const known = this.#standings.get(this.#id);
    if (known !== undefined) {
      known.remaining = remaining;
      known.endsAt = endsAt;
      return;
    }
    const [key, limiter] = [this.#key, this.#limiter];
    this.#standings.set(this.#id, { remaining, endsAt, forget: () => limiter.forget(key) });
  }

  get #id(): string {
    return `${this.#limiter.id} ${this.#key}`;
  }
}

const plain = ({ remainingPoints, msBeforeNext }: RateLimiterRes) => ({ remainingPoints, msBeforeNext });

function createLimiter(
  id: string,
  { quota: points, windowSeconds: duration }: BudgetPolicy,
  redis: Redis | Cluster | null,
  now: () => number,
  timeoutMs: number,
): Limiter {
  const memory = new RateLimiterMemory({ points, duration, keyPrefix: '' });
  const untouched = [
    'RateLimit-Policy',
    `"lookups";q=${points};w=${duration}`,
    'RateLimit',
    `"lookups";r=${points}`,
  ];
  const forget = (key: string) => void memory.delete(key);
  const alone = (key: string, lookUps: number) => memory.consume(key, lookUps);
  if (redis === null) return { id, untouched, consume: alone, forget };
  const shared = new RLWrapperTimeouts({
    limiter: new RateLimiterRedis({
      points,
      duration,
      // Each policy has its own windows.
      keyPrefix: `lookups:${id}`,
      storeClient: redis,
      rejectIfRedisNotReady: true,
    }),
    timeoutMs,
  });
  let bypassedUntil = Number.NEGATIVE_INFINITY;
  return {
    id,
    untouched,
    forget,
    async consume(key, lookUps) {
      if (now() < bypassedUntil) return alone(key, lookUps);
      try {
        return await shared.consume(key, lookUps);
      } catch (error) {
        if (error instanceof RateLimiterRes) throw error;
        bypassedUntil = now() + BYPASS_MS;
        return alone(key, lookUps);
      }
    },
  };
}

function spent(waitMs: number): GatewayError {
  return new GatewayError('RATE_LIMITED', { details: { retryAfterSeconds: wholeSeconds(waitMs) } });
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
