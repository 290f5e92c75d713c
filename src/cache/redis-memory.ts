// Whether a Redis has memory for what it is given, and keeps it.

import { Cluster, type Redis } from 'ioredis';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** `full`: it refuses writes. `evicting`: it may throw away what it was given. */
export type RedisProblem = 'full' | 'evicting';

export interface RedisMemory {
  /** its maxmemory-policy; of a cluster one that evicts, if any of its nodes has one */
  readonly policy: string;
  /** no memory is left for writes, and it evicts nothing */
  readonly isFull: boolean;
}

export const KEEPS_ALL = 'noeviction';

/** Near its limit Redis refuses some writes and takes others, for it also counts what its clients send. */
const FULL_SHARE = 0.99;

/** By INFO, which hosted Redis answers too: CONFIG is often refused. Rejects where a node does not answer. */
export async function readRedisMemory(redis: Redis | Cluster): Promise<RedisMemory> {
  const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
  if (nodes.length === 0) throw new Error('no node of the cluster is known');
  const all = await Promise.all(nodes.map(async (node) => memoryIn(await node.info('memory'))));
  return {
    policy: all.find(({ policy }) => policy !== KEEPS_ALL)?.policy ?? KEEPS_ALL,
    isFull: all.some(({ isFull }) => isFull),
  };
}

function memoryIn(info: string): RedisMemory {
  const field = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];
  const policy = field('maxmemory_policy') ?? KEEPS_ALL;
  const maxBytes = Number(field('maxmemory') ?? 0);
  const usedBytes = Number(field('used_memory') ?? 0);
  return { policy, isFull: policy === KEEPS_ALL && maxBytes > 0 && usedBytes > maxBytes * FULL_SHARE };
}

export interface RedisMemoryWatch {
  readonly problem: RedisProblem | null;
  /** Looks once, and logs a change. False: Redis does not answer, and the last known problem stays. */
  look(): Promise<boolean>;
}

export interface RedisMemoryWatchOptions {
  readonly redis: Redis | Cluster;
  readonly holds: 'jobs' | 'cache';
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'redisProblem'>;
}

const MEANINGS: Readonly<Record<RedisProblem, string>> = {
  full: 'is full and refuses writes. Give it more memory (maxmemory)',
  evicting: 'may evict what it was given. Set maxmemory-policy noeviction',
};

export function createRedisMemoryWatch(options: RedisMemoryWatchOptions): RedisMemoryWatch {
  const { redis, holds, log, metrics } = options;
  // A cache may lose what it holds.
  const possible: readonly RedisProblem[] = holds === 'jobs' ? ['full', 'evicting'] : ['full'];
  let current: RedisProblem | null = null;

  function measure(): void {
    for (const problem of possible) {
      metrics.redisProblem.set({ redis: holds, problem }, problem === current ? 1 : 0);
    }
  }

  measure();
  return {
    get problem() {
      return current;
    },
    async look() {
      const memory = await readRedisMemory(redis).catch(() => null);
      if (memory === null) return false;
      const { policy, isFull } = memory;
      const seen = isFull ? 'full' : policy === KEEPS_ALL ? null : 'evicting';
      const problem = possible.find((one) => one === seen) ?? null;
      if (problem === current) return true;
      current = problem;
      measure();
      const subject = `The Redis of the ${holds}`;
      if (problem === null) log.info(`${subject} takes and keeps again what it is given.`);
      else log.warn({ policy }, `${subject} ${MEANINGS[problem]}.`);
      return true;
    },
  };
}
