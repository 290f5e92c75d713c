// One budget of look-ups a second for the jobs of the whole fleet, and within a process turns for each job: those that
// have had little before those that have had much.

import type { Cluster, Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { ClientBudget } from '../directory/asker.ts';

export interface LookUpRate {
  /**
   * The budget of one job: it makes look-ups wait instead of refusing them.
   * @param signal ends the waiting of those that are left
   */
  budgetOf(key: string, signal: AbortSignal): ClientBudget;
}

export interface LookUpRateOptions {
  readonly perSecond: number;
  /** where the fleet counts; while it fails, look-ups wait */
  readonly redis: Redis | Cluster;
  readonly prefix: string;
  readonly sleep?: (ms: number) => Promise<void>;
}

interface Waiting {
  /** of which it is a part: of one chunk of a job */
  readonly budget: object;
  readonly lookUps: number;
  readonly grant: () => void;
  readonly refuse: (reason: unknown) => void;
}

/** Redis is asked for so many parts of a second's look-ups at a time. */
const BLOCKS_A_SECOND = 20;
const MAX_BLOCK = 200;
const AFTER_FAILURE_MS = 1_000;

/** A job is small until it has had so many look-ups here; of so many turns all but one are for small jobs. */
const SMALL_LOOK_UPS = 5_000;
const TURNS = 4;
const MAX_REMEMBERED = 10_000;

export function createLookUpRate(options: LookUpRateOptions): LookUpRate {
  const { perSecond, redis, prefix, sleep = pause } = options;
  const block = Math.max(1, Math.min(MAX_BLOCK, Math.floor(perSecond / BLOCKS_A_SECOND)));
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    points: perSecond,
    duration: 1,
    keyPrefix: `${prefix}rate`,
    rejectIfRedisNotReady: true,
  });
  /** those who wait, by job; the job at the front is next */
  const small = new Map<string, Waiting[]>();
  const large = new Map<string, Waiting[]>();
  const had = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  let granted = 0;
  let turn = 0;
  let isServing = false;

  /** Milliseconds to wait before Redis is asked again; 0: there are some more. */
  async function takeBlock(): Promise<number> {
    try {
      await limiter.consume('jobs', block);
      granted += block;
      return 0;
    } catch (refusal) {
      return refusal instanceof RateLimiterRes ? Math.max(1, refusal.msBeforeNext) : AFTER_FAILURE_MS;
    }
  }

  const linesOf = (key: string) => ((had.get(key) ?? 0) < SMALL_LOOK_UPS ? small : large);

  function serveNext(): void {
    turn = (turn + 1) % TURNS;
    const [preferred, others] = turn === 0 ? [large, small] : [small, large];
    const lines = preferred.size > 0 ? preferred : others;
    const [next] = lines;
    if (next === undefined) return;
    const [key, line] = next;
    lines.delete(key);
    const first = line.shift();
    if (first === undefined) return;
    had.set(key, (had.get(key) ?? 0) + first.lookUps);
    if (line.length > 0) linesOf(key).set(key, line);
    granted -= first.lookUps;
    first.grant();
  }

  async function serve(): Promise<void> {
    if (isServing) return;
    isServing = true;
    while (small.size + large.size > 0) {
      const waitMs = granted > 0 ? 0 : await takeBlock();
      if (waitMs > 0) await sleep(waitMs);
      else serveNext();
    }
    isServing = false;
  }

  function leave(key: string, budget: object, reason: unknown): void {
    const lines = linesOf(key);
    const line = lines.get(key) ?? [];
    const left = line.filter((waiting) => waiting.budget !== budget);
    if (left.length > 0) lines.set(key, left);
    else lines.delete(key);
    for (const { budget: its, refuse } of line) if (its === budget) refuse(reason);
  }

  return {
    budgetOf(key, signal) {
      const budget: ClientBudget = {
        take: (lookUps) =>
          new Promise<void>((grant, refuse) => {
            signal.throwIfAborted();
            const waiting: Waiting = { budget, lookUps, grant, refuse };
            const lines = linesOf(key);
            const line = lines.get(key);
            if (line) line.push(waiting);
            else lines.set(key, [waiting]);
            void serve();
          }),
      };
      signal.addEventListener('abort', () => leave(key, budget, signal.reason), { once: true });
      return budget;
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
