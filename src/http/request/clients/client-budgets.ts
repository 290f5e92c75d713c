// The budget of each client: the look-ups that the client can make in a time window. Memory or Redis counts them.

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

export interface BudgetWithHeaders extends ClientBudget {
  /**
   * The headers `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-11, as alternating names and
   * values.
   */
  readonly headers: readonly string[];
}

export interface ClientBudgets {
  /** @param key of the client: its API key or its address */
  of(key: string, policy: BudgetPolicy): BudgetWithHeaders;
}

interface ClientBudgetsOptions {
  /** Counts the look-ups of all replicas together. Null, or while Redis fails: each process counts its own look-ups. */
  readonly redis: Redis | Cluster | null;
  /** Milliseconds of a clock that never goes back. Default: `performance.now`. */
  readonly now?: () => number;
  /** how long to wait for Redis before the gateway bypasses Redis; default: REDIS_TIMEOUT_MS */
  readonly redisTimeoutMs?: number;
}

/** Maximum number of clients in memory. For a new client, the gateway drops the least recently used client. */
export const MAX_CLIENTS = 50_000;

const REDIS_TIMEOUT_MS = 250;
/** After a timeout or a failure, the gateway bypasses Redis for this time. */
const BYPASS_MS = 1_000;

/** A client's budget after its last look-ups. */
interface BudgetState {
  readonly remaining: number;
  /** the end of the window, on the clock of `now` */
  readonly endsAt: number;
  readonly forget: () => void;
}

/** Counts the look-ups of all clients with one policy. */
interface Limiter {
  readonly id: string;
  /** the headers of a client that has made no look-up in its window */
  readonly fullBudgetHeaders: BudgetWithHeaders['headers'];
  consume(key: string, lookUps: number): Promise<RateLimiterRes>;
  forget(key: string): void;
}

export function createClientBudgets(options: ClientBudgetsOptions): ClientBudgets {
  const { redis, now = () => performance.now(), redisTimeoutMs = REDIS_TIMEOUT_MS } = options;
  const limiters = new Map<string, Limiter>();
  // Made at first use, because a gateway without limits does not need this memory.
  let states: LRUCache<string, BudgetState> | undefined;

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
      states ??= new LRUCache({ max: MAX_CLIENTS, dispose: ({ forget }) => forget(), noDisposeOnSet: true });
      return new Budget(key, limiterOf(policy), states, now);
    },
  };
}

class Budget implements BudgetWithHeaders {
  readonly #key: string;
  readonly #limiter: Limiter;
  readonly #states: LRUCache<string, BudgetState>;
  readonly #now: () => number;

  constructor(key: string, limiter: Limiter, states: LRUCache<string, BudgetState>, now: () => number) {
    this.#key = key;
    this.#limiter = limiter;
    this.#states = states;
    this.#now = now;
  }

  async take(lookUps: number): Promise<void> {
    const known = this.#known;
    // If too few look-ups remain, no request to Redis is necessary.
    if (known !== undefined && known.remaining < lookUps) throw rateLimited(known.endsAt - this.#now());
    try {
      const { remainingPoints, msBeforeNext } = await this.#limiter.consume(this.#key, lookUps);
      this.#note(remainingPoints, msBeforeNext);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      this.#note(0, refusal.msBeforeNext);
      throw rateLimited(refusal.msBeforeNext);
    }
  }

  get headers(): BudgetWithHeaders['headers'] {
    const known = this.#known;
    const { fullBudgetHeaders } = this.#limiter;
    if (known === undefined) return fullBudgetHeaders;
    const seconds = wholeSeconds(known.endsAt - this.#now());
    return [...fullBudgetHeaders.slice(0, 3), `"lookups";r=${known.remaining};t=${seconds}`];
  }

  /** The state in the present window. Undefined if the client has made no look-up in this window. */
  get #known(): BudgetState | undefined {
    const known = this.#states.get(this.#id);
    return known !== undefined && this.#now() < known.endsAt ? known : undefined;
  }

  #note(remaining: number, endsInMs: number): void {
    const [key, limiter] = [this.#key, this.#limiter];
    const forget = () => limiter.forget(key);
    this.#states.set(this.#id, { remaining, endsAt: this.#now() + endsInMs, forget });
  }

  get #id(): string {
    return `${this.#limiter.id} ${this.#key}`;
  }
}

function createLimiter(
  id: string,
  { quota: points, windowSeconds: duration }: BudgetPolicy,
  redis: Redis | Cluster | null,
  now: () => number,
  timeoutMs: number,
): Limiter {
  const memory = new RateLimiterMemory({ points, duration, keyPrefix: '' });
  const fullBudgetHeaders = [
    'RateLimit-Policy',
    `"lookups";q=${points};w=${duration}`,
    'RateLimit',
    `"lookups";r=${points}`,
  ];
  const forget = (key: string) => void memory.delete(key);
  const consumeInMemory = (key: string, lookUps: number) => memory.consume(key, lookUps);
  if (redis === null) return { id, fullBudgetHeaders, consume: consumeInMemory, forget };
  const shared = new RLWrapperTimeouts({
    limiter: new RateLimiterRedis({
      points,
      duration,
      // If an operator changes the policy of a key, the client begins a new window.
      keyPrefix: `lookups:${id}`,
      storeClient: redis,
      rejectIfRedisNotReady: true,
    }),
    timeoutMs,
  });
  let bypassedUntil = Number.NEGATIVE_INFINITY;
  return {
    id,
    fullBudgetHeaders,
    forget,
    async consume(key, lookUps) {
      if (now() < bypassedUntil) return consumeInMemory(key, lookUps);
      try {
        return await shared.consume(key, lookUps);
      } catch (error) {
        if (error instanceof RateLimiterRes) throw error;
        bypassedUntil = now() + BYPASS_MS;
        return consumeInMemory(key, lookUps);
      }
    },
  };
}

function rateLimited(waitMs: number): GatewayError {
  return new GatewayError('RATE_LIMITED', { details: { retryAfterSeconds: wholeSeconds(waitMs) } });
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
