// Connects to the Redis of the jobs, and checks that this Redis evicts no data.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, Redis } from 'ioredis';
import { causeOf, connectRedis, hostsOf } from '../../cache/redis-connection.ts';
import { KEEPS_ALL, readRedisMemory } from '../../cache/redis-memory.ts';
import type { RedisAddress } from '../../config-variables/redis-url.ts';

/** The Redis of the jobs did not answer. */
export class QueueError extends Error {
  override readonly name = 'QueueError';
}

/** Wraps functions, so that they reject only with a QueueError. */
export function withQueueErrors<Parts extends object>(parts: Parts): Parts {
  const wrapped = Object.entries(parts).map(([name, method]) => [
    name,
    async (...args: readonly unknown[]): Promise<unknown> => {
      try {
        return await (method as (...args: readonly unknown[]) => unknown)(...args);
      } catch (cause) {
        throw new QueueError('the queue of the jobs does not answer', { cause });
      }
    },
  ]);
  return Object.fromEntries(wrapped) as Parts;
}

/** The gateway cannot start with its settings for jobs. The message is for the operator. */
export class JobsStartError extends Error {
  override readonly name = 'JobsStartError';
}

/** A connection for HTTP requests. Its commands fail at once while Redis is down. */
export function connectForRequests(address: RedisAddress): Redis | Cluster {
  return connectRedis(address, '', { enableAutoPipelining: false });
}

/** A connection for workers. Its commands wait for Redis without a limit, because BullMQ requires this. */
export function connectForWorkers(address: RedisAddress): Redis | Cluster {
  return connectRedis(address, '', {
    enableAutoPipelining: false,
    enableOfflineQueue: true,
    maxRetriesPerRequest: null,
    commandTimeout: undefined,
    connectTimeout: 5_000,
  });
}

const FIRST_ANSWER_MS = 5_000;

/**
 * Waits some seconds for the first answer of Redis. Rejects with a JobsStartError if Redis can evict data or refuses the
 * login. Resolves with false if Redis did not answer in time.
 */
export async function checkEviction(redis: Redis | Cluster, address: RedisAddress): Promise<boolean> {
  const end = performance.now() + FIRST_ANSWER_MS;
  while (performance.now() < end) {
    try {
      const { policy } = await readRedisMemory(redis);
      if (policy === KEEPS_ALL) return true;
      throw new JobsStartError(
        `JOBS_REDIS_URL: the Redis at ${hostsOf(address)} has maxmemory-policy ${policy}, and would delete jobs when its memory is full. Set maxmemory-policy ${KEEPS_ALL} there, or give the jobs a separate Redis.`,
      );
    } catch (error) {
      if (error instanceof JobsStartError) throw error;
      if (/NOAUTH|WRONGPASS|NOPERM/.test(causeOf(error))) {
        throw new JobsStartError(
          `JOBS_REDIS_URL: the Redis refuses the login of the gateway: ${causeOf(error)}.`,
        );
      }
      await sleep(50);
    }
  }
  return false;
}
