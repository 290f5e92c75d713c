// What is asked again, when, and how often; and what is not.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/errors.ts';
import type { ProxyDirectoryOptions } from '../../src/upstream/proxy.ts';
import { wireValue } from '../handle/wire.ts';
import type { Behaviour } from '../support/directory-server.ts';
import { askerAt } from './askers.ts';
import { createManualTime, createSkippingTime, type ManualTime } from './manual-time.ts';
import { answering, failureOf, handleName, startProxy } from './proxy-under-test.ts';

const name = handleName('10.5555/x');
const TARGET = '/api/handles/10.5555/x';
const html = { 'content-type': 'text/html' };
const found = answering(200, JSON.stringify({ responseCode: 1, handle: name, values: [wireValue()] }));
const outOfOrder = (httpStatus: number, responseCode: number, headers = {}) =>
  answering(httpStatus, JSON.stringify({ responseCode, handle: name }), headers);

/** A random share that takes all of the back-off away. */
const NO_BACK_OFF = () => -1;

/** Each behaviour once, the last one from then on. */
function inTurn(...behaviours: readonly Behaviour[]): Behaviour {
  let asked = 0;
  return (request, response) => {
    const behaviour = behaviours[Math.min(asked, behaviours.length - 1)];
    asked += 1;
    behaviour?.(request, response);
  };
}

const ATTEMPT_MS = 1_000;
let time: ManualTime;
beforeEach(() => {
  time = createSkippingTime();
});

/** No answer until the attempt is over, which takes no time. */
const SILENCE: Behaviour = () => time.advance(ATTEMPT_MS);

async function startRetrying(behaviour: Behaviour, options: Partial<ProxyDirectoryOptions> = {}) {
  const proxy = await startProxy(behaviour, {
    retries: 2,
    time,
    timeoutMs: ATTEMPT_MS,
    random: () => 1,
    ...options,
  });
  return { ...proxy, time };
}

const PASSING: readonly [string, Behaviour, ErrorCode][] = [
  ['a reset connection', ({ socket }) => void socket.resetAndDestroy(), 'UPSTREAM_UNAVAILABLE'],
  ['silence', SILENCE, 'UPSTREAM_TIMEOUT'],
  ['status 429', answering(429, '', html), 'UPSTREAM_RATE_LIMITED'],
  ['status 500 and a page', answering(500, '<b>', html), 'UPSTREAM_UNAVAILABLE'],
  ['status 502', answering(502, '', html), 'UPSTREAM_UNAVAILABLE'],
  ['status 503 and other JSON', answering(503, '{"error":"busy"}'), 'UPSTREAM_UNAVAILABLE'],
];

describe.each(PASSING)('%s', (_, behaviour, code) => {
  test('is asked again, and the answer counts', async () => {
    const { directory, server } = await startRetrying(inTurn(behaviour, behaviour, found));
    expect(await directory.resolve(name)).toMatchObject({ status: 'SUCCESS' });
    expect(server.targets).toEqual([TARGET, TARGET, TARGET]);
  });

  test('is asked again as often as there are retries, then it is a failure', async () => {
    const { directory, server } = await startRetrying(behaviour, { retries: 3 });
    expect((await failureOf(directory.resolve(name))).code).toBe(code);
    expect(server.targets).toHaveLength(4);
  });

  test('is not asked again without retries', async () => {
    const { directory, server } = await startRetrying(behaviour, { retries: 0 });
    expect((await failureOf(directory.resolve(name))).code).toBe(code);
    expect(server.targets).toHaveLength(1);
  });
});

describe('what another attempt would not change is asked once', () => {
  test.each<[string, Behaviour]>([
    ['status 404 and a page', answering(404, '<b>', html)],
    ['status 400 and a page', answering(400, '<b>', html)],
    ['status 403 and a page', answering(403, '<b>', html)],
    ['a redirect', answering(302, '', { location: '/' })],
    ['broken JSON', answering(200, '{"responseCode":')],
    ['JSON that is no answer', answering(200, '{}')],
    ['the answer for another name', answering(404, '{"responseCode":100,"handle":"10.5555/y"}')],
    ['a body too large', answering(200, ' '.repeat(1_000_001))],
  ])('%s', async (_, behaviour) => {
    const { directory, server, time } = await startRetrying(behaviour);
    await failureOf(directory.resolve(name));
    expect(server.targets).toEqual([TARGET]);
    expect(time.sleeps).toEqual([]);
  });

  test.each([
    [404, 100],
    [400, 4],
    [400, 102],
    [403, 401],
  ])('an answer with HTTP status %d and response code %d', async (httpStatus, responseCode) => {
    const { directory, server } = await startRetrying(outOfOrder(httpStatus, responseCode));
    expect(await directory.resolve(name)).toMatchObject({ responseCode });
    expect(server.targets).toEqual([TARGET]);
  });
});

describe.each([
  [500, 2],
  [503, 3],
  [503, 7],
])('HTTP status %d with response code %d', (httpStatus, responseCode) => {
  test('is asked again, and stays a record with status ERROR', async () => {
    const { directory, server } = await startRetrying(outOfOrder(httpStatus, responseCode));
    expect(await directory.resolve(name)).toMatchObject({ status: 'ERROR', responseCode });
    expect(server.targets).toHaveLength(3);
  });

  test('is asked again, and the answer counts', async () => {
    const { directory, server } = await startRetrying(inTurn(outOfOrder(httpStatus, responseCode), found));
    expect(await directory.resolve(name)).toMatchObject({ status: 'SUCCESS' });
    expect(server.targets).toHaveLength(2);
  });

  test.each(PASSING)('is what is told, if then there is only %s', async (_, behaviour) => {
    const { directory } = await startRetrying(inTurn(outOfOrder(httpStatus, responseCode), behaviour));
    expect(await directory.resolve(name)).toMatchObject({ status: 'ERROR', responseCode });
  });
});

