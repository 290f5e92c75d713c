// The budget of each client: the look-ups that the client can make in a time window. Memory or Redis counts them.

import type { Cluster, Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { RateLimiterRes, RLWrapperTimeouts } from 'rate-limiter-flexible';
import type { ClientBudget } from '../../../directory/requester.ts';
import { GatewayError } from '../../../errors.ts';
import { createSharedWindow } from '../../../upstream/shared-window.ts';
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
}

/** What remains of a budget after some look-ups. */
interface Consumed {
  readonly isGranted: boolean;
  readonly remaining: number;
  readonly endsInMs: number;
}

/** Counts the look-ups of all clients with one policy. */
interface Limiter {
  readonly id: string;
  /** the headers of a client that has made no look-up in its window */
  readonly fullBudgetHeaders: BudgetWithHeaders['headers'];
  consume(key: string, lookUps: number): Promise<Consumed>;
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
      states ??= new LRUCache({ max: MAX_CLIENTS });
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
    const { isGranted, remaining, endsInMs } = await this.#limiter.consume(this.#key, lookUps);
    this.#states.set(this.#id, { remaining, endsAt: this.#now() + endsInMs });
    if (!isGranted) throw rateLimited(endsInMs);
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

  get #id(): string {
    return `${this.#limiter.id} ${this.#key}`;
  }
}

function createLimiter(
  id: string,
  policy: BudgetPolicy,
  redis: Redis | Cluster | null,
  now: () => number,
  timeoutMs: number,
): Limiter {
  const { quota, windowSeconds } = policy;
  const fullBudgetHeaders = [
    'RateLimit-Policy',
    `"lookups";q=${quota};w=${windowSeconds}`,
    'RateLimit',
    `"lookups";r=${quota}`,
  ];
  const consumeInMemory = createMemoryWindows(policy, now);
  if (redis === null) return { id, fullBudgetHeaders, consume: async (...look) => consumeInMemory(...look) };
  const shared = new RLWrapperTimeouts({
    // If an operator changes the policy of a key, the client begins a new window.
    limiter: createSharedWindow(redis, `lookups:${id}`, { requests: quota, seconds: windowSeconds }),
    timeoutMs,
  });
  let bypassedUntil = Number.NEGATIVE_INFINITY;
  return {
    id,
    fullBudgetHeaders,
    async consume(key, lookUps) {
      if (now() < bypassedUntil) return consumeInMemory(key, lookUps);
      try {
        const { remainingPoints, msBeforeNext } = await shared.consume(key, lookUps);
        return { isGranted: true, remaining: remainingPoints, endsInMs: msBeforeNext };
      } catch (error) {
        if (error instanceof RateLimiterRes)
          return { isGranted: false, remaining: 0, endsInMs: error.msBeforeNext };
        bypassedUntil = now() + BYPASS_MS;
        return consumeInMemory(key, lookUps);
      }
    },
  };
}

/** Counts on the clock of `now`. The limiters of rate-limiter-flexible use the time of day, which an operator can set back. */
function createMemoryWindows({ quota, windowSeconds }: BudgetPolicy, now: () => number) {
  // Made at first use, because a gateway with Redis needs this memory only while Redis fails.
  let windows: LRUCache<string, BudgetState> | undefined;
  return (key: string, lookUps: number): Consumed => {
    windows ??= new LRUCache({ max: MAX_CLIENTS });
    const known = windows.get(key);
    const at = now();
    const { remaining, endsAt } =
      known !== undefined && at < known.endsAt
        ? known
        : { remaining: quota, endsAt: at + windowSeconds * 1_000 };
    const isGranted = lookUps <= remaining;
    const left = isGranted ? remaining - lookUps : remaining;
    windows.set(key, { remaining: left, endsAt });
    return { isGranted, remaining: left, endsInMs: endsAt - at };
  };
}

function rateLimited(waitMs: number): GatewayError {
  return new GatewayError('RATE_LIMITED', { details: { retryAfterSeconds: wholeSeconds(waitMs) } });
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
