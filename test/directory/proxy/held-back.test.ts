// A directory in trouble is spared: one failure holds back all requests, and one request finds out that it is over.

import { createServer } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../../src/metrics.ts';
import {
  askedNames,
  type Behaviour,
  sendJson,
  startDirectoryServer,
} from '../../support/directory-server.ts';
import { createManualTime } from './manual-time.ts';
import { answering, createProxyAt, failureOf, handleName, startProxy } from './proxy-under-test.ts';

const names = Array.from({ length: 1_000 }, (_, index) => handleName(`10.5555/${index}`));
const [first = expect.unreachable(), second = expect.unreachable(), third = expect.unreachable()] = names;
const notFound: Behaviour = (request, response) =>
  sendJson(response, 404, { responseCode: 100, handle: askedNames(request).names[0] });
const tooMany = answering(429, '', { 'content-type': 'text/html', 'retry-after': '5' });

const servers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of servers.splice(0)) await close();
});

describe('a 429 for one name', () => {
  test('holds back all others until one request has found that it is over', async () => {
    const time = createManualTime();
    const metrics = createMetrics();
    const { directory, server, logged } = await startProxy(tooMany, { time, metrics });
    const base = server.url.origin;
    expect(directory.status()).toEqual({ available: true });
    expect(await circuitGauge(metrics)).toEqual([{ labels: { base }, value: 0 }]);

    await failureOf(directory.resolve(first));
    expect(directory.status()).toEqual({ available: false });
    expect(await circuitGauge(metrics)).toEqual([{ labels: { base }, value: 1 }]);

    time.advance(2_000);
    const questions = [directory.resolve(second), ...directory.whichRa(names)];
    for (const { code, details } of await Promise.all(questions.map(failureOf))) {
      expect({ code, details }).toEqual({ code: 'UPSTREAM_RATE_LIMITED', details: { retryAfterSeconds: 3 } });
    }
    expect(server.targets).toHaveLength(1);

    time.advance(3_000);
    expect(directory.status()).toEqual({ available: true });
    server.behave(notFound);
    const settled = await Promise.allSettled([second, third].map((name) => directory.resolve(name)));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await directory.resolve(third)).toMatchObject({ status: 'HANDLE_NOT_FOUND' });
    expect(server.targets).toHaveLength(3);
    expect(await circuitGauge(metrics)).toEqual([{ labels: { base }, value: 0 }]);
    expect(logged()).toContain('requests to the directory are held back');
    expect(logged()).toContain('requests to the directory are sent again');
  });

  test('is waited for by what was asked before, of which each gets its answer', async () => {
    const time = createManualTime();
    const { directory, server } = await startProxy(tooMany, { time, retries: 2, random: () => 1 });
    const records = [first, second].map((name) => directory.resolve(name));
    await time.slept(2);
    server.behave(notFound);
    time.advance(5_200);
    expect(await Promise.race(records)).toMatchObject({ status: 'HANDLE_NOT_FOUND' });
    await time.slept(3);
    time.advance(1_400);
    for (const record of records) expect(await record).toMatchObject({ status: 'HANDLE_NOT_FOUND' });
    expect(server.targets).toHaveLength(4);
  });
});

describe('a thousand names at once', () => {
  test('against a port where nobody listens fail quickly, for a few connections', async () => {
    const server = await startDirectoryServer();
    await server.close();
    const metrics = createMetrics();
    const { directory, logged } = createProxyAt(server.url, { metrics, maxConnections: 64, retries: 2 });
    onTestFinished(() => directory.close());
    const startedAt = performance.now();
    const failures = await Promise.all(names.map((name) => failureOf(directory.resolve(name))));
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['UPSTREAM_UNAVAILABLE']));
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(await requestsOf(metrics)).toBeLessThan(150);
    expect(logged().split('\n').length).toBeLessThan(150);
    expect(directory.status()).toEqual({ available: false });
  });

  test('against a server that closes every connection take few of them', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(() => new Promise((resolve) => void server.close(() => resolve())));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { directory } = createProxyAt(new URL(`http://127.0.0.1:${port}`), { retries: 2 });
    onTestFinished(() => directory.close());
    const failures = await Promise.all(names.map((name) => failureOf(directory.resolve(name))));
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['UPSTREAM_UNAVAILABLE']));
    expect(connections).toBeLessThan(50);
  });

  test('of a Which RA batch that nobody answers are not asked for one by one', async () => {
    const server = await startDirectoryServer();
    await server.close();
    const metrics = createMetrics();
    const { directory } = createProxyAt(server.url, { metrics });
    onTestFinished(() => directory.close());
    const failures = await Promise.all(directory.whichRa(names).map(failureOf));
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['UPSTREAM_UNAVAILABLE']));
    expect(await requestsOf(metrics)).toBeLessThan(10);
  });
});

test('a directory that comes back is found by one request', async () => {
  const time = createManualTime();
  const { directory, server } = await startProxy(({ socket }) => void socket.destroy(), { time });
  for (const name of names.slice(0, 12)) await failureOf(directory.resolve(name));
  expect(server.targets).toHaveLength(10);
  server.behave(notFound);
  time.advance(999);
  expect((await failureOf(directory.resolve(first))).code).toBe('UPSTREAM_UNAVAILABLE');
  time.advance(1);
  expect(await directory.resolve(first)).toMatchObject({ status: 'HANDLE_NOT_FOUND' });
  await Promise.all(names.slice(0, 100).map((name) => directory.resolve(name)));
  expect(server.targets).toHaveLength(111);
});

test('an attempt that the deadline ends counts as a time-out where it had half of its time', async () => {
  const { directory } = await startProxy(() => {}, { timeoutMs: 60_000, deadlineMs: 50, maxConnections: 16 });
  await Promise.all(names.slice(0, 10).map((name) => failureOf(directory.resolve(name))));
  expect(directory.status()).toEqual({ available: false });
});

test('requests are counted by face and outcome, and their time is taken', async () => {
  const metrics = createMetrics();
  const { directory, server } = await startProxy(notFound, { metrics });
  await directory.resolve(first);
  server.behave(answering(500, JSON.stringify({ responseCode: 2, handle: first })));
  await directory.resolve(first);
  server.behave(answering(200, '{}'));
  await failureOf(directory.resolve(first));
  await Promise.allSettled(directory.whichRa([first]));
  const controller = new AbortController();
  server.behave(() => controller.abort(new Error('the client has gone')));
  await expect(directory.resolve(first, { signal: controller.signal })).rejects.toThrow(
    'the client has gone',
  );
  await expect.poll(() => requestsOf(metrics)).toBe(5);
  const { values } = await metrics.directoryRequests.get();
  expect(values.map(({ labels, value }) => [labels.face, labels.outcome, value])).toEqual([
    ['handles', 'ok', 1],
    ['handles', 'UPSTREAM_UNAVAILABLE', 1],
    ['handles', 'UPSTREAM_BAD_RESPONSE', 1],
    ['doiRA', 'ok', 1],
    ['handles', 'aborted', 1],
  ]);
  expect(await metrics.registry.metrics()).toContain(
    'doi_gateway_directory_request_seconds_count{face="handles"} 4',
  );
});

type Metrics = ReturnType<typeof createMetrics>;

async function circuitGauge({ directoryCircuit }: Metrics) {
  return (await directoryCircuit.get()).values;
}

async function requestsOf({ directoryRequests }: Metrics): Promise<number> {
  return (await directoryRequests.get()).values.reduce((sum, { value }) => sum + value, 0);
}
