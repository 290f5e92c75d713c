// An open connection would keep the process alive, so a gateway closes every connection when it ends.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startDirectoryServer } from './support/directory-server.ts';
import { createTestGateway } from './support/gateway.ts';
import { startRedisServer, until, withoutRedis } from './support/redis-server.ts';

/** For the cache, the shared rate, the budgets of clients, the jobs, and the workers of each kind of chunk. */
const CONNECTIONS = 7;

describe.skipIf(withoutRedis('closed connections'))('a gateway', () => {
  test('has no connection to Redis after it is closed', async () => {
    const redis = await startRedisServer();
    onTestFinished(() => redis.close());
    const directory = await startDirectoryServer();
    onTestFinished(() => directory.close());
    const folder = await mkdtemp(join(tmpdir(), 'doi-gateway-jobs-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const gateway = await createTestGateway(
      {},
      {
        DOI_DIRECTORY_URL: directory.url.href,
        REDIS_URL: redis.url,
        DIRECTORY_RPS: '1000',
        CLIENT_LOOKUPS_PER_SECOND: '10',
        JOBS_REDIS_URL: redis.url,
        JOBS_DIR: folder,
      },
    );
    const connections = async () => String(await redis.client.client('LIST')).match(/^id=/gm)?.length ?? 0;
    const own = 1;
    await until('all parts are connected', async () => (await connections()) === own + CONNECTIONS);
    await gateway.close();
    await expect.poll(connections).toBe(own);
  });
});
