// Whom connections are made to: the very addresses that were looked at, with a certificate that is trusted.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { LightAbort } from '../../../src/abortable.ts';
import { steadyClock } from '../../../src/time.ts';
import { createProxyClient } from '../../../src/upstream/proxy-client.ts';
import type { ResponseReader } from '../../../src/upstream/response-body.ts';
import { startDirectoryServer } from '../../support/directory-server.ts';
import { answering, failureOf } from '../proxy-under-test.ts';

function createClient(baseUrl: string, lookup?: LookupFunction) {
  const client = createProxyClient({
    baseUrl: new URL(baseUrl),
    userAgent: 'test',
    timeoutMs: 15_000,
    maxResponseBytes: 1_000,
    maxConnections: 1,
    time: steadyClock,
    ...(lookup && { lookup }),
  });
  onTestFinished(() => client.close());
  const text: ResponseReader<string> = {
    accept: '*/*',
    wantsBody: () => true,
    parse: (_, body) => () => body.toString(),
  };
  const attempt = { abort: new LightAbort(), requester: null };
  return async () =>
    (await client.dispatch({ endpoint: 'handles', path: '/', reader: text }, attempt)).answer;
}

test('a name that leads elsewhere later is looked at again with each connection, and not with each request', async () => {
  const server = await startDirectoryServer(answering(200, 'kept'));
  onTestFinished(() => server.close());
  const asked: unknown[] = [];
  let isPublic = true;
  const get = createClient(`http://agency.example:${server.url.port}`, (host, { all }, done) => {
    asked.push({ host, all });
    if (isPublic) done(null, [{ address: '127.0.0.1', family: 4 }]);
    else done(new Error('not public'), '');
  });
  expect(await get()).toBe('kept');
  server.behave(answering(200, 'last', { connection: 'close' }));
  expect(await get()).toBe('last');
  expect(asked).toEqual([{ host: 'agency.example', all: true }]);
  isPublic = false;
  expect((await failureOf(get())).code).toBe('UPSTREAM_UNAVAILABLE');
  expect(asked).toHaveLength(2);
  expect(server.targets).toHaveLength(2);
});

test('of several addresses only those are tried that were looked at', async () => {
  const server = await startDirectoryServer(answering(200, 'here'));
  onTestFinished(() => server.close());
  const get = createClient(`http://agency.example:${server.url.port}`, (_host, _options, done) => {
    done(null, [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ]);
  });
  expect(await get()).toBe('here');
});

test('a certificate that nobody vouches for is refused before anything is asked', async () => {
  const pem = readFileSync(new URL('../../fixtures/self-signed.pem', import.meta.url));
  let requests = 0;
  const server = createServer({ key: pem, cert: pem }, (_, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const failure = await failureOf(createClient(`https://127.0.0.1:${port}`)());
  expect(failure.code).toBe('UPSTREAM_UNAVAILABLE');
  expect(failure.cause).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  expect(requests).toBe(0);
});
