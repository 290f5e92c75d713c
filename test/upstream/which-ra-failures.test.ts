// A Which RA request that is refused for several names: it is halved, but not when that would hurt.

import { EventEmitter, once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createWhichRaAnswer } from '../../src/directory/directory.ts';
import { type Behaviour, requestedNames, sendJson } from '../support/directory-server.ts';
import { createManualTime } from './manual-time.ts';
import { answering, failureOf, handleName, NOW, startProxy } from './proxy-under-test.ts';

const names = ['10.5555/a', '10.5555/b', '10.5555/c'].map(handleName);
const TOGETHER = '/doiRA/10.5555/a,10.5555/b,10.5555/c';
const IN_HALVES = [
  TOGETHER,
  '/doiRA/10.5555/a,10.5555/b',
  '/doiRA/10.5555/c',
  '/doiRA/10.5555/a',
  '/doiRA/10.5555/b',
];

/** A label that says which name it is for. */
const itemOf = (name: string) => ({ DOI: name, RA: `agency of ${name}` });
const goodAnswers = names.map((name) =>
  createWhichRaAnswer({ status: 'FOUND', agency: `agency of ${name}` }, NOW),
);

/** Good for each name alone, bad for several. */
function badTogether(bad: Behaviour): Behaviour {
  return (request, response) => {
    const asked = requestedNames(request).names;
    if (asked.length > 1) bad(request, response);
    else sendJson(response, 200, asked.map(itemOf));
  };
}

const items = names.map(itemOf);
const MISMATCHES: readonly [string, unknown][] = [
  ['too few items', items.slice(1)],
  ['too many items', [...items, ...items]],
  ['no items', []],
  ['an item for another name', [...items.slice(1), itemOf('10.5555/other')]],
  ['the items in another order', items.toReversed()],
  ['an item without echo', [...items.slice(1), { RA: 'Crossref' }]],
  ['an item of an unknown status', [...items.slice(1), { DOI: names[2], status: 'Out of order' }]],
  ['an object', { items }],
];
const REFUSALS: readonly [string, Behaviour][] = [
  ['status 404 and JSON', answering(404, JSON.stringify(items))],
  ['status 414', answering(414)],
  ['half of its JSON', answering(200, JSON.stringify(items).slice(0, -5))],
];
const FAILURES: readonly [string, Behaviour][] = [
  ['status 500 and a page', answering(500, '<b>Error</b>', { 'content-type': 'text/html' })],
  ['status 500 and JSON', answering(500, JSON.stringify(items))],
  ['status 503', answering(503)],
  ['a reset connection', ({ socket }) => void socket.resetAndDestroy()],
  [
    'half of its bytes',
    ({ socket }, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 });
      response.write('[{', () => socket.destroySoon());
    },
  ],
];

describe('a request is asked again in halves', () => {
  test.each(MISMATCHES)('when its answer has %s', async (_, body) => {
    const { directory, server } = await startProxy(badTogether(answering(200, JSON.stringify(body))));
    expect(await Promise.all(directory.whichRa(names))).toEqual(goodAnswers);
    expect(new Set(server.targets)).toEqual(new Set(IN_HALVES));
    expect(server.targets).toHaveLength(IN_HALVES.length);
  });

  test.each(REFUSALS)('when it ends with %s', async (_, behaviour) => {
    const { directory, server } = await startProxy(badTogether(behaviour));
    expect(await Promise.all(directory.whichRa(names))).toEqual(goodAnswers);
    expect(new Set(server.targets)).toEqual(new Set(IN_HALVES));
    expect(server.targets).toHaveLength(IN_HALVES.length);
  });

  test.each(REFUSALS)('but not when it was for one name, and ended with %s', async (_, behaviour) => {
    const { directory, server } = await startProxy(behaviour);
    const [answer = expect.unreachable()] = directory.whichRa(names.slice(0, 1));
    await failureOf(answer);
    expect(server.targets).toEqual(['/doiRA/10.5555/a']);
  });
});

