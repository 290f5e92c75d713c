// One budget of look-ups a second for the jobs of the whole fleet: first chunks before further ones, and within a
// process each job in turn.

import type { Cluster, Redis } from 'ioredis';
import type { ClientBudget } from '../directory/asker.ts';
import type { ChunkKind } from './chunk-kind.ts';
import { createBudgetBlocks } from './queue/budget-blocks.ts';

export interface LookUpRate {
  /**
   * The budget of a chunk: it makes look-ups wait instead of refusing them.
   * @param signal ends the waiting of those that are left
   */
  budgetOf(key: string, kind: ChunkKind, signal: AbortSignal): ClientBudget;
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

export function createLookUpRate({ perSecond, redis, prefix, sleep = pause }: LookUpRateOptions): LookUpRate {
  const block = Math.max(1, Math.min(MAX_BLOCK, Math.floor(perSecond / BLOCKS_A_SECOND)));
  const takeBlock = createBudgetBlocks({ redis, prefix, perSecond, block });
  const turnsOf = (kind: ChunkKind): Turns =>
    createTurns({ block, sleep, takeBlock: () => takeBlock(kind).catch(() => AFTER_FAILURE_MS) });
  const turns = { first: turnsOf('first'), further: turnsOf('further') };
  return {
    budgetOf(key, kind, signal) {
      const budget: ClientBudget = {
        async take(lookUps) {
          signal.throwIfAborted();
          if (turns[kind].takeNow(lookUps)) return;
          await new Promise<void>((grant, refuse) => {
            turns[kind].join(key, { budget, lookUps, grant, refuse });
          });
        },
      };
      signal.addEventListener('abort', () => turns[kind].leave(key, budget, signal.reason), { once: true });
      return budget;
    },
  };
}

interface Turns {
  /** Whether they were there, and nobody waits for them. */
  takeNow(lookUps: number): boolean;
  join(key: string, waiting: Waiting): void;
  leave(key: string, budget: object, reason: unknown): void;
}

interface TurnsOptions {
  readonly block: number;
  /** Resolves with the milliseconds to wait before it is asked again; 0: there is one more. */
  readonly takeBlock: () => Promise<number>;
  readonly sleep: (ms: number) => Promise<void>;
}

function createTurns({ block, takeBlock, sleep }: TurnsOptions): Turns {
  /** those who wait, by job; the job at the front is next */
  const lines = new Map<string, Waiting[]>();
  let granted = 0;
  let isServing = false;

  function serveNext(): void {
    const [next] = lines;
    if (next === undefined) return;
    const [key, line] = next;
    lines.delete(key);
    const first = line.shift();
    if (first === undefined) return;
    if (line.length > 0) lines.set(key, line);
    granted -= first.lookUps;
    first.grant();
  }

  async function serve(): Promise<void> {
    if (isServing) return;
    isServing = true;
    while (lines.size > 0) {
      if (granted > 0) {
        serveNext();
        continue;
      }
      const waitMs = await takeBlock();
      if (waitMs === 0) granted += block;
      else await sleep(waitMs);
    }
    isServing = false;
  }

  return {
    takeNow(lookUps) {
      if (granted <= 0 || lines.size > 0) return false;
      granted -= lookUps;
      return true;
    },
    join(key, waiting) {
      const line = lines.get(key);
      if (line) line.push(waiting);
      else lines.set(key, [waiting]);
      void serve();
    },
    leave(key, budget, reason) {
      const line = lines.get(key) ?? [];
      const left = line.filter((waiting) => waiting.budget !== budget);
      if (left.length > 0) lines.set(key, left);
      else lines.delete(key);
      for (const { budget: its, refuse } of line) if (its === budget) refuse(reason);
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
