// Checks whether a Redis has free memory, and whether its policy allows it to evict data.

import { Cluster, type Redis } from 'ioredis';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** `full`: Redis refuses writes. `evicting`: Redis can delete data to free memory. */
export type RedisProblem = 'full' | 'evicting';

export interface RedisMemory {
  /** the maxmemory-policy; for a cluster, the policy of the first node that may evict, else `noeviction` */
  readonly policy: string;
  /** no memory is left for writes, and the policy forbids eviction */
  readonly isFull: boolean;
}

export const KEEPS_ALL = 'noeviction';

/** Share of maxmemory. Above it, Redis can already refuse writes, because during a write it also counts client buffers. */
const FULL_SHARE = 0.99;

/** Reads INFO, because hosted Redis often refuses CONFIG. Rejects if a node does not answer. */
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

export interface RedisMemoryWatchOptions {
  readonly redis: Redis | Cluster;
  readonly usedFor: 'jobs' | 'cache';
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'redisProblem'>;
}

const MEANINGS: Readonly<Record<RedisProblem, string>> = {
  full: 'is full and refuses writes. Give it more memory (maxmemory)',
  evicting: 'may evict data. Set maxmemory-policy noeviction',
};

const NO_PROBLEM = { jobs: 'is not full, and does not evict', cache: 'is no longer full' } as const;

export type RedisMemoryWatch = ReturnType<typeof createRedisMemoryWatch>;

export function createRedisMemoryWatch(options: RedisMemoryWatchOptions) {
  const { redis, usedFor, log, metrics } = options;
  // For a cache, eviction is not a problem, because a cache can lose entries.
  const possibleProblems: readonly RedisProblem[] = usedFor === 'jobs' ? ['full', 'evicting'] : ['full'];
  let current: RedisProblem | null = null;

  function publishProblem(): void {
    for (const problem of possibleProblems) {
      metrics.redisProblem.set({ redis: usedFor, problem }, problem === current ? 1 : 0);
    }
  }

  publishProblem();
  return {
    get problem(): RedisProblem | null {
      return current;
    },
    /** Reads the memory once and logs a changed `problem`. If Redis does not answer, returns false and changes nothing. */
    async check(): Promise<boolean> {
      const memory = await readRedisMemory(redis).catch(() => null);
      if (memory === null) return false;
      const { policy, isFull } = memory;
      const seen = isFull ? 'full' : policy === KEEPS_ALL ? null : 'evicting';
      const problem = possibleProblems.find((candidate) => candidate === seen) ?? null;
      if (problem === current) return true;
      current = problem;
      publishProblem();
      const subject = `The Redis of the ${usedFor}`;
      if (problem === null) log.info(`${subject} ${NO_PROBLEM[usedFor]}.`);
      else log.warn({ policy }, `${subject} ${MEANINGS[problem]}.`);
      return true;
    },
  };
}
