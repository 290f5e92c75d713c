// Hostile bytes: requests that break HTTP, state a wrong length or break off.

import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { clearCodes, useHostileGateway } from './hostile-gateway.ts';
import { converse, rawGet, rawPost, statusesIn } from './socket.ts';

const gateway = useHostileGateway();
const HOST = 'Host: gateway.test';
const QUERY = '{"query":"{ __typename }"}';
const LENGTH = `Content-Length: ${QUERY.length}`;
const ANSWER = '{"data":{"__typename":"Query"}}';

/** Texts that no response may contain. */
const INTERNALS = /node_modules|node:|\bat \S+ \(|Error:/;

describe('bytes that are not HTTP are refused', () => {
  test.each([
    ['a TLS handshake', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, 13, 10, 13, 10])],
    ['200 kB of one letter', Buffer.alloc(200_000, 'a')],
    ['an unknown method', `BREW /graphql HTTP/1.1\r\n${HOST}\r\n\r\n`],
    ['a target with a space', `GET /graphql x HTTP/1.1\r\n${HOST}\r\n\r\n`],
    ['another version', `GET /graphql HTTP/9.9\r\n${HOST}\r\n\r\n`],
    ['no Host', rawGet('/graphql', [])],
    ['a NUL in a header', rawGet('/graphql', [HOST, 'X-A: a\0b'])],
    ['a header over two lines', rawGet('/graphql', [HOST, 'X-A: a', ' b'])],
    ['a header without a name', rawGet('/graphql', [HOST, ': b'])],
  ])('%s', async (_, sent) => {
    expect(statusesIn(await converse(gateway.url, sent))).toEqual([400]);
  });
});

describe('headers', () => {
  test.each([
    ['of 64 kB', rawGet('/graphql', [HOST, `X-A: ${'a'.repeat(65_536)}`])],
    ['behind a URL of 100 kB', rawGet(`/graphql?query=${'a'.repeat(100_000)}`)],
    [
      '20,000 in number',
      rawGet('/graphql', [HOST, ...Array.from({ length: 20_000 }, (_, index) => `a${index}: 1`)]),
    ],
  ])('%s are too large', async (_, sent) => {
    expect(statusesIn(await converse(gateway.url, sent))).toEqual([431]);
  });

  test.each([
    ['bytes outside ASCII', 'X-A: \xff\xfe'],
    ['the names of prototypes', '__proto__: a\r\nconstructor: b\r\ntoString: c'],
    ['an invalid forwarded host', 'X-Forwarded-Host: [::\r\nForwarded: host="['],
    ['a value with 10,000 spaces', `X-A: ${' '.repeat(10_000)}x`],
    ['an upgrade', 'Upgrade: websocket'],
  ])('may contain %s', async (_, header) => {
    const received = await converse(gateway.url, rawPost([HOST, LENGTH, header], QUERY));
    expect(received).toContain(ANSWER);
  });

  test.each([
    ['thousands of types', `Accept: ${'a/b;q=0.1,'.repeat(1_500)}*/*`],
    ['10,000 spaces', `Accept: application/json${' '.repeat(10_000)}`],
    ['10,000 semicolons', `Accept: application/json${';'.repeat(10_000)}`],
  ])('may accept %s', async (_, header) => {
    const statuses = statusesIn(await converse(gateway.url, rawPost([HOST, LENGTH, header], QUERY)));
    expect([[200], [406]]).toContainEqual(statuses);
  });

  test.each(['a b:99999999', '[::', '%', 'a:b:c', '\xff', '', '@', 'user:password@gateway.test:1'])(
    'with the host "%s" get a response without internals',
    async (host) => {
      for (const sent of [rawGet('/healthz', [`Host: ${host}`]), rawPost([`Host: ${host}`, LENGTH], QUERY)]) {
        const received = await converse(gateway.url, sent);
        expect(received).not.toMatch(INTERNALS);
        expect([[200], [400]]).toContainEqual(statusesIn(received));
      }
    },
  );
});

