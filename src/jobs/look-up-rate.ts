// The budget of look-ups per second that the jobs of all processes share. First chunks come before further chunks.
// Within
// a process, jobs alternate.

import type { Cluster, Redis } from 'ioredis';
import { type ClientBudget, yieldingKey } from '../directory/requester.ts';
import type { Clients, HttpClient } from '../http/request/clients/clients.ts';
import type { Router } from '../http/request/router.ts';
import { sendInProcess } from '../tools/gateway-client/send-operation.ts';
import type { GatewayForChunk } from './bulk-work.ts';
import type { ChunkKind } from './chunk-kind.ts';

interface BudgetBlocksOptions {
  readonly redis: Redis | Cluster;
  readonly prefix: string;
  readonly perSecond: number;
  /** look-ups in one block */
  readonly block: number;
}

/** Resolves with 0 if the block is taken, else with the milliseconds until the next try. Rejects if Redis fails. */
type TakeBlock = (kind: ChunkKind) => Promise<number>;

/** How much unused budget is saved. Saved budget can be taken without a wait. */
const SAVED_MICROSECONDS = 200_000;
/** While a first chunk needs look-ups in any process, further chunks get only one of this many look-ups. */
const FURTHER_SHARE = 4;
/** After a look-up, a first chunk counts as active for this time. */
const FIRST_ACTIVE_MS = 1_000;

/**
 * KEYS: the end of the spent budget, the end of the further chunks' part, and whether first chunks are active. ARGV: the
 * kind, the cost of a block and the most that is saved (microseconds), the share of further chunks, and how long first
 * chunks count as active.
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
  const firstActiveMs = FIRST_ACTIVE_MS + Math.ceil(cost / 1_000);
  const keys = ['spent', 'spent-further', 'first-ask'].map((name) => `${prefix}rate:${name}`);
  redis.defineCommand('doiJobsTakeBlock', { numberOfKeys: keys.length, lua: TAKE });
  const take = redis as unknown as {
    doiJobsTakeBlock(...args: readonly (string | number)[]): Promise<number>;
  };
  return (kind) =>
    take.doiJobsTakeBlock(...keys, kind, cost, SAVED_MICROSECONDS, FURTHER_SHARE, firstActiveMs);
}

/** The deadline of an operation. It is long, because names wait for the shared budget. The end of the job aborts it. */
const OPERATION_MS = 3_600_000;

/** Makes the look-ups of each job as a client that yields to all others. */
export function createJobGateway(fetch: Router['fetch'], rate: LookUpRate): GatewayForChunk {
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
    return sendInProcess((request) => fetch(request, clients));
  };
}

export interface LookUpRate {
  /**
   * The budget of a chunk: it makes look-ups wait instead of refusing them.
   * @param signal rejects look-ups that still wait
   */
  budgetOf(key: string, kind: ChunkKind, signal: AbortSignal): ClientBudget;
}

export interface LookUpRateOptions {
  readonly perSecond: number;
  /** The Redis with the shared budget. While it fails, look-ups wait. */
  readonly redis: Redis | Cluster;
  readonly prefix: string;
  readonly sleep?: (ms: number) => Promise<void>;
}

interface Waiting {
  /** the budget of the chunk */
  readonly budget: object;
  readonly lookUps: number;
  readonly grant: () => void;
  readonly refuse: (reason: unknown) => void;
}

const BLOCKS_PER_SECOND = 20;
const MAX_BLOCK = 200;
const AFTER_FAILURE_MS = 1_000;

export function createLookUpRate({ perSecond, redis, prefix, sleep = pause }: LookUpRateOptions): LookUpRate {
  const block = Math.max(1, Math.min(MAX_BLOCK, Math.floor(perSecond / BLOCKS_PER_SECOND)));
  const takeBlock = createBudgetBlocks({ redis, prefix, perSecond, block });
  const queueFor = (kind: ChunkKind): BudgetQueue =>
    createBudgetQueue({ block, sleep, takeBlock: () => takeBlock(kind).catch(() => AFTER_FAILURE_MS) });
  const queues = { first: queueFor('first'), further: queueFor('further') };
  return {
    budgetOf(key, kind, signal) {
      const budget: ClientBudget = {
        async take(lookUps) {
          signal.throwIfAborted();
          if (queues[kind].takeNow(lookUps)) return;
          await new Promise<void>((grant, refuse) => {
            queues[kind].join(key, { budget, lookUps, grant, refuse });
          });
        },
      };
      signal.addEventListener('abort', () => queues[kind].leave(key, budget, signal.reason), { once: true });
      return budget;
    },
  };
}

interface BudgetQueue {
  /** Takes look-ups at once if there are some left and no job waits. */
  takeNow(lookUps: number): boolean;
  join(key: string, waiting: Waiting): void;
  leave(key: string, budget: object, reason: unknown): void;
}

interface BudgetQueueOptions {
  readonly block: number;
  /** Resolves with 0 if a block was taken, else with the milliseconds until the next try. */
  readonly takeBlock: () => Promise<number>;
  readonly sleep: (ms: number) => Promise<void>;
}

function createBudgetQueue({ block, takeBlock, sleep }: BudgetQueueOptions): BudgetQueue {
  /** look-ups that wait, by job; the first job is served next */
  const waitingByJob = new Map<string, Waiting[]>();
  let granted = 0;
  let isServing = false;

  function serveNext(): void {
    const [next] = waitingByJob;
    if (next === undefined) return;
    const [key, waiting] = next;
    waitingByJob.delete(key);
    const first = waiting.shift();
    if (first === undefined) return;
    if (waiting.length > 0) waitingByJob.set(key, waiting);
    granted -= first.lookUps;
    first.grant();
  }

  async function serve(): Promise<void> {
    if (isServing) return;
    isServing = true;
    while (waitingByJob.size > 0) {
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
      if (granted <= 0 || waitingByJob.size > 0) return false;
      granted -= lookUps;
      return true;
    },
    join(key, waiting) {
      const others = waitingByJob.get(key);
      if (others) others.push(waiting);
      else waitingByJob.set(key, [waiting]);
      void serve();
    },
    leave(key, budget, reason) {
      const ofJob = waitingByJob.get(key) ?? [];
      const left = ofJob.filter((waiting) => waiting.budget !== budget);
      if (left.length > 0) waitingByJob.set(key, left);
      else waitingByJob.delete(key);
      for (const { budget: its, refuse } of ofJob) if (its === budget) refuse(reason);
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
