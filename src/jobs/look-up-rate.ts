// The jobs of all processes share one budget of look-ups per second. First chunks have priority over further chunks. Within
// a process, the waiting jobs get look-ups in rotation.

import { setTimeout } from 'node:timers/promises';
import type { Cluster, Redis } from 'ioredis';
import type { ClientBudget } from '../directory/requester.ts';
import type { Clients, HttpClient } from '../http/request/clients/identify-client.ts';
import type { Router } from '../http/request/router.ts';
import { sendInProcess } from '../tools/gateway-client/send-operation.ts';
import type { SendForChunk } from './answer-chunk.ts';
import type { ChunkKind } from './queue/chunk-kinds.ts';

/** Chunks can use the unused budget of this time later, without a wait. */
const SAVED_MICROSECONDS = 200_000;
/** While a first chunk is active in any process, further chunks get only this part of the budget: 1 / FURTHER_SHARE. */
const FURTHER_SHARE = 4;
/** A first chunk counts as active for this time after each of its look-ups. */
const FIRST_ACTIVE_MS = 1_000;
/** Budgets are never spent for longer. A later time in Redis is from before the clock of Redis was set back. */
const MAX_SPENT_MICROSECONDS = 60_000_000;

/**
 * Takes one block of look-ups from the budget, and returns 0. If the budget is spent, returns the milliseconds to wait.
 * KEYS: 1. the time until which the budget is spent; 2. the same for the part of further chunks; 3. exists while first chunks
 * are active.
 * ARGV: 1. the kind of the chunk; 2. the cost of a block; 3. the largest saved budget (both in microseconds);
 * 4. FURTHER_SHARE; 5. the milliseconds for which first chunks stay active; 6. MAX_SPENT_MICROSECONDS.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local kind, cost, saved, share = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local function spentWith(key, cost)
  local spent = tonumber(redis.call('GET', key) or '0')
  if spent > now + tonumber(ARGV[6]) then spent = now end
  return math.max(spent, now) + cost
end
local function spend(key, spent)
  redis.call('SET', key, string.format('%.0f', spent), 'PX', math.ceil((spent - now) / 1000))
end
local activeMs = redis.call('PTTL', KEYS[3])
local isHeldBack = kind == 'further' and activeMs > 0 and activeMs * 1000 <= tonumber(ARGV[6])
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

/** The number of blocks per second, unless a block would be larger than MAX_BLOCK. */
const BLOCKS_PER_SECOND = 20;
/** the largest number of look-ups in a block */
const MAX_BLOCK = 200;
const WAIT_AFTER_REDIS_ERROR_MS = 1_000;

export type LookUpRate = ReturnType<typeof createLookUpRate>;

/** @param redis stores the shared budget. While Redis fails, look-ups wait. */
export function createLookUpRate(
  redis: Redis | Cluster,
  prefix: string,
  perSecond: number,
  sleep: (ms: number) => Promise<unknown> = setTimeout,
) {
  const blockLookUps = Math.max(1, Math.min(MAX_BLOCK, Math.floor(perSecond / BLOCKS_PER_SECOND)));
  const cost = Math.round((blockLookUps * 1_000_000) / perSecond);
  const firstActiveMs = FIRST_ACTIVE_MS + Math.ceil(cost / 1_000);
  const keys = ['spent', 'spent-further', 'first-ask'].map((name) => `${prefix}rate:${name}`);
  redis.defineCommand('doiJobsTakeBlock', { numberOfKeys: keys.length, lua: TAKE });
  const commands = redis as unknown as {
    doiJobsTakeBlock(...args: readonly (string | number)[]): Promise<number>;
  };

  const queueFor = (kind: 'first' | 'further') => {
    const args = [
      ...keys,
      kind,
      cost,
      SAVED_MICROSECONDS,
      FURTHER_SHARE,
      firstActiveMs,
      MAX_SPENT_MICROSECONDS,
    ];
    const takeBlock = () => commands.doiJobsTakeBlock(...args).catch(() => WAIT_AFTER_REDIS_ERROR_MS);
    return createBudgetQueue(blockLookUps, takeBlock, sleep);
  };
  const queues = { first: queueFor('first'), further: queueFor('further') };
  /** Searches are so slow that a job with references must not hold back the further chunks of other jobs. */
  const queueOf = (kind: ChunkKind) => queues[kind === 'first' ? 'first' : 'further'];
  return {
    /**
     * Creates the budget of a chunk. Look-ups wait for the budget, but the budget never refuses a look-up.
     * @param signal aborts waiting look-ups
     */
    budgetOf(key: string, kind: ChunkKind, signal: AbortSignal): ClientBudget {
      const queue = queueOf(kind);
      const budget: ClientBudget = {
        async take(lookUps) {
          signal.throwIfAborted();
          if (queue.takeNow(lookUps)) return;
          await new Promise<void>((grant, refuse) => {
            queue.join(key, { budget, lookUps, grant, refuse });
          });
        },
      };
      signal.addEventListener('abort', () => queue.leave(key, budget, signal.reason), { once: true });
      return budget;
    },
  };
}