describe('targets that are not paths', () => {
  test.each([
    'http://evil.example/graphql',
    'http://[/graphql',
    '//[',
    '/\\\\evil.example',
    '/graphql#?query={x}',
  ])('%s gets a response', async (target) => {
    const received = await converse(gateway.url, rawGet(target));
    expect(received).not.toMatch(INTERNALS);
    expect([[200], [400], [404]]).toContainEqual(statusesIn(received));
  });

  test('CONNECT is refused', async () => {
    const received = await converse(gateway.url, `CONNECT evil.example:80 HTTP/1.1\r\n${HOST}\r\n\r\n`);
    expect(received).not.toContain(' 200 ');
  });
});

describe('a wrong Content-Length', () => {
  test.each([
    ['is negative', ['Content-Length: -1']],
    ['is not a number', ['Content-Length: abc']],
    ['is a very large number', [`Content-Length: ${'9'.repeat(30)}`]],
    ['is sent twice, with different values', [LENGTH, 'Content-Length: 5']],
    ['is sent with chunks', [LENGTH, 'Transfer-Encoding: chunked']],
    ['is sent before bytes that are not a chunk', ['Transfer-Encoding: chunked']],
  ])('is refused if it %s', async (_, headers) => {
    const statuses = statusesIn(await converse(gateway.url, rawPost([HOST, ...headers], QUERY)));
    expect(statuses).toEqual([400]);
  });

  test('is refused before the body arrives if it is far too large', async () => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').setEncoding('utf8');
    socket.write(rawPost([HOST, 'Content-Length: 99999999999']));
    const [received] = (await once(socket, 'data')) as [string];
    socket.destroy();
    expect(statusesIn(received)).toEqual([413]);
  });

  test('that is less than the body leaves bytes that are not a request', async () => {
    const received = await converse(gateway.url, rawPost([HOST, 'Content-Length: 10'], QUERY));
    for (const status of statusesIn(received)) expect(status).toBe(400);
    expect(received).not.toContain('"data"');
  });

  test.each([
    ['that is longer than the body', rawPost([HOST, 'Content-Length: 1000'], QUERY)],
    ['of a chunk that does not arrive', rawPost([HOST, 'Transfer-Encoding: chunked'], '5\r\n{"q')],
  ])('%s ends with the connection, without an error of the gateway', async (_, sent) => {
    const received = await converse(gateway.url, sent, { hangUp: true });
    for (const status of statusesIn(received)) expect(status).toBe(400);
    expect(received).not.toContain('"data"');
  });
});

describe('garbage after a request', () => {
  test('does not affect later requests', async () => {
    const first = `POST /graphql HTTP/1.1\r\n${HOST}\r\nContent-Type: application/json\r\n${LENGTH}\r\n\r\n${QUERY}`;
    const received = await converse(gateway.url, Buffer.from(`${first}GARBAGE\0\xff\r\n\r\n`, 'latin1'));
    expect(statusesIn(received).at(-1)).toBe(400);
    expect(received).not.toMatch(INTERNALS);
  });
});

describe('a body', () => {
  test.each([
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0xc3, 0x28, 0x7d])],
    ['NULs', Buffer.alloc(1_000)],
    ['a byte order mark of UTF-16', Buffer.from([0xff, 0xfe, 0x7b, 0, 0x7d, 0])],
    ['half a character at the end', Buffer.concat([Buffer.from(QUERY), Buffer.from([0xf0, 0x9f])])],
  ])('is refused if it is %s', async (_, body) => {
    const response = await gateway.send(body);
    expect([response.status, clearCodes(response)]).toEqual([400, ['BAD_USER_INPUT']]);
  });

  test('may begin with a byte order mark', async () => {
    expect((await gateway.send(`\uFEFF${QUERY}`)).text).toBe(ANSWER);
  });
});
