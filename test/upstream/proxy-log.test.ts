// Clients get messages of the gateway only. The words of a proxy go to the log.

import { expect, test } from 'vitest';
import { ERROR_KINDS } from '../../src/errors.ts';
import { type Behaviour, requestedNames, sendJson } from '../support/directory-server.ts';
import { createManualTime } from './manual-time.ts';
import { answering, failureOf, HTML, handleName, startProxy } from './proxy-under-test.ts';

const SECRET = 'tr0ub4dor';
const name = handleName('10.5555/x');
const nested = `"a":${'['.repeat(50)}`;

const FAILURES: readonly [string, Behaviour, string][] = [
  ['a page', answering(502, `<b>${SECRET}</b>`, HTML), 'HTTP status 502'],
  ['a page with status 200', answering(200, `<b>${SECRET}</b>`, HTML), 'HTTP status 200'],
  ['a 429', answering(429, SECRET, { ...HTML, 'retry-after': SECRET }), 'HTTP status 429'],
  ['text for JSON', answering(200, SECRET), 'not JSON'],
  [
    'a too large JSON value',
    answering(200, `["${SECRET}"${',1'.repeat(200_000)}]`),
    'more than 200000 parts',
  ],
  ['other JSON', answering(500, `{"error":"${SECRET}"}`), 'HTTP status 500'],
  ['a bad response code', answering(200, `{"responseCode":"${SECRET}"}`), 'responseCode'],
  [
    'an answer about another name',
    answering(404, `{"responseCode":100,"handle":"10.5555/${SECRET}"}`),
    'another name',
  ],
  [
    'a response code that does not fit the status',
    answering(200, `{"responseCode":100,"handle":"10.5555/x","message":"${SECRET}"}`),
    '100',
  ],
  ['a redirect', answering(302, SECRET, { ...HTML, location: `/${SECRET}` }), 'HTTP status 302'],
  ['another protocol', ({ socket }) => void socket.end(`${SECRET}\r\n`), 'HTTP'],
];

/** The objects of the log. */
const linesOf = (logged: string) =>
  logged
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test.each(FAILURES)(
  'after %s, the client gets the message of the error table, and the log gets the cause',
  async (_, behaviour, cause) => {
    const { directory, logged } = await startProxy(behaviour);
    const failure = await failureOf(directory.resolve(name));
    expect(failure.message).toBe(ERROR_KINDS[failure.code].message);
    expect(JSON.stringify(failure.details)).not.toContain(SECRET);
    for (const text of [cause, failure.code, '/api/handles/10.5555/x']) expect(logged()).toContain(text);
  },
);

test('after a bad Which RA response, the client gets the message of the error table, and the log gets the path', async () => {
  const { directory, logged } = await startProxy(answering(200, `[{"DOI":"${SECRET}","RA":"${SECRET}"}]`));
  const [answer = expect.unreachable()] = directory.whichRa([name]);
  const failure = await failureOf(answer);
  expect(failure.message).toBe(ERROR_KINDS.UPSTREAM_BAD_RESPONSE.message);
  for (const text of ['UPSTREAM_BAD_RESPONSE', '/doiRA/10.5555/x']) expect(logged()).toContain(text);
});

test('a large JSON value without end is one line in the log, without its content', async () => {
  const { directory, logged } = await startProxy(
    answering(200, `[${`"${SECRET}",`.repeat(60_000)}{${nested}`),
  );
  const failure = await failureOf(directory.resolve(name));
  expect(failure.code).toBe('UPSTREAM_BAD_RESPONSE');
  expect(logged().trim().split('\n')).toHaveLength(1);
  expect(logged()).toContain('more than 32 levels');
  expect(logged()).not.toContain(SECRET);
});

test('the message of the directory is in the log, but not in the record', async () => {
  const { directory, logged } = await startProxy(
    answering(500, JSON.stringify({ responseCode: 2, handle: name, message: `java.lang.${SECRET}` })),
  );
  const record = await directory.resolve(name);
  expect(JSON.stringify(record)).not.toContain(SECRET);
  expect(logged()).toContain(`java.lang.${SECRET}`);
});

test('the log has excerpts of long messages and long names', async () => {
  const long = handleName(`10.5555/${'x'.repeat(4_000)}`);
  const { directory, logged } = await startProxy(
    answering(500, JSON.stringify({ responseCode: 2, handle: long, message: SECRET.repeat(10_000) })),
  );
  await directory.resolve(long);
  expect(logged()).toContain(SECRET);
  expect(logged().length).toBeLessThan(1_500);
});

test('failures of many names are one line per second and base URL, with an example and a count', async () => {
  const time = createManualTime();
  const { directory, server, logged } = await startProxy(answering(404, '<b>', HTML), { time });
  const requester = { requestId: 'r-1', client: { key: 'a', budget: null } };
  const names = Array.from({ length: 50 }, (_, index) => handleName(`10.5555/${index}`));
  await Promise.all(names.map((each) => failureOf(directory.resolve(each, { requester }))));
  time.advance(1_000);
  const lines = linesOf(logged());
  expect(lines.map(({ count }) => count)).toEqual([1, 49]);
  expect(lines[0]).toMatchObject({
    msg: 'UPSTREAM_BAD_RESPONSE',
    base: server.url.origin,
    requestId: 'r-1',
    path: expect.stringMatching(/^\/api\/handles\/10\.5555\/\d+$/),
  });
});

test('messages of the directory for many names are one line per second', async () => {
  const { directory, logged } = await startProxy((request, response) =>
    sendJson(response, 404, {
      responseCode: 100,
      handle: requestedNames(request).names[0],
      message: 'hello',
    }),
  );
  const names = Array.from({ length: 50 }, (_, index) => handleName(`10.5555/${index}`));
  await Promise.all(names.map((each) => directory.resolve(each)));
  await directory.close();
  const lines = linesOf(logged());
  expect(lines.reduce((sum, { count }) => sum + count, 0)).toBe(50);
  expect(lines.length).toBeLessThan(10);
});

test('an answer without a message causes no log line', async () => {
  const { directory, logged } = await startProxy();
  await directory.resolve(name);
  expect(logged()).toBe('');
});