interface WaitingLookUps {
  /** the budget of the chunk */
  readonly budget: object;
  readonly lookUps: number;
  readonly grant: () => void;
  readonly refuse: (reason: unknown) => void;
}

/**
 * @param blockLookUps the number of look-ups in one block
 * @param takeBlock takes one block from the budget. It resolves with 0, or with the milliseconds to wait.
 */
function createBudgetQueue(
  blockLookUps: number,
  takeBlock: () => Promise<number>,
  sleep: (ms: number) => Promise<unknown>,
) {
  /** waiting look-ups by job. The first job gets the next look-ups. */
  const waitingByJob = new Map<string, WaitingLookUps[]>();
  /** the number of unused look-ups of the taken blocks; negative if a job took more look-ups than there were */
  let lookUpsLeft = 0;
  let isServing = false;

  function serveNext(): void {
    const [next] = waitingByJob;
    if (next === undefined) return;
    const [key, waiting] = next;
    waitingByJob.delete(key);
    const first = waiting.shift();
    if (first === undefined) return;
    if (waiting.length > 0) waitingByJob.set(key, waiting);
    lookUpsLeft -= first.lookUps;
    first.grant();
  }

  async function serve(): Promise<void> {
    if (isServing) return;
    isServing = true;
    while (waitingByJob.size > 0) {
      if (lookUpsLeft > 0) {
        serveNext();
        continue;
      }
      const waitMs = await takeBlock();
      if (waitMs === 0) lookUpsLeft += blockLookUps;
      else await sleep(waitMs);
    }
    isServing = false;
  }

  return {
    /** Takes look-ups without a wait, and returns true. If a job waits, or if no look-up is left, returns false. */
    takeNow(lookUps: number): boolean {
      if (lookUpsLeft <= 0 || waitingByJob.size > 0) return false;
      lookUpsLeft -= lookUps;
      return true;
    },
    join(key: string, waiting: WaitingLookUps): void {
      const others = waitingByJob.get(key);
      if (others) others.push(waiting);
      else waitingByJob.set(key, [waiting]);
      void serve();
    },
    leave(key: string, budget: object, reason: unknown): void {
      const ofJob = waitingByJob.get(key) ?? [];
      const others = ofJob.filter((waiting) => waiting.budget !== budget);
      if (others.length > 0) waitingByJob.set(key, others);
      else waitingByJob.delete(key);
      for (const waiting of ofJob) if (waiting.budget === budget) waiting.refuse(reason);
    },
  };
}

/** An operation has a long deadline, because its names wait for the shared budget. The end of a job aborts its operations. */
const OPERATION_MS = 3_600_000;

/** The gateway treats each job as a separate client, which yields to all other clients. */
export function createSendForChunk(fetch: Router['fetch'], rate: LookUpRate): SendForChunk {
  return (key, kind, signal) => {
    const budget = { ...rate.budgetOf(key, kind, signal), headers: [] };
    const job = kind === 'first' ? 'little' : 'much';
    // Keys of other clients never begin with `job:`.
    const client: HttpClient = { key: `job:${job}:${key}`, job, budget, refusal: null, hasKey: false };
    const clients: Clients = {
      affectHeaders: false,
      haveKeys: false,
      own: { operationMs: OPERATION_MS },
      identify: () => client,
    };
    return sendInProcess((request) => fetch(request, clients));
  };
}
