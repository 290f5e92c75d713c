// Redis, workers or gateways stop in the middle of a job. Then the result still has every row once.

import { cp } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import type { ListeningGateway } from '../support/gateway.ts';
import { createHeldDirectory } from '../support/held-directory.ts';
import { keepLog } from '../support/log-lines.ts';
import { startRedisServer, until, withoutRedis } from '../support/redis-server.ts';
import { addressOf, ended, JOB_HEADER, jobAt, newFleet, resultOf, uploadTo } from './job-fleet.ts';
import { createGatedDirectory } from './job-folder.ts';

const ROWS = 2_500;
const FILE = `doi\n${Array.from({ length: ROWS }, (_, at) => `10.1000/${at}\n`).join('')}`;
const RESULT = `doi,exists,error\n${Array.from({ length: ROWS }, (_, at) => `10.1000/${at},false,\n`).join('')}`;

/** The progress of a job. It is empty while Redis or the gateway does not respond. */
async function viewOf(
  { url }: ListeningGateway,
  address: string,
): Promise<Partial<Awaited<ReturnType<typeof jobAt>>>> {
  const response = await fetch(url + address).catch(() => null);
  return response?.status === 200 ? await response.json() : {};
}

// The tests run at the same time, because they mostly wait: until locks expire, or until Redis is back.
describe.skipIf(withoutRedis('interrupted jobs')).concurrent('a job', () => {
  it('continues from the disk after Redis has lost everything', async (context) => {
    const fleet = await newFleet(context);
    const directory = createGatedDirectory('10.1000/1500');
    const gateway = await fleet.start({ directory });
    const address = await addressOf(await uploadTo(gateway, FILE, '?fields=exists'));
    await directory.reached;
    await until('the other chunks are done', async () => (await viewOf(gateway, address)).rowsDone === 1_500);
    await fleet.redis.restart();
    directory.open();
    await until('the job is done', async () => (await viewOf(gateway, address)).state === 'done');
    expect(await jobAt(gateway, address)).toMatchObject({ rowsDone: ROWS, absent: ROWS, failed: 0 });
    expect(await resultOf(gateway, address)).toBe(RESULT);
  });

  it('continues from a copy of JOBS_DIR with a new Redis, and the copy keeps the results of ended jobs', async (context) => {
    const fleet = await newFleet(context);
    const directory = createGatedDirectory('10.1000/1500');
    const gateway = await fleet.start({ directory });
    const done = await addressOf(await uploadTo(gateway, 'doi\n10.1000/1\n', '?fields=exists'));
    await ended(gateway, done);
    const running = await addressOf(await uploadTo(gateway, FILE, '?fields=exists'));
    await directory.reached;
    const restored = await newFleet(context);
    await cp(fleet.folder, restored.folder, { recursive: true });
    const other = await restored.start({ directory: createFakeDirectory() });
    expect(await resultOf(other, done)).toBe('doi,exists,error\n10.1000/1,false,\n');
    await until('the job is done', async () => (await viewOf(other, running)).state === 'done');
    expect(await resultOf(other, running)).toBe(RESULT);
    directory.open();
  });

  it('continues in the worker of another gateway if its worker stops in the middle', async (context) => {
    const fleet = await newFleet(context);
    const held = createGatedDirectory('10.1000/10');
    const front = await fleet.start({ directory: createFakeDirectory() }, { ROLE: 'gateway' });
    const first = await fleet.start({ directory: held }, { ROLE: 'worker' });
    const address = await addressOf(await uploadTo(front, FILE, '?fields=exists'));
    await held.reached;
    await first.close();
    const other = createFakeDirectory();
    await fleet.start({ directory: other }, { ROLE: 'worker' });
    expect(await ended(front, address)).toMatchObject({ state: 'done', rowsDone: ROWS });
    expect(other.calls.resolve.length).toBeGreaterThan(0);
    expect(await resultOf(front, address)).toBe(RESULT);
  });

  it('has each row once if two workers process the same chunk', async (context) => {
    const fleet = await newFleet(context);
    const slow = createGatedDirectory('10.1000/0');
    const quick = createFakeDirectory();
    const first = await fleet.start({ directory: slow, limits: { concurrentChunks: 1 } });
    const address = await addressOf(await uploadTo(first, FILE, '?fields=exists'));
    await slow.reached;
    // The queue forgets the worker of the chunk, as if the lock of the worker had expired.
    const { client } = fleet.redis;
    const queueKeys = await client.keys('*-chunks:*');
    if (queueKeys.length > 0) await client.del(queueKeys);
    const second = await fleet.start({ directory: quick });
    await until('all is done', async () => (await viewOf(second, address)).state === 'done');
    slow.open();
    expect(await resultOf(second, address)).toBe(RESULT);
    expect(await jobAt(second, address)).toMatchObject({ rowsDone: ROWS, absent: ROWS });
  });

  it('stops after its deletion without an error, and its look-ups stop too', async (context) => {
    const fleet = await newFleet(context);
    const directory = createHeldDirectory();
    const kept = keepLog();
    const gateway = await fleet.start({ directory, log: kept.log });
    const address = await addressOf(await uploadTo(gateway, FILE, '?fields=exists'));
    await until('the first look-up begins', () => directory.calls.resolve.length > 0);
    await fetch(gateway.url + address, { method: 'DELETE', headers: JOB_HEADER });
    expect((await fetch(gateway.url + address)).status).toBe(404);
    await until(
      'no look-up of its names waits',
      () => directory.abandoned.length === directory.calls.resolve.length,
    );
    expect(await fleet.jobsOnDisk()).toEqual([]);
    await until(
      'Redis has forgotten it',
      async () => (await fleet.redis.client.keys('*:state:job:*')).length === 0,
    );
    expect(kept.of('unexpected error')).toEqual([]);
  });

  it('shows its result while Redis is down, and refuses all other requests', async (context) => {
    const fleet = await newFleet(context);
    const gateway = await fleet.start({ directory: createFakeDirectory() });
    const address = await addressOf(await uploadTo(gateway, FILE, '?fields=exists'));
    await ended(gateway, address);
    await fleet.redis.kill();
    expect(await resultOf(gateway, address)).toBe(RESULT);
    const progress = await fetch(gateway.url + address);
    expect([progress.status, progress.headers.has('retry-after')]).toEqual([503, true]);
    expect((await uploadTo(gateway, FILE)).status).toBe(503);
  });
});

describe.skipIf(withoutRedis('the start with jobs'))('a gateway', () => {
  it('does not start if Redis evicts keys, and names the remedy', async () => {
    const redis = await startRedisServer('--maxmemory', '10mb', '--maxmemory-policy', 'allkeys-lru');
    try {
      const config = parseConfig({ LOG_LEVEL: 'silent', JOBS_REDIS_URL: redis.url, JOBS_DIR: '/tmp' });
      await expect(createApp(config)).rejects.toThrow(
        /maxmemory-policy allkeys-lru.*Set maxmemory-policy noeviction/,
      );
    } finally {
      await redis.close();
    }
  });

  it('does not start if the folder cannot be used', async () => {
    const config = parseConfig({
      LOG_LEVEL: 'silent',
      JOBS_REDIS_URL: 'redis://127.0.0.1:1',
      JOBS_DIR: '/dev/null/jobs',
    });
    await expect(createApp(config)).rejects.toThrow(
      'JOBS_DIR=/dev/null/jobs cannot be used: it is not a folder.',
    );
  });
});