test('a Which RA request is asked again as it was', async () => {
  const agencies = answering(200, JSON.stringify([{ DOI: name, RA: 'Crossref' }]));
  const { directory, server } = await startRetrying(inTurn(answering(502, '', html), agencies));
  expect(await Promise.all(directory.whichRa([name]))).toMatchObject([
    { status: 'FOUND', agency: 'Crossref' },
  ]);
  expect(server.targets).toEqual(['/doiRA/10.5555/x', '/doiRA/10.5555/x']);
});

describe('the wait before another attempt', () => {
  test.each([
    [0, [100, 200, 400, 800, 1_000, 1_000]],
    [1, [200, 400, 800, 1_600, 2_000, 2_000]],
  ])('grows, up to two seconds, and half of it is random: %d', async (share, waits) => {
    const { directory, time } = await startRetrying(answering(500, '', html), {
      retries: 6,
      random: () => share,
    });
    await failureOf(directory.resolve(name));
    expect(time.sleeps).toEqual(waits);
  });

  test.each<[string, Behaviour, number]>([
    ['a 429', answering(429, '', { ...html, 'retry-after': '7' }), 7_200],
    ['a 429 that names none', answering(429, '', html), 1_200],
    ['a 503', answering(503, '', { ...html, 'retry-after': '3' }), 3_200],
    ['response code 3', outOfOrder(503, 3, { 'retry-after': '4' }), 4_200],
  ])('is at least the Retry-After of %s', async (_, behaviour, waitMs) => {
    const { directory, time } = await startRetrying(inTurn(behaviour, found));
    expect(await directory.resolve(name)).toMatchObject({ status: 'SUCCESS' });
    expect(time.sleeps).toEqual([waitMs]);
  });

  test.each([
    [429, 'UPSTREAM_RATE_LIMITED'],
    [503, 'UPSTREAM_UNAVAILABLE'],
  ])('is none where the Retry-After of a %d is later than the deadline', async (status, code) => {
    const behaviour = answering(status, '', { ...html, 'retry-after': '15' });
    const { directory, server, time } = await startRetrying(behaviour, { deadlineMs: 15_000 });
    expect(await failureOf(directory.resolve(name))).toMatchObject({
      code,
      details: { retryAfterSeconds: 15 },
    });
    expect(server.targets).toHaveLength(1);
    expect(time.sleeps).toEqual([]);
  });

  test('ends when the caller goes, and nothing more is sent', async () => {
    const time = createManualTime();
    const { directory, server } = await startRetrying(answering(500, '', html), { time });
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
    const { directory } = await startRetrying(answering(500, '', html), { time });
    const failure = failureOf(directory.resolve(name));
    await time.slept(1);
    await directory.close();
    expect((await failure).code).toBe('UPSTREAM_UNAVAILABLE');
  });
});

describe('the deadline', () => {
  test('ends an attempt before its own time-out, as UPSTREAM_TIMEOUT', async () => {
    const time = createManualTime();
    const { directory, server, logged } = await startProxy(SILENCE, { retries: 2, time });
    const failure = failureOf(directory.resolve(name));
    while (server.targets.length < 1) await nextTurn();
    time.advance(15_000);
    expect((await failure).code).toBe('UPSTREAM_TIMEOUT');
    expect(server.targets).toHaveLength(1);
    expect(logged()).toContain('UPSTREAM_TIMEOUT');
  });

  test('is for all attempts together', async () => {
    const time = createManualTime();
    const broken: Behaviour = ({ socket }) => void socket.destroy();
    const { directory, server } = await startProxy(inTurn(broken, SILENCE), { retries: 9, time });
    const failure = failureOf(directory.resolve(name));
    await time.slept(1);
    time.advance(1_000);
    while (server.targets.length < 2) await nextTurn();
    time.advance(14_000);
    expect((await failure).code).toBe('UPSTREAM_TIMEOUT');
    expect(server.targets).toHaveLength(2);
  });

  test('ends the wait for a connection, which says nothing of the directory', async () => {
    const time = createManualTime();
    const { directory, server } = await startProxy(SILENCE, { maxConnections: 1, time });
    const asked = [1, 2, 3].map(() => failureOf(directory.resolve(name)));
    while (server.targets.length < 1) await nextTurn();
    time.advance(15_000);
    const failures = await Promise.all(asked);
    expect(failures.map(({ code }) => code)).toEqual(['UPSTREAM_TIMEOUT', 'GATEWAY_BUSY', 'GATEWAY_BUSY']);
    expect(server.targets).toHaveLength(1);
  });

  test('leaves what the directory said of itself before', async () => {
    const { directory } = await startRetrying(inTurn(outOfOrder(500, 2), SILENCE), {
      deadlineMs: ATTEMPT_MS,
      random: NO_BACK_OFF,
    });
    expect(await directory.resolve(name)).toMatchObject({ status: 'ERROR', responseCode: 2 });
  });
});

test('what is asked for together has one deadline, whenever each of it begins', async () => {
  const held = createManualTime();
  const deadlineMs = 10_000;
  const { directory } = await startProxy(() => {}, { time: held, deadlineMs, timeoutMs: deadlineMs });
  const requester = { ...askerAt('127.0.0.1'), batch: { begunAt: undefined, toCome: 0 } };
  const first = failureOf(directory.resolve(name, { requester }));
  held.advance(6_000);
  const later = failureOf(directory.resolve(handleName('10.5555/later'), { requester }));
  held.advance(4_000);
  expect([(await first).code, (await later).code]).toEqual(['UPSTREAM_TIMEOUT', 'UPSTREAM_TIMEOUT']);
});
