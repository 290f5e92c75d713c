// A failure is told to clients in the gateway's own words; what the proxy said goes to the log alone.

import { describe, expect, test } from 'vitest';
import { ERROR_KINDS } from '../../src/errors.ts';
import { askedNames, type Behaviour, sendJson } from '../support/directory-server.ts';
import { createManualTime } from './manual-time.ts';
import { answering, failureOf, handleName, startProxy } from './proxy-under-test.ts';

const SECRET = 'tr0ub4dor';
const name = handleName('10.5555/x');
const nested = `"a":${'['.repeat(50)}`;
const html = { 'content-type': 'text/html' };

const FAILURES: readonly [string, Behaviour, string][] = [
  ['a page', answering(502, `<b>${SECRET}</b>`, html), 'HTTP status 502'],
  ['a page of success', answering(200, `<b>${SECRET}</b>`, html), 'HTTP status 200'],
  ['too many requests', answering(429, SECRET, { ...html, 'retry-after': SECRET }), 'HTTP status 429'],
  ['text for JSON', answering(200, SECRET), 'not JSON'],
  [
    'more JSON than a record',
    answering(200, `["${SECRET}"${',1'.repeat(200_000)}]`),
    'more than 200000 parts',
  ],
  ['an error in JSON', answering(500, `{"error":"${SECRET}"}`), 'HTTP status 500'],
  ['a bad response code', answering(200, `{"responseCode":"${SECRET}"}`), 'responseCode'],
  ['another name', answering(404, `{"responseCode":100,"handle":"10.5555/${SECRET}"}`), 'another name'],
  [
    'a status that does not fit',
    answering(200, `{"responseCode":100,"handle":"10.5555/x","message":"${SECRET}"}`),
    '100',
  ],
  ['a redirect', answering(302, SECRET, { ...html, location: `/${SECRET}` }), 'HTTP status 302'],
  ['no HTTP', ({ socket }) => void socket.end(`${SECRET}\r\n`), 'HTTP'],
];

describe('a failure with the body of a proxy', () => {
  test.each(FAILURES)('that is %s has the words of the error table', async (_, behaviour) => {
    const { directory } = await startProxy(behaviour);
    const failure = await failureOf(directory.resolve(name));
    expect(failure.message).toBe(ERROR_KINDS[failure.code].message);
    expect(JSON.stringify(failure.details)).not.toContain(SECRET);
  });

  test.each(FAILURES)(
    'that is %s is logged with its cause, its code and the path',
    async (_, behaviour, detail) => {
      const { directory, logged } = await startProxy(behaviour);
      const { code } = await failureOf(directory.resolve(name));
      expect(logged()).toContain(detail);
      expect(logged()).toContain(code);
      expect(logged()).toContain('/api/handles/10.5555/x');
    },
  );

  test('of agencies has the words of the error table, and is logged', async () => {
    const { directory, logged } = await startProxy(answering(200, `[{"DOI":"${SECRET}","RA":"${SECRET}"}]`));
    const [answer = expect.unreachable()] = directory.whichRa([name]);
    const failure = await failureOf(answer);
    expect(failure.message).toBe(ERROR_KINDS.UPSTREAM_BAD_RESPONSE.message);
    expect(logged()).toContain('UPSTREAM_BAD_RESPONSE');
    expect(logged()).toContain('/doiRA/10.5555/x');
  });
});

test('an answer that is more than any record is one line in the log, without what it holds', async () => {
  const { directory, logged } = await startProxy(
    answering(200, `[${`"${SECRET}",`.repeat(60_000)}{${nested}`),
  );
  const failure = await failureOf(directory.resolve(name));
  expect(failure.code).toBe('UPSTREAM_BAD_RESPONSE');
  expect(logged().trim().split('\n')).toHaveLength(1);
  expect(logged()).toContain('more than 32 levels');
  expect(logged()).not.toContain(SECRET);
});

test("the directory's own message is logged and not told", async () => {
  const { directory, logged } = await startProxy(
    answering(500, JSON.stringify({ responseCode: 2, handle: name, message: `java.lang.${SECRET}` })),
  );
  const record = await directory.resolve(name);
  expect(JSON.stringify(record)).not.toContain(SECRET);
  expect(logged()).toContain(`java.lang.${SECRET}`);
});

test('what is logged of a long message or a long name is an excerpt', async () => {
  const long = handleName(`10.5555/${'x'.repeat(4_000)}`);
  const { directory, logged } = await startProxy(
    answering(500, JSON.stringify({ responseCode: 2, handle: long, message: SECRET.repeat(10_000) })),
  );
  await directory.resolve(long);
  expect(logged()).toContain(SECRET);
  expect(logged().length).toBeLessThan(1_500);
});

test('a trouble of many names is a line a second for each base URL, with an example and a count', async () => {
  const time = createManualTime();
  const { directory, server, logged } = await startProxy(answering(404, '<b>', html), { time });
  const requester = { requestId: 'r-1', client: { key: 'a', budget: null } };
  const names = Array.from({ length: 50 }, (_, index) => handleName(`10.5555/${index}`));
  await Promise.all(names.map((one) => failureOf(directory.resolve(one, { requester }))));
  time.advance(1_000);
  const lines = logged()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ count }) => count)).toEqual([1, 49]);
  expect(lines[0]).toMatchObject({
    msg: 'UPSTREAM_BAD_RESPONSE',
    base: server.url.origin,
    requestId: 'r-1',
    path: expect.stringMatching(/^\/api\/handles\/10\.5555\/\d+$/),
  });
});

test('messages of the directory are a line a second as well', async () => {
  const { directory, logged } = await startProxy((request, response) =>
    sendJson(response, 404, { responseCode: 100, handle: askedNames(request).names[0], message: 'hello' }),
  );
  const names = Array.from({ length: 50 }, (_, index) => handleName(`10.5555/${index}`));
  await Promise.all(names.map((one) => directory.resolve(one)));
  await directory.close();
  const lines = logged()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.reduce((sum, { count }) => sum + count, 0)).toBe(50);
  expect(lines.length).toBeLessThan(10);
});

test('an answer without a message is not logged', async () => {
  const { directory, logged } = await startProxy();
  await directory.resolve(name);
  expect(logged()).toBe('');
});
