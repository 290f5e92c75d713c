// A directory in trouble is spared: one failure holds back all requests, and one request finds out that it is over.

import { createServer } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../src/metrics.ts';
import { askedNames, type Behaviour, sendJson, startDirectoryServer } from '../support/directory-server.ts';
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
  test('holds back all others until a probe has found that it is over', async () => {
    const time = createManualTime();
    const metrics = createMetrics();
    const { directory, server, logged } = await startProxy(tooMany, { time, metrics });
    const base = server.url.origin;
    expect(directory.status()).toMatchObject({ available: true });
    expect(await circuitGauge(metrics)).toEqual([{ labels: { base, kind: 'directory' }, value: 0 }]);

    await failureOf(directory.resolve(first));
    expect(directory.status()).toMatchObject({ available: false });
    expect(await circuitGauge(metrics)).toEqual([{ labels: { base, kind: 'directory' }, value: 1 }]);

    time.advance(2_000);
    const questions = [directory.resolve(second), ...directory.whichRa(names)];
    for (const { code, details } of await Promise.all(questions.map(failureOf))) {
      expect({ code, details }).toEqual({ code: 'UPSTREAM_RATE_LIMITED', details: { retryAfterSeconds: 3 } });
    }
    expect(server.targets).toHaveLength(1);
    expect(server.probes).toHaveLength(0);

    server.behave(notFound);
    time.advance(3_000);
    const records = [second, third].map((name) => directory.resolve(name));
    for (const record of records) expect(await record).toMatchObject({ status: 'HANDLE_NOT_FOUND' });
    expect(server.targets).toHaveLength(3);
    expect(server.probes).toHaveLength(1);
    expect(await circuitGauge(metrics)).toEqual([{ labels: { base, kind: 'directory' }, value: 0 }]);
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
    for (const record of records) expect(await record).toMatchObject({ status: 'HANDLE_NOT_FOUND' });
    expect(server.targets).toHaveLength(4);
  });

  test('that a probe meets ends the waiting of those whose deadline is before its time', async () => {
    const time = createManualTime();
    const { directory, server } = await startProxy(tooMany, { time, deadlineMs: 4_000 });
    await failureOf(directory.resolve(first));
    server.behaveAlways(tooMany);
    time.advance(5_000);
    const { code, details } = await failureOf(directory.resolve(second));
    expect({ code, details }).toEqual({ code: 'UPSTREAM_RATE_LIMITED', details: { retryAfterSeconds: 5 } });
    expect(server.targets).toHaveLength(1);
  });
});

describe('a thousand names at once', () => {
  /** What they fail with when the directory is closed, after it was probed for the third time. */
  async function outcomeAt(url: URL) {
    const metrics = createMetrics();
    const { directory, logged } = createProxyAt(url, { metrics, maxConnections: 64, retries: 2 });
    onTestFinished(() => directory.close());
    const failures = Promise.all(
      [...names.map((name) => directory.resolve(name)), ...directory.whichRa(names)].map(failureOf),
    );
    await expect.poll(() => requestsOf(metrics, 'probe'), { timeout: 10_000 }).toBeGreaterThanOrEqual(3);
    expect(directory.status()).toEqual({ available: false, reached: false, problem: 'OUTAGE' });
    await directory.close();
    return {
      codes: new Set((await failures).map(({ code }) => code)),
      requests: await requestsOf(metrics),
      lines: logged().split('\n').length,
    };
  }

  test('against a port where nobody listens wait, for a few connections and lines in the log', async () => {
    const server = await startDirectoryServer();
    await server.close();
    const { codes, requests, lines } = await outcomeAt(server.url);
    expect(codes).toEqual(new Set(['UPSTREAM_UNAVAILABLE']));
    expect(requests).toBeLessThan(150);
    expect(lines).toBeLessThan(20);
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
    const { codes } = await outcomeAt(new URL(`http://127.0.0.1:${port}`));
    expect(codes).toEqual(new Set(['UPSTREAM_UNAVAILABLE']));
    expect(connections).toBeLessThan(150);
  });
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

async function requestsOf({ directoryRequests }: Metrics, face?: 'probe'): Promise<number> {
  const { values } = await directoryRequests.get();
  const counted = values.filter(({ labels }) => face === undefined || labels.face === face);
  return counted.reduce((sum, { value }) => sum + value, 0);
}
