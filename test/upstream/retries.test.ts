// Which requests are sent again, when, and how often.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/errors.ts';
import type { ProxyDirectoryOptions } from '../../src/upstream/proxy.ts';
import { isWorthRetrying } from '../../src/upstream/retries.ts';
import { deadlineExceeded, heldBack } from '../../src/upstream/upstream-failure.ts';
import { wireValue } from '../handle/wire.ts';
import type { Behaviour } from '../support/directory-server.ts';
import { createManualTime, createSkippingTime, type ManualTime } from './manual-time.ts';
import { answering, closesConnection, failureOf, HTML, handleName, startProxy } from './proxy-under-test.ts';

const name = handleName('10.5555/x');
const TARGET = '/api/handles/10.5555/x';
const found = answering(200, JSON.stringify({ responseCode: 1, handle: name, values: [wireValue()] }));
const responseCode = (httpStatus: number, code: number, headers = {}) =>
  answering(httpStatus, JSON.stringify({ responseCode: code, handle: name }), headers);

/** Uses each behaviour once, and the last behaviour from then on. */
function inTurn(...behaviours: readonly Behaviour[]): Behaviour {
  let requests = 0;
  return (request, response) => {
    behaviours[Math.min(requests, behaviours.length - 1)]?.(request, response);
    requests += 1;
  };
}

const TIMEOUT_MS = 1_000;
let time: ManualTime;
beforeEach(() => {
  time = createSkippingTime();
});

/** Sends no response. The attempt times out at once. */
const TIMES_OUT: Behaviour = () => time.advance(TIMEOUT_MS);

const startRetrying = (behaviour: Behaviour, options: Partial<ProxyDirectoryOptions> = {}) =>
  startProxy(behaviour, { retries: 2, time, timeoutMs: TIMEOUT_MS, random: () => 1, ...options });

const RETRIED: readonly [string, Behaviour, ErrorCode][] = [
  ['a reset connection', ({ socket }) => void socket.resetAndDestroy(), 'UPSTREAM_UNAVAILABLE'],
  ['a timeout', TIMES_OUT, 'UPSTREAM_TIMEOUT'],
  ['status 429', answering(429, '', HTML), 'UPSTREAM_RATE_LIMITED'],
  ['status 500 and a page', answering(500, '<b>', HTML), 'UPSTREAM_UNAVAILABLE'],
  ['status 502', answering(502, '', HTML), 'UPSTREAM_UNAVAILABLE'],
  ['status 503 and other JSON', answering(503, '{"error":"busy"}'), 'UPSTREAM_UNAVAILABLE'],
];

describe.each(RETRIED)('after %s', (_, behaviour, code) => {
  test('the request is sent again, and the answer counts', async () => {
    const { directory, server } = await startRetrying(inTurn(behaviour, behaviour, found));
    expect(await directory.resolve(name)).toMatchObject({ status: 'SUCCESS' });
    expect(server.targets).toEqual([TARGET, TARGET, TARGET]);
  });

  test.each([0, 3])('the look-up fails after %i retries', async (retries) => {
    const { directory, server } = await startRetrying(behaviour, { retries });
    expect((await failureOf(directory.resolve(name))).code).toBe(code);
    expect(server.targets).toHaveLength(retries + 1);
  });
});

test.each<[string, Behaviour]>([
  ['status 404 and a page', answering(404, '<b>', HTML)],
  ['status 400 and a page', answering(400, '<b>', HTML)],
  ['status 403 and a page', answering(403, '<b>', HTML)],
  ['a redirect', answering(302, '', { location: '/' })],
  ['broken JSON', answering(200, '{"responseCode":')],
  ['other JSON', answering(200, '{}')],
  ['an answer for another name', answering(404, '{"responseCode":100,"handle":"10.5555/y"}')],
  ['a too large body', answering(200, ' '.repeat(1_000_001))],
])('after %s the look-up fails without a retry', async (_, behaviour) => {
  const { directory, server } = await startRetrying(behaviour);
  await failureOf(directory.resolve(name));
  expect(server.targets).toEqual([TARGET]);
});

test.each([
  [404, 100],
  [400, 4],
  [400, 102],
  [403, 401],
])(
  'HTTP status %d with response code %d is an answer, so the request is not sent again',
  async (httpStatus, code) => {
    const { directory, server } = await startRetrying(responseCode(httpStatus, code));
    expect(await directory.resolve(name)).toMatchObject({ responseCode: code });
    expect(server.targets).toEqual([TARGET]);
  },
);

describe.each([
  [500, 2],
  [503, 3],
  [503, 7],
])('HTTP status %d with response code %d', (httpStatus, code) => {
  test('is retried, and becomes a record with the status ERROR if all attempts fail', async () => {
    const { directory, server } = await startRetrying(responseCode(httpStatus, code));
    expect(await directory.resolve(name)).toMatchObject({ status: 'ERROR', responseCode: code });
    expect(server.targets).toHaveLength(3);
  });

  test('is retried, and a later answer counts', async () => {
    const { directory, server } = await startRetrying(inTurn(responseCode(httpStatus, code), found));
    expect(await directory.resolve(name)).toMatchObject({ status: 'SUCCESS' });
    expect(server.targets).toHaveLength(2);
  });
});

