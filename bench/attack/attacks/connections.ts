// Connections: bytes that are no HTTP, many requests in one write, and clients that are slow on purpose.

import { graphqlBytes, requestBytes } from '../../http-bytes.ts';
import { names } from '../../peers/data.mjs';
import { type Attack, attack, list, type Options, raw, times } from '../attack.ts';

const NAME = names[0] ?? '';
const SMALL = `GET /api/handles/${NAME} HTTP/1.1\r\nhost: x\r\n\r\n`;
const query = (n: readonly string[], accept = 'application/json'): Buffer =>
  graphqlBytes(
    {
      query:
        'query($n:[String!]!){dois(inputs:$n){name uri url urn html markdown utf8Hex record{values{index type text ttl}}}}',
      variables: { n },
    },
    { accept },
  );
const LARGE = query(names.slice(0, 1_000));
const MANY: Options = { times: 50, atOnce: 10 };
const LEAVE: Options = { times: 50, atOnce: 10, manner: { leaveAfterMs: 500 } };
/** Played beside each other, for forty seconds. */
const SLOW: Options = { group: 'slow', expect: 'cut' };

export const odd: readonly Attack[] = [
  raw(
    'an absolute target',
    (n) => `GET http://${n % 2 ? 'x' : 'evil.example'}/${NAME} HTTP/1.1\r\nhost: x\r\n\r\n`,
    MANY,
  ),
  raw(
    'a target that is no path',
    (n) =>
      `GET ${['*', 'x', '//', 'http://', 'a:b', '?', '\\', '/\\..\\', '#'][n % 9]} HTTP/1.1\r\nhost: x\r\n\r\n`,
    MANY,
  ),
  raw(
    'TRACE and CONNECT',
    (n) => `${n % 2 ? 'TRACE /' : 'CONNECT evil.example:443'} HTTP/1.1\r\nhost: x\r\n\r\n`,
    LEAVE,
  ),
  raw(
    'an upgrade to WebSocket and HTTP/2',
    (n) =>
      `GET /graphql HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: ${n % 2 ? 'websocket' : 'h2c'}\r\nsec-websocket-key: x\r\nsec-websocket-version: 13\r\n\r\n`,
    LEAVE,
  ),
  raw(
    'HTTP/1.0, 0.9, 2 and 9',
    (n) => `GET / HTTP/${['1.0', '0.9', '2.0', '9.9', ''][n % 5]}\r\n\r\n`,
    LEAVE,
  ),
  raw('no Host, and two', (n) => `GET / HTTP/1.1\r\n${n % 2 ? '' : 'host: a\r\nhost: b\r\n'}\r\n`, MANY),
  raw('the start of TLS', `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${'x'.repeat(500)}`, MANY),
  raw('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', MANY),
  raw('a megabyte without a line end', 'x'.repeat(1_000_000), { times: 20, atOnce: 10 }),
  raw('a megabyte of line ends', '\r\n'.repeat(500_000), { times: 5, manner: { leaveAfterMs: 1_000 } }),
  raw('a megabyte of headers', `GET / HTTP/1.1\r\n${times(60_000, (n) => `h${n}: x\r\n`, '')}\r\n`, {
    times: 10,
  }),
  raw('headers of other bytes', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'\x80\xff'.repeat(5_000)}\r\n\r\n`, MANY),
  raw('lines that fold', `GET / HTTP/1.1\r\nhost: x\r\nx: a\r\n b\r\n\tc\r\n\r\n`, MANY),
  raw('a request of one byte a packet', SMALL, {
    times: 100,
    atOnce: 100,
    manner: { write: { pieceBytes: 1, everyMs: 1 } },
  }),
  raw('1,000 requests in one write', SMALL.repeat(1_000), { times: 5, manner: { answers: 1_000 } }),
  raw('5,000 requests in one write, then gone', SMALL.repeat(5_000), {
    times: 10,
    manner: { leaveAfterMs: 20 },
  }),
  attack('60 large queries in one write', Buffer.concat(list(60, () => query(names.slice(0, 300)))), {
    manner: { answers: 60 },
    expect: 'cut',
  }),
  attack('1,500 queries in one write', Buffer.concat(list(1_500, (n) => query(names.slice(n, n + 1)))), {
    manner: { answers: 1_500 },
    expect: 'cut',
  }),
  attack('2,000 connections, one request each', query([NAME]), { times: 2_000, atOnce: 200, expect: 'cut' }),
  attack('1,000 clients that leave at once', query(names.slice(0, 20)), {
    times: 1_000,
    atOnce: 50,
    manner: { leaveAfterMs: 2 },
  }),
];

export const slow: readonly Attack[] = [
  raw('300 connections of slow headers', `GET / HTTP/1.1\r\nhost: x\r\n${'x: y\r\n'.repeat(1_000)}`, {
    ...SLOW,
    times: 300,
    manner: { write: { pieceBytes: 5, everyMs: 1_000 } },
  }),
  attack(
    '150 bodies of a megabyte that stop before their end',
    graphqlBytes(`"${'x'.repeat(1_000_000)}`).subarray(0, 990_000),
    { ...SLOW, times: 150 },
  ),
  attack('100 bodies of 100 bytes a second', LARGE, {
    ...SLOW,
    times: 100,
    manner: { write: { pieceBytes: 100, everyMs: 1_000 } },
  }),
  attack('40 answers of a megabyte, never read', LARGE, { ...SLOW, times: 40, manner: { read: 'nothing' } }),
  attack('40 long answers by GET, never read', requestBytes({ target: '/api/handles/10.5555/values' }), {
    ...SLOW,
    times: 40,
    manner: { read: 'nothing' },
  }),
  attack('30 texts of 3 MB, never read', requestBytes({ target: '/api/handles/10.5555/long-text' }), {
    ...SLOW,
    times: 30,
    manner: { read: 'nothing' },
  }),
  attack('20 answers, 64 kB every two seconds', LARGE, {
    ...SLOW,
    times: 20,
    manner: { read: { everyMs: 2_000 } },
  }),
  raw('20 connections with 3,000 requests, never read', SMALL.repeat(3_000), {
    ...SLOW,
    times: 20,
    manner: { read: 'nothing' },
  }),
  attack('20 streams of events, never read', query(names.slice(0, 1_000), 'text/event-stream'), {
    ...SLOW,
    times: 20,
    manner: { read: 'nothing' },
  }),
  attack(
    '20 answers in parts, never read',
    graphqlBytes(
      {
        query: 'query($n:[String!]!){dois(inputs:$n){name ...@defer{html record{values{text}}}}}',
        variables: { n: names.slice(0, 1_000) },
      },
      { accept: 'multipart/mixed' },
    ),
    { ...SLOW, times: 20, manner: { read: 'nothing' } },
  ),
  raw('1,500 connections that say nothing', '', { ...SLOW, times: 1_500, manner: { read: 'nothing' } }),
  raw(
    '50 bodies of one byte a chunk, without end',
    `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(5_000)}`,
    { ...SLOW, times: 50, manner: { write: { pieceBytes: 60, everyMs: 100 } } },
  ),
];
