// One budget of look-ups a second for the jobs of the whole fleet: first chunks before further ones, and within a
// process each job in turn.

import type { Cluster, Redis } from 'ioredis';
import { type ClientBudget, yieldingKey } from '../directory/asker.ts';
import type { Clients, HttpClient } from '../http/request/clients/clients.ts';
import type { Router } from '../http/request/router.ts';
import { askInProcess } from '../tools/gateway-client/ask.ts';
import type { AskForChunk } from './bulk-work.ts';
import type { ChunkKind } from './chunk-kind.ts';

// The fleet's budget of look-ups in Redis, taken in blocks.

interface BudgetBlocksOptions {
  readonly redis: Redis | Cluster;
  readonly prefix: string;
  readonly perSecond: number;
  /** look-ups that are taken at a time */
  readonly block: number;
}

/** Resolves with 0 where the block is taken, else with the milliseconds until one may be. Rejects where Redis fails. */
type TakeBlock = (kind: ChunkKind) => Promise<number>;

/** What nobody took for so long may be taken at once. */
const SAVED_MICROSECONDS = 200_000;
/** While first chunks ask anywhere in the fleet, the further ones of all workers have one look-up in so many. */
const FURTHER_SHARE = 4;
/** How long a first chunk that has asked is taken to ask again. */
const ASKS_MS = 1_000;

/**
 * KEYS: until when the budget is spent, until when the further chunks' part is, and whether first chunks ask. ARGV: the
 * kind, what a block costs in microseconds, what may be saved up, the share of further chunks, for how long one asks.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local kind, cost, saved, share = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local function spentWith(key, cost)
  return math.max(tonumber(redis.call('GET', key) or '0'), now) + cost
end
local function spend(key, spent)
  redis.call('SET', key, string.format('%.0f', spent), 'PX', math.ceil((spent - now) / 1000))
end
local isHeldBack = kind == 'further' and redis.call('EXISTS', KEYS[3]) == 1
if kind == 'first' then redis.call('SET', KEYS[3], '1', 'PX', ARGV[5]) end
local all = spentWith(KEYS[1], cost)
local early = all - now - math.max(saved, cost)
local part = 0
if isHeldBack then
  part = spentWith(KEYS[2], share * cost)
  early = math.max(early, part - now - math.max(saved, share * cost))
end
if early > 0 then return math.ceil(early / 1000) end
spend(KEYS[1], all)
if isHeldBack then spend(KEYS[2], part) end
return 0
`;

function createBudgetBlocks({ redis, prefix, perSecond, block }: BudgetBlocksOptions): TakeBlock {
  const cost = Math.round((block * 1_000_000) / perSecond);
  const asksMs = ASKS_MS + Math.ceil(cost / 1_000);
  const keys = ['spent', 'spent-further', 'first-ask'].map((name) => `${prefix}rate:${name}`);
  redis.defineCommand('doiJobsTakeBlock', { numberOfKeys: keys.length, lua: TAKE });
  const take = redis as unknown as {
    doiJobsTakeBlock(...args: readonly (string | number)[]): Promise<number>;
  };
  return (kind) => take.doiJobsTakeBlock(...keys, kind, cost, SAVED_MICROSECONDS, FURTHER_SHARE, asksMs);
}

// On whose behalf the look-ups of a job are made: a client of its own that gives way to all others.

/** Its names wait for their turn in the fleet's budget; who stops the job ends it. */
const OPERATION_MS = 3_600_000;

export function createJobAsker(fetch: Router['fetch'], rate: LookUpRate): AskForChunk {
  return (key, kind, signal) => {
    const budget = { ...rate.budgetOf(key, kind, signal), headers: [] };
    const asks = yieldingKey(key, kind === 'first' ? 'little' : 'much');
    const client: HttpClient = { key: asks, budget, refusal: null, hasKey: false };
    const clients: Clients = {
      matter: false,
      haveKeys: false,
      own: { operationMs: OPERATION_MS },
      identify: () => client,
    };
    return askInProcess((request) => fetch(request, clients));
  };
}

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