test.each(RETRIED)('the answer is response code 2 if only %s follows it', async (_, behaviour) => {
  const { directory } = await startRetrying(inTurn(responseCode(500, 2), behaviour));
  expect(await directory.resolve(name)).toMatchObject({ status: 'ERROR', responseCode: 2 });
});

test.each([heldBack('the circuit is open'), deadlineExceeded(1_000)])(
  'a failure without an attempt is not retried',
  (failure) => {
    expect(isWorthRetrying(failure)).toBe(false);
  },
);

test('a Which RA request is sent again unchanged', async () => {
  const agencies = answering(200, JSON.stringify([{ DOI: name, RA: 'Crossref' }]));
  const { directory, server } = await startRetrying(inTurn(answering(502, '', HTML), agencies));
  expect(await Promise.all(directory.whichRa([name]))).toMatchObject([
    { status: 'FOUND', agency: 'Crossref' },
  ]);
  expect(server.targets).toEqual(['/doiRA/10.5555/x', '/doiRA/10.5555/x']);
});

describe('the wait before a retry', () => {
  test.each([
    [0, [100, 200, 400, 800, 1_000, 1_000]],
    [1, [200, 400, 800, 1_600, 2_000, 2_000]],
  ])('doubles up to two seconds, and half of the wait is random: %d', async (random, waits) => {
    const options = { retries: 6, random: () => random };
    const { directory } = await startRetrying(answering(500, '', HTML), options);
    await failureOf(directory.resolve(name));
    expect(time.sleeps).toEqual(waits);
  });

  test.each<[string, Behaviour, number]>([
    ['a 429', answering(429, '', { ...HTML, 'retry-after': '7' }), 7_200],
    ['a 429 without a time', answering(429, '', HTML), 1_200],
    ['a 503', answering(503, '', { ...HTML, 'retry-after': '3' }), 3_200],
    ['response code 3', responseCode(503, 3, { 'retry-after': '4' }), 4_200],
  ])('includes the Retry-After of %s', async (_, behaviour, waitMs) => {
    const { directory } = await startRetrying(inTurn(behaviour, found));
    expect(await directory.resolve(name)).toMatchObject({ status: 'SUCCESS' });
    expect(time.sleeps).toEqual([waitMs]);
  });

  test.each([
    [429, 'UPSTREAM_RATE_LIMITED'],
    [503, 'UPSTREAM_UNAVAILABLE'],
  ])('does not begin if the Retry-After of a %d ends after the deadline', async (status, code) => {
    const behaviour = answering(status, '', { ...HTML, 'retry-after': '15' });
    const { directory, server } = await startRetrying(behaviour, { deadlineMs: 15_000 });
    expect(await failureOf(directory.resolve(name))).toMatchObject({
      code,
      details: { retryAfterSeconds: 15 },
    });
    expect(server.targets).toHaveLength(1);
    expect(time.sleeps).toEqual([]);
  });

  test('ends when the caller aborts, and nothing more is sent', async () => {
    const time = createManualTime();
    const { directory, server } = await startRetrying(answering(500, '', HTML), { time });
    const controller = new AbortController();
    const reason = new Error('the client has gone');
    const record = directory.resolve(name, { signal: controller.signal });
    await time.slept(1);
    controller.abort(reason);
    await expect(record).rejects.toBe(reason);
    time.advance(60_000);
    expect(server.targets).toHaveLength(1);
  });

  test('ends when the directory is closed', async () => {
    const time = createManualTime();
    const { directory } = await startRetrying(answering(500, '', HTML), { time });
    const failure = failureOf(directory.resolve(name));
    await time.slept(1);
    await directory.close();
    expect((await failure).code).toBe('UPSTREAM_UNAVAILABLE');
  });
});

describe('the deadline', () => {
  test('ends an attempt before its timeout with UPSTREAM_TIMEOUT', async () => {
    const time = createManualTime();
    const { directory, server, logged } = await startProxy(() => {}, { retries: 2, time });
    const failure = failureOf(directory.resolve(name));
    while (server.targets.length < 1) await nextTurn();
    time.advance(15_000);
    expect((await failure).code).toBe('UPSTREAM_TIMEOUT');
    expect(server.targets).toHaveLength(1);
    expect(logged()).toContain('UPSTREAM_TIMEOUT');
  });

  test('is the same for all attempts', async () => {
    const time = createManualTime();
    const { directory, server } = await startProxy(
      inTurn(closesConnection, () => {}),
      { retries: 9, time },
    );
    const failure = failureOf(directory.resolve(name));
    await time.slept(1);
    time.advance(1_000);
    while (server.targets.length < 2) await nextTurn();
    time.advance(14_000);
    expect((await failure).code).toBe('UPSTREAM_TIMEOUT');
    expect(server.targets).toHaveLength(2);
  });

  test('does not replace an earlier error of the directory', async () => {
    const { directory } = await startRetrying(inTurn(responseCode(500, 2), TIMES_OUT), {
      deadlineMs: TIMEOUT_MS,
      // Removes the whole back-off.
      random: () => -1,
    });
    expect(await directory.resolve(name)).toMatchObject({ status: 'ERROR', responseCode: 2 });
  });
});
