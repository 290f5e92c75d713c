// A directory with several base URLs.

import { describe, expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../src/metrics.ts';
import type { ProxyDirectoryOptions } from '../../src/upstream/proxy.ts';
import { type Behaviour, startDirectoryServer } from '../support/directory-server.ts';
import { createManualTime, createSkippingTime } from './manual-time.ts';
import {
  answering,
  closesConnection,
  createProxyAt,
  failureOf,
  HTML,
  handleName,
  notFound,
} from './proxy-under-test.ts';

const name = handleName('10.5555/x');
const status = (code: number): Behaviour => answering(code, '', HTML);
const directoryError = answering(500, JSON.stringify({ responseCode: 2, handle: name }));

async function startTwo(one: Behaviour, two: Behaviour, options: Partial<ProxyDirectoryOptions> = {}) {
  const servers = [await startDirectoryServer(one), await startDirectoryServer(two)] as const;
  const urls = servers.map(({ url }) => url);
  const { directory, logged } = createProxyAt(urls, options);
  onTestFinished(async () => {
    await directory.close();
    for (const server of servers) await server.close();
  });
  const [first, second] = servers;
  return { directory, first, second, logged, requests: () => servers.map(({ targets }) => targets.length) };
}

test('only the first base gets requests while it answers', async () => {
  const { directory, requests, first, second } = await startTwo(notFound, notFound);
  expect(await directory.resolve(name)).toMatchObject({ status: 'HANDLE_NOT_FOUND' });
  expect(requests()).toEqual([1, 0]);
  const baseUrls = [first.url.origin, second.url.origin];
  expect(directory.description).toMatchObject({
    kind: 'PROXY',
    baseUrls,
    description: `The DOI proxy at ${baseUrls[0]}, then the one at ${baseUrls[1]}.`,
  });
});

describe('the next base gets the request at once', () => {
  const HANGS: Behaviour = () => {};

  test.each<[string, Behaviour]>([
    ['closes the connection', closesConnection],
    ['does not respond', HANGS],
    ['responds with 429', answering(429, '', { ...HTML, 'retry-after': '3600' })],
    ['responds with 500', status(500)],
    ['responds with 403', status(403)],
    ['reports an error of the directory', directoryError],
  ])('if a base %s', async (_, behaviour) => {
    const time = createManualTime();
    const options = { time, timeoutMs: 1_000, retries: 2 };
    const one = behaviour === HANGS ? () => time.advance(options.timeoutMs) : behaviour;
    const { directory, requests, first, logged } = await startTwo(one, notFound, options);
    expect(await directory.resolve(name)).toMatchObject({ status: 'HANDLE_NOT_FOUND' });
    expect(requests()).toEqual([1, 1]);
    expect(time.sleeps).toEqual([]);
    if (behaviour !== directoryError) expect(logged()).toContain(first.url.origin);
  });

  test('also if it is a Which RA request', async () => {
    const agencies = answering(200, JSON.stringify([{ DOI: name, RA: 'Crossref' }]));
    const { directory, requests } = await startTwo(closesConnection, agencies);
    expect(await Promise.all(directory.whichRa([name]))).toMatchObject([
      { status: 'FOUND', agency: 'Crossref' },
    ]);
    expect(requests()).toEqual([1, 1]);
  });

  test('while the circuit of a base is open, until a probe closes it', async () => {
    const time = createManualTime();
    const tooMany = answering(429, '', { ...HTML, 'retry-after': '5' });
    const metrics = createMetrics();
    const { directory, requests, first } = await startTwo(tooMany, notFound, { time, metrics });
    for (let count = 0; count < 5; count += 1) await directory.resolve(name);
    expect(requests()).toEqual([1, 5]);
    expect(directory.status()).toMatchObject({ available: true });
    first.behave(notFound);
    time.advance(5_000);
    await expect.poll(async () => (await metrics.directoryCircuit.get()).values[0]?.value).toBe(0);
    for (let count = 0; count < 5; count += 1) await directory.resolve(name);
    expect(requests()).toEqual([6, 5]);
  });
});

test.each<[string, Behaviour]>([
  ['with 404 and a page', answering(404, '<b>', HTML)],
  ['with an unreadable answer', answering(200, '{}')],
  ['that the name is invalid', answering(400, JSON.stringify({ responseCode: 102, handle: name }))],
])('the next base gets no request if a base responds %s', async (_, behaviour) => {
  const { directory, requests } = await startTwo(behaviour, notFound);
  await directory.resolve(name).catch(() => {});
  expect(requests()).toEqual([1, 0]);
});

describe('if all bases fail', () => {
  test.each<[string, Behaviour, number[]]>([
    ['all bases are tried again', closesConnection, [3, 3]],
    ['a base that responded with 403 is not tried again', status(403), [1, 3]],
  ])('%s', async (_, one, counts) => {
    const options = { time: createSkippingTime(), retries: 2 };
    const { directory, requests } = await startTwo(one, status(502), options);
    expect((await failureOf(directory.resolve(name))).code).toBe('UPSTREAM_UNAVAILABLE');
    expect(requests()).toEqual(counts);
  });

  test('the next attempt waits for the shortest Retry-After', async () => {
    const time = createSkippingTime();
    const later = (seconds: string) => answering(429, '', { ...HTML, 'retry-after': seconds });
    const { directory } = await startTwo(later('9'), later('2'), { time, retries: 1, random: () => 1 });
    expect((await failureOf(directory.resolve(name))).code).toBe('UPSTREAM_RATE_LIMITED');
    expect(time.sleeps).toEqual([2_200]);
    expect(directory.status()).toMatchObject({ available: false });
    expect((await failureOf(directory.resolve(name))).details).toEqual({ retryAfterSeconds: 2 });
  });

  test.each([
    ['before', directoryError, closesConnection],
    ['after', closesConnection, directoryError],
  ])(
    'the look-up returns an error of the directory that comes %s a closed connection',
    async (_, one, two) => {
      const { directory } = await startTwo(one, two);
      expect(await directory.resolve(name)).toMatchObject({ status: 'ERROR', responseCode: 2 });
    },
  );

  test('the look-up times out if the deadline comes before the last base responds', async () => {
    const time = createManualTime();
    const options = { time, deadlineMs: 1_000 };
    const { directory, requests } = await startTwo(directoryError, () => time.advance(1_000), options);
    expect(await failureOf(directory.resolve(name))).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(requests()).toEqual([1, 1]);
  });
});

test.each([
  [100, 'counts as a timeout and starts a probe, because it had half of its time', 1],
  [99, 'does not count, because it had less than half of its time', 0],
])('an attempt that the deadline ends after %i of 200 ms %s', async (hadMs, _, probes) => {
  const time = createManualTime();
  const failsLate: Behaviour = (request, response) => {
    time.advance(200 - hadMs);
    closesConnection(request, response);
  };
  const options = { time, timeoutMs: 60_000, deadlineMs: 200 };
  const { directory, second, requests } = await startTwo(failsLate, () => time.advance(hadMs), options);
  for (const index of [1, 2, 3, 4, 5]) {
    await failureOf(directory.resolve(handleName(`10.5555/slow.${index}`)));
  }
  expect(requests()).toEqual([5, 5]);
  if (probes > 0) await expect.poll(() => second.probes.length).toBe(probes);
  second.behave(notFound);
  await directory.resolve(name);
  expect(second.probes).toHaveLength(probes);
});
