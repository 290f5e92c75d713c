// The Redis that the fuzzed gateway has its jobs in.

import { type RedisServer, startRedisServer, withoutRedis } from '../../test/support/redis-server.ts';
import { PASSWORD } from './canaries.ts';

export interface FuzzQueue {
  /** null where no redis-server is installed: then there are no jobs */
  readonly url: string | null;
  close(): Promise<void>;
}

export async function startFuzzQueue(): Promise<FuzzQueue> {
  if (withoutRedis('the jobs')) return { url: null, close: async () => undefined };
  const redis: RedisServer = await startRedisServer();
  await redis.client.config('SET', 'requirepass', PASSWORD);
  return { url: redis.url.replace('//', `//:${PASSWORD}@`), close: () => redis.close() };
}
