// Several base URLs: they are asked in their order, the next one where one cannot or will not answer.

import { describe, expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../src/metrics.ts';
import type { ProxyDirectoryOptions } from '../../src/upstream/proxy.ts';
import { askedNames, type Behaviour, sendJson, startDirectoryServer } from '../support/directory-server.ts';
import { createManualTime, createSkippingTime } from './manual-time.ts';
import { answering, createProxyAt, failureOf, handleName } from './proxy-under-test.ts';

const name = handleName('10.5555/x');
const html = { 'content-type': 'text/html' };
const notFound: Behaviour = (request, response) =>
  sendJson(response, 404, { responseCode: 100, handle: askedNames(request).names[0] });
const broken: Behaviour = ({ socket }) => void socket.destroy();

async function startTwo(one: Behaviour, two: Behaviour, options: Partial<ProxyDirectoryOptions> = {}) {
  const servers = [await startDirectoryServer(one), await startDirectoryServer(two)] as const;
  const urls = servers.map(({ url }) => url);
  const { directory, logged } = createProxyAt(urls, options);
  onTestFinished(async () => {
    await directory.close();
    for (const server of servers) await server.close();
  });
  const [first, second] = servers;
  return { directory, first, second, logged, asked: () => servers.map(({ targets }) => targets.length) };
}

test('the first one is asked alone while it answers', async () => {
  const { directory, asked, first, second } = await startTwo(notFound, notFound);
  expect(await directory.resolve(name)).toMatchObject({ status: 'HANDLE_NOT_FOUND' });
  expect(asked()).toEqual([1, 0]);
  const baseUrls = [first.url.origin, second.url.origin];
  expect(directory.description).toMatchObject({
    kind: 'PROXY',
    baseUrls,
    description: `The DOI proxy at ${baseUrls[0]}, then the one at ${baseUrls[1]}.`,
  });
});

const SILENCE: Behaviour = () => {};

describe('the next one is asked at once', () => {
  test.each<[string, Behaviour]>([
    ['cannot be reached', broken],
    ['takes too long', SILENCE],
    ['is rate limited', answering(429, '', { ...html, 'retry-after': '3600' })],
    ['answers 500', answering(500, '', html)],
    ['answers 403', answering(403, '', html)],
    ['is out of order', answering(500, JSON.stringify({ responseCode: 2, handle: name }))],
  ])('where one %s', async (_, behaviour) => {
    const time = createManualTime();
    const timeoutMs = 1_000;
    const silence = () => time.advance(timeoutMs);
    const one = behaviour === SILENCE ? silence : behaviour;
    const { directory, asked, first, logged } = await startTwo(one, notFound, {
      time,
      timeoutMs,
      retries: 2,
    });
    expect(await directory.resolve(name)).toMatchObject({ status: 'HANDLE_NOT_FOUND' });
    expect(asked()).toEqual([1, 1]);
    expect(time.sleeps).toEqual([]);
    if (!_.includes('order')) expect(logged()).toContain(first.url.origin);
  });

  test('and a deadline before the last one has answered is a time-out', async () => {
    const time = createManualTime();
    const outOfOrder = answering(500, JSON.stringify({ responseCode: 2, handle: name }));
    const { directory, asked } = await startTwo(outOfOrder, () => time.advance(1_000), {
      time,
      deadlineMs: 1_000,
    });
    expect(await failureOf(directory.resolve(name))).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(asked()).toEqual([1, 1]);
  });

  test('for agencies too', async () => {
    const agencies = answering(200, JSON.stringify([{ DOI: name, RA: 'Crossref' }]));
    const { directory, asked } = await startTwo(broken, agencies);
    expect(await Promise.all(directory.whichRa([name]))).toMatchObject([
      { status: 'FOUND', agency: 'Crossref' },
    ]);
    expect(asked()).toEqual([1, 1]);
  });

  test('without asking the one whose circuit is open, until a probe finds it again', async () => {
    const time = createManualTime();
    const tooMany = answering(429, '', { ...html, 'retry-after': '5' });
    const metrics = createMetrics();
    const { directory, asked, first } = await startTwo(tooMany, notFound, { time, metrics });
    for (let count = 0; count < 5; count += 1) await directory.resolve(name);
    expect(asked()).toEqual([1, 5]);
    expect(directory.status()).toMatchObject({ available: true });
    first.behave(notFound);
    time.advance(5_000);
    await expect.poll(async () => (await metrics.directoryCircuit.get()).values[0]?.value).toBe(0);
    for (let count = 0; count < 5; count += 1) await directory.resolve(name);
    expect(asked()).toEqual([6, 5]);
  });
});

test.each<[string, Behaviour]>([
  ['404 and a page', answering(404, '<b>', html)],
  ['an answer that cannot be understood', answering(200, '{}')],
  ['that the name is invalid', answering(400, JSON.stringify({ responseCode: 102, handle: name }))],
])('the next one is not asked where one says %s', async (_, behaviour) => {
  const { directory, asked } = await startTwo(behaviour, notFound);
  await directory.resolve(name).catch(() => {});
  expect(asked()).toEqual([1, 0]);
});

describe('where none answers', () => {
  test('all are asked again in their order', async () => {
    const time = createSkippingTime();
    const { directory, asked } = await startTwo(broken, answering(502, '', html), { time, retries: 2 });
    expect((await failureOf(directory.resolve(name))).code).toBe('UPSTREAM_UNAVAILABLE');
    expect(asked()).toEqual([3, 3]);
  });

  test('one that answered 403 is left out from then on', async () => {
    const time = createSkippingTime();
    const { directory, asked } = await startTwo(answering(403, '', html), answering(502, '', html), {
      time,
      retries: 2,
    });
    await failureOf(directory.resolve(name));
    expect(asked()).toEqual([1, 3]);
  });

  test('the wait is for the one that is ready first', async () => {
    const time = createSkippingTime();
    const later = (seconds: string) => answering(429, '', { ...html, 'retry-after': seconds });
    const { directory } = await startTwo(later('9'), later('2'), { time, retries: 1, random: () => 1 });
    expect((await failureOf(directory.resolve(name))).code).toBe('UPSTREAM_RATE_LIMITED');
    expect(time.sleeps).toEqual([2_200]);
    expect(directory.status()).toMatchObject({ available: false });
    expect((await failureOf(directory.resolve(name))).details).toEqual({ retryAfterSeconds: 2 });
  });

  test('an error of the directory itself is told rather than that another is out of reach', async () => {
    const outOfOrder = answering(500, JSON.stringify({ responseCode: 2, handle: name }));
    for (const [one, two] of [
      [outOfOrder, broken],
      [broken, outOfOrder],
    ] as const) {
      const { directory } = await startTwo(one, two);
      expect(await directory.resolve(name)).toMatchObject({ status: 'ERROR', responseCode: 2 });
    }
  });
});

describe('where the deadline ends the attempt at a base that was asked after another', () => {
  const names = Array.from({ length: 5 }, (_, index) => handleName(`10.5555/slow.${index}`));

  test.each([
    ['had half of its time, it counts as a time-out, and the base is looked at', 100, 1],
    ['had less than half of its time, it says nothing of the base', 99, 0],
  ])('and the attempt %s', async (_, hadMs, probes) => {
    const time = createManualTime();
    const brokenLate: Behaviour = (request, response) => {
      time.advance(200 - hadMs);
      broken(request, response);
    };
    const options = { time, timeoutMs: 60_000, deadlineMs: 200 };
    const { directory, second, asked } = await startTwo(brokenLate, () => time.advance(hadMs), options);
    for (const each of names) await failureOf(directory.resolve(each));
    expect(asked()).toEqual([5, 5]);
    if (probes > 0) await expect.poll(() => second.probes.length).toBe(probes);
    second.behave(notFound);
    await directory.resolve(name);
    expect(second.probes).toHaveLength(probes);
  });
});
