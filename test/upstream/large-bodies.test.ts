// Large answers of the directory come and are parsed one at a time.

import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { LightAbort } from '../../src/abortable.ts';
import { steadyClock } from '../../src/time.ts';
import { createProxyClient } from '../../src/upstream/proxy-client.ts';
import { LARGE_BYTES, type ResponseReader } from '../../src/upstream/response-body.ts';
import { startDirectoryServer } from '../support/directory-server.ts';

const LENGTH: ResponseReader<number> = {
  accept: '*/*',
  wantsBody: () => true,
  parse: (_, body) => () => body.length,
};

test('one that is large waits until the large one before it has ended, and small ones wait for none', async () => {
  const slow: ServerResponse[] = [];
  const server = await startDirectoryServer((request, response) => {
    const [kind = '', bytes = ''] = request.url?.slice(1).split('-') ?? [];
    response.write('x'.repeat(Number(bytes)));
    if (kind === 'slow') slow.push(response);
    else response.end();
  });
  const client = createProxyClient({
    baseUrl: server.url,
    userAgent: 'test',
    timeoutMs: 15_000,
    maxResponseBytes: 1_000_000,
    maxConnections: 6,
    time: steadyClock,
  });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  const ended: string[] = [];
  const get = async (path: string): Promise<void> => {
    await client
      .dispatch({ endpoint: 'handles', path, reader: LENGTH }, { abort: new LightAbort(), requester: null })
      .catch(() => {});
    ended.push(path);
  };
  const first = get(`/slow-${LARGE_BYTES + 1}`);
  await expect.poll(() => slow.length).toBe(1);
  for (let number = 0; number < 20; number += 1) await get('/small-10');
  const second = get(`/whole-${LARGE_BYTES + 1}`);
  for (let number = 0; number < 50; number += 1) await get('/small-10');
  expect(new Set(ended)).toEqual(new Set(['/small-10']));
  slow[0]?.destroy();
  await Promise.all([first, second]);
  expect(ended.slice(-2)).toEqual([`/slow-${LARGE_BYTES + 1}`, `/whole-${LARGE_BYTES + 1}`]);
});
