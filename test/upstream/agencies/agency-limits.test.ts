// Rates, 429s and failures of the services behind content negotiation.

import { expect, onTestFinished, test } from 'vitest';
import type { GatewayError } from '../../../src/errors.ts';
import type { ProxyDirectoryOptions } from '../../../src/upstream/proxy.ts';
import { CSL } from '../../../src/works/metadata-format.ts';
import { type Behaviour, startDirectoryServer } from '../../support/directory-server.ts';
import { createManualTime } from '../manual-time.ts';
import { answering, closesConnection, createProxyAt, failureOf, handleName } from '../proxy-under-test.ts';

const CSL_TYPE = { 'content-type': 'application/vnd.citationstyles.csl+json' };
const WORK = answering(200, '{"title":"T"}', CSL_TYPE);
/** States a limit in the headers of Crossref. */
const FIVE_A_SECOND = answering(200, '{"title":"T"}', {
  ...CSL_TYPE,
  'x-rate-limit-limit': '5',
  'x-rate-limit-interval': '1s',
});

/** A proxy that redirects the names `10.5555/0-…` to the first agency, and so on. */
async function start(agencies: readonly Behaviour[], options: Partial<ProxyDirectoryOptions> = {}) {
  const time = createManualTime();
  const servers = await Promise.all(agencies.map((behaviour) => startDirectoryServer(behaviour)));
  const proxy = await startDirectoryServer((request, response) => {
    const agency = Number(/\/(\d)-/.exec(request.url ?? '')?.[1]);
    answering(302, '', { location: `${servers[agency]?.url.href}w${request.url}` })(request, response);
  });
  const { directory, logged } = createProxyAt(proxy.url, {
    metadataHosts: new Set(servers.map(({ url }) => url.host)),
    time,
    deadlineMs: 20_000,
    ...options,
  });
  onTestFinished(async () => {
    await directory.close();
    await Promise.all([proxy, ...servers].map((server) => server.close()));
  });
  const describe = (name: string) =>
    directory.describe?.(handleName(`10.5555/${name}`), CSL) as Promise<unknown>;
  return { directory, servers, proxy, time, logged, describe };
}

test('names that the stated rate does not allow before the deadline fail at once with GATEWAY_BUSY', async () => {
  const { directory, servers, time, describe, logged } = await start([FIVE_A_SECOND]);
  await describe('0-first');
  let answered = 0;
  const failures: GatewayError[] = [];
  const lookUps = Array.from({ length: 1_000 }, (_, at) =>
    describe(`0-${at}`).then(
      () => {
        answered += 1;
      },
      (error: GatewayError) => {
        failures.push(error);
      },
    ),
  );
  const counts = () => ({ answered, failed: failures.length });
  // Four more requests fit in this second, and five in each of the 19 seconds that begin before the deadline.
  await expect.poll(counts).toEqual({ answered: 4, failed: 1_000 - 4 - 19 * 5 });
  expect(servers[0]?.targets).toHaveLength(5);
  time.advance(1_000);
  await expect.poll(counts).toEqual({ answered: 9, failed: 901 });
  expect(servers[0]?.targets).toHaveLength(10);
  expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['GATEWAY_BUSY']));
  const seconds = failures.map(({ details }) => details['retryAfterSeconds'] as number);
  expect(Math.min(...seconds)).toBeGreaterThanOrEqual(1);
  expect(logged()).toContain('GATEWAY_BUSY');
  expect(logged()).toContain(`"base":"${servers[0]?.url.origin}"`);
  await directory.close();
  await Promise.all(lookUps);
});

test('after a 429, a service gets no request until its Retry-After ends, but other services get requests', async () => {
  const { servers, time, describe } = await start([answering(429, '', { 'retry-after': '30' }), WORK]);
  expect((await failureOf(describe('0-a'))).code).toBe('UPSTREAM_RATE_LIMITED');
  const held = await failureOf(describe('0-b'));
  expect(held).toMatchObject({ code: 'UPSTREAM_RATE_LIMITED', details: { retryAfterSeconds: 30 } });
  expect(servers[0]?.targets).toHaveLength(1);
  expect(await describe('1-c')).toMatchObject({ content: { title: 'T' } });
  servers[0]?.behave(WORK);
  time.advance(29_999);
  expect((await failureOf(describe('0-d'))).code).toBe('UPSTREAM_RATE_LIMITED');
  expect(servers[0]?.targets).toHaveLength(1);
});

test('a service that closes all connections does not stop other services or the directory', async () => {
  const { directory, servers, describe, logged } = await start([closesConnection, WORK]);
  const failure = await failureOf(describe('0-a'));
  expect(failure.code).toBe('UPSTREAM_UNAVAILABLE');
  expect(failure.message).not.toContain('127.0.0.1');
  expect(logged()).toContain(`"base":"${servers[0]?.url.origin}"`);
  expect(logged()).toContain('other side closed');
  expect(await describe('1-b')).toMatchObject({ content: { title: 'T' } });
  expect(directory.status().available).toBe(true);
});

test('the directory and the service share one deadline', async () => {
  const { proxy, servers, time, describe } = await start([() => {}], { timeoutMs: 20_000 });
  let redirect = () => {};
  proxy.behave((request, response) => {
    redirect = () => answering(302, '', { location: `${servers[0]?.url.href}w` })(request, response);
  });
  const failure = failureOf(describe('0-a'));
  await expect.poll(() => proxy.targets.length).toBe(1);
  time.advance(15_000);
  redirect();
  await expect.poll(() => servers[0]?.targets.length).toBe(1);
  time.advance(5_000);
  expect((await failure).code).toBe('UPSTREAM_TIMEOUT');
});

test('a service without response gets no probe, because clients choose its names', async () => {
  const { servers, time, describe } = await start([() => {}], { timeoutMs: 15_000 });
  const failure = failureOf(describe('0-hangs'));
  await expect.poll(() => servers[0]?.targets.length).toBe(1);
  time.advance(3_000);
  time.advance(11_999);
  expect(servers[0]?.targets).toHaveLength(1);
  time.advance(1);
  expect(await failure).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
});
