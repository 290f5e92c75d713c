// The fleet's budget of look-ups in Redis, taken in blocks.

import type { Cluster, Redis } from 'ioredis';
import type { ChunkKind } from '../chunk-kind.ts';

export interface BudgetBlocksOptions {
  readonly redis: Redis | Cluster;
  readonly prefix: string;
  readonly perSecond: number;
  /** look-ups that are taken at a time */
  readonly block: number;
}

/** Resolves with 0 where the block is taken, else with the milliseconds until one may be. Rejects where Redis fails. */
export type TakeBlock = (kind: ChunkKind) => Promise<number>;

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

export function createBudgetBlocks({ redis, prefix, perSecond, block }: BudgetBlocksOptions): TakeBlock {
  const cost = Math.round((block * 1_000_000) / perSecond);
  const asksMs = ASKS_MS + Math.ceil(cost / 1_000);
  const keys = ['spent', 'spent-further', 'first-ask'].map((name) => `${prefix}rate:${name}`);
  redis.defineCommand('doiJobsTakeBlock', { numberOfKeys: keys.length, lua: TAKE });
  const take = redis as unknown as {
    doiJobsTakeBlock(...args: readonly (string | number)[]): Promise<number>;
  };
  return (kind) => take.doiJobsTakeBlock(...keys, kind, cost, SAVED_MICROSECONDS, FURTHER_SHARE, asksMs);
}
