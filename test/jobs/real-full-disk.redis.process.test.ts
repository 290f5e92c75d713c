// A real disk becomes full. The folder of jobs of the gateway is a small tmpfs in its own mount namespace.

import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { start, startUp } from '../support/gateway-process.ts';
import { startRedisServer, until, withoutRedis } from '../support/redis-server.ts';

const OWN_MOUNTS = ['unshare', '--user', '--map-root-user', '--mount'];

/** Some containers forbid namespaces. */
function withoutNamespaces(): boolean {
  const [program = '', ...args] = OWN_MOUNTS;
  if (spawnSync(program, [...args, 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0) return false;
  process.stderr.write('skipped: a real full disk: no mounts are allowed here\n');
  return true;
}

const file = (rows: number) => Array.from({ length: rows }, (_, n) => `10.1000/${n}\n`).join('');

describe.skipIf(withoutRedis('a full disk') || withoutNamespaces())('on a full disk', () => {
  test('an upload gets 503 with Retry-After, running jobs wait for space, and small files still fit', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'doi-gateway-full-disk-'));
    const redis = await startRedisServer();
    onTestFinished(async () => {
      await redis.close();
      await rm(folder, { recursive: true });
    });
    const mount = 'mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@"';
    const gateway = start(
      { JOBS_REDIS_URL: redis.url, JOBS_DIR: folder },
      { before: [...OWN_MOUNTS, 'sh', '-c', mount, folder] },
    );
    const { url } = await startUp(gateway);
    const send = (method: string, path: string, body?: string) =>
      fetch(url + path, { method, headers: { 'x-doi-gateway': 'jobs' }, ...(body && { body }) });
    const upload = (rows: number) => send('POST', '/jobs?fields=name,uri,urn,display', file(rows));

    const refused = await upload(80_000);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
    expect(await refused.json()).toMatchObject({
      errors: [
        {
          message: expect.stringContaining('The disk of the gateway is full.'),
          extensions: { code: 'GATEWAY_BUSY' },
        },
      ],
    });

    // These two inputs fit on the disk, but their results do not fit.
    const stuck = [await upload(5_000), await upload(5_000)];
    expect(stuck.map(({ status }) => status)).toEqual([201, 201]);
    await until('the log says that a chunk found no space', () => gateway.written().includes('ENOSPC'));
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const [first, second] = stuck.map(({ headers }) => headers.get('location') ?? '');
    expect((await send('DELETE', first ?? '')).status).toBe(204);
    const state = async () => ((await (await fetch(url + second)).json()) as { state: string }).state;
    await expect.poll(state, { timeout: 45_000, interval: 200 }).toBe('done');
    const result = await (await fetch(`${url}${second}/result`)).text();
    expect(result.trimEnd().split('\n')).toHaveLength(5_001);
  });
});