describe('a request that the directory fails is not followed by more', () => {
  test.each(FAILURES)('when it ends with %s', async (_, behaviour) => {
    const { directory, server } = await startProxy(badTogether(behaviour));
    for (const { code } of await Promise.all(directory.whichRa(names).map(failureOf))) {
      expect(code).toBe('UPSTREAM_UNAVAILABLE');
    }
    expect(server.targets).toEqual([TOGETHER]);
  });

  test('when it takes too long', async () => {
    const time = createManualTime();
    const silence = badTogether(() => time.advance(1_000));
    const { directory, server } = await startProxy(silence, { time, timeoutMs: 1_000 });
    for (const { code } of await Promise.all(directory.whichRa(names).map(failureOf))) {
      expect(code).toBe('UPSTREAM_TIMEOUT');
    }
    expect(server.targets).toEqual([TOGETHER]);
  });
});

test('a name that fails also alone fails by itself', async () => {
  const { directory } = await startProxy((request, response) => {
    const asked = requestedNames(request).names;
    if (asked.includes('10.5555/b')) answering(400, '{}')(request, response);
    else sendJson(response, 200, asked.map(itemOf));
  });
  const outcomes = await Promise.allSettled(directory.whichRa(names));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: { code: 'UPSTREAM_BAD_RESPONSE' } });
});

describe('a directory that asks for fewer requests', () => {
  test.each([
    ['a page', '<b>Slow down</b>', { 'content-type': 'text/html' }],
    ['JSON', '[]', {}],
  ])('with %s is not asked again, and every name says when to come again', async (_, body, headers) => {
    const { directory, server } = await startProxy(answering(429, body, { ...headers, 'retry-after': '7' }));
    const failures = await Promise.all(directory.whichRa(names).map(failureOf));
    for (const { code, details } of failures) {
      expect({ code, details }).toEqual({ code: 'UPSTREAM_RATE_LIMITED', details: { retryAfterSeconds: 7 } });
    }
    expect(server.targets).toEqual([TOGETHER]);
  });
});

describe('requests of one call do not wait for each other', () => {
  const onePerRequest = { whichRa: { maxUrlBytes: 4_000, maxNames: 1 } };

  test('a slow one does not hold back the names of others', async () => {
    const release = new EventEmitter();
    const released = once(release, 'now');
    const { directory } = await startProxy((request, response) => {
      const asked = requestedNames(request).names;
      const answer = () => sendJson(response, 200, asked.map(itemOf));
      if (asked.includes('10.5555/a')) void released.then(answer);
      else answer();
    }, onePerRequest);
    const [slow, ...others] = directory.whichRa(names);
    expect(await Promise.all(others)).toEqual(goodAnswers.slice(1));
    release.emit('now');
    expect(await slow).toEqual(goodAnswers[0]);
  });

  test('a failing one does not fail the names of others', async () => {
    const { directory } = await startProxy((request, response) => {
      const asked = requestedNames(request).names;
      if (asked.includes('10.5555/a')) answering(500)(request, response);
      else sendJson(response, 200, asked.map(itemOf));
    }, onePerRequest);
    const [failing = expect.unreachable(), ...others] = directory.whichRa(names);
    const failure = failureOf(failing);
    expect(await Promise.all(others)).toEqual(goodAnswers.slice(1));
    expect((await failure).code).toBe('UPSTREAM_UNAVAILABLE');
  });
});

test('a URL of a request is within its limit, base and all', async () => {
  const many = Array.from({ length: 200 }, (_, index) => handleName(`10.5555/é-${index}`));
  const { directory, server } = await startProxy(undefined, { whichRa: { maxUrlBytes: 300, maxNames: 500 } });
  await Promise.all(directory.whichRa(many));
  const lengths = server.targets.map((target) => server.url.origin.length + target.length);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(300);
  expect(Math.max(...lengths)).toBeGreaterThan(280);
});
