// Connections: bytes that are no HTTP, many requests in one write, and clients that are slow on purpose.

import { graphqlBytes, requestBytes } from '../../http-bytes.ts';
import { names } from '../../peers/data.mjs';
import { type Attack, attacks, type Options, raw } from '../attack.ts';
import { dois, known, list, NAME, op, times } from '../requests.ts';

const SMALL = `GET /api/handles/${NAME} HTTP/1.1\r\nhost: x\r\n\r\n`;
const QUERY = dois('name uri url urn html markdown utf8Hex record{values{index type text ttl}}');
const query = (n: readonly string[], accept = 'application/json'): Buffer =>
  graphqlBytes(op(QUERY, { n }), { accept });
const LARGE = query(known(1_000));
const LEAVE: Options = { times: 50, atOnce: 10, manner: { leaveAfterMs: 500 } };
const UNREAD: Options = { times: 20, atOnce: 20, manner: { read: 'nothing' } };
const VERSIONS = ['1.0', '0.9', '2.0', '9.9', ''];
const TARGETS = ['*', 'x', '//', 'http://', 'a:b', '?', '\\', '/\\..\\', '#'];
const itself = (bytes: Buffer): Buffer => bytes;

const oddBytes = raw(
  {
    'an absolute target': (n) =>
      `GET http://${n % 2 ? 'x' : 'evil.example'}/${NAME} HTTP/1.1\r\nhost: x\r\n\r\n`,
    'a target that is no path': (n) => `GET ${TARGETS[n % 9]} HTTP/1.1\r\nhost: x\r\n\r\n`,
    'TRACE and CONNECT': [
      (n) => `${n % 2 ? 'TRACE /' : 'CONNECT evil.example:443'} HTTP/1.1\r\nhost: x\r\n\r\n`,
      LEAVE,
    ],
    'an upgrade to WebSocket and HTTP/2': [
      (n) =>
        `GET /graphql HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: ${n % 2 ? 'websocket' : 'h2c'}\r\nsec-websocket-key: x\r\nsec-websocket-version: 13\r\n\r\n`,
      LEAVE,
    ],
    'HTTP/1.0, 0.9, 2 and 9': [(n) => `GET / HTTP/${VERSIONS[n % 5]}\r\n\r\n`, LEAVE],
    'no Host, and two': (n) => `GET / HTTP/1.1\r\n${n % 2 ? '' : 'host: a\r\nhost: b\r\n'}\r\n`,
    'the start of TLS': `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${'x'.repeat(500)}`,
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a megabyte without a line end': ['x'.repeat(1_000_000), { times: 20, atOnce: 10 }],
    'a megabyte of line ends': [
      '\r\n'.repeat(500_000),
      { times: 5, atOnce: 5, manner: { leaveAfterMs: 1_000 } },
    ],
    'a megabyte of headers': [`GET / HTTP/1.1\r\n${times(60_000, (n) => `h${n}: x\r\n`, '')}\r\n`, 10],
    'headers of other bytes': `GET / HTTP/1.1\r\nhost: x\r\nx: ${'\x80\xff'.repeat(5_000)}\r\n\r\n`,
    'lines that fold': `GET / HTTP/1.1\r\nhost: x\r\nx: a\r\n b\r\n\tc\r\n\r\n`,
    'a request of one byte a packet': [
      SMALL,
      { times: 100, atOnce: 100, manner: { write: { pieceBytes: 1, everyMs: 1 } } },
    ],
    '1,000 requests in one write': [SMALL.repeat(1_000), { times: 5, atOnce: 5, manner: { answers: 1_000 } }],
    '5,000 requests in one write, then gone': [
      SMALL.repeat(5_000),
      { times: 10, atOnce: 10, manner: { leaveAfterMs: 20 } },
    ],
  },
  { times: 50, atOnce: 10 },
);
const oddQueries = attacks(
  itself,
  {
    '60 large queries in one write': [
      Buffer.concat(list(60, () => query(known(300)))),
      { manner: { answers: 60 } },
    ],
    '1,500 queries in one write': [
      Buffer.concat(list(1_500, (n) => query(names.slice(n, n + 1)))),
      { manner: { answers: 1_500 } },
    ],
    '2,000 connections, one request each': [query([NAME]), { times: 2_000, atOnce: 200 }],
    '1,000 clients that leave at once': [
      query(known(20)),
      { times: 1_000, atOnce: 50, expect: 'graphql', manner: { leaveAfterMs: 2 } },
    ],
  },
  { expect: 'cut' },
);
export const odd: readonly Attack[] = [...oddBytes, ...oddQueries];

/** Played beside each other, for forty seconds. */
export const slow: readonly Attack[] = attacks(
  (bytes: Buffer | string) => (typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
  {
    '300 connections of slow headers': [
      `GET / HTTP/1.1\r\nhost: x\r\n${'x: y\r\n'.repeat(1_000)}`,
      { times: 300, atOnce: 300, manner: { write: { pieceBytes: 5, everyMs: 1_000 } } },
    ],
    '150 bodies of a megabyte that stop before their end': [
      graphqlBytes(`"${'x'.repeat(1_000_000)}`).subarray(0, 990_000),
      { times: 150, atOnce: 150, manner: {} },
    ],
    '100 bodies of 100 bytes a second': [
      LARGE,
      { times: 100, atOnce: 100, manner: { write: { pieceBytes: 100, everyMs: 1_000 } } },
    ],
    '40 answers of a megabyte, never read': [LARGE, 40],
    '40 long answers by GET, never read': [requestBytes({ target: '/api/handles/10.5555/values' }), 40],
    '30 texts of 3 MB, never read': [requestBytes({ target: '/api/handles/10.5555/long-text' }), 30],
    '20 answers, 64 kB every two seconds': [LARGE, { manner: { read: { everyMs: 2_000 } } }],
    '20 connections with 3,000 requests, never read': SMALL.repeat(3_000),
    '20 streams of events, never read': query(known(1_000), 'text/event-stream'),
    '20 answers in parts, never read': graphqlBytes(
      op(dois('name ...@defer{html record{values{text}}}'), { n: known(1_000) }),
      { accept: 'multipart/mixed' },
    ),
    '1,500 connections that say nothing': ['', 1_500],
    '50 bodies of one byte a chunk, without end': [
      `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(5_000)}`,
      { times: 50, atOnce: 50, manner: { write: { pieceBytes: 60, everyMs: 100 } } },
    ],
  },
  { group: 'slow', expect: 'cut', ...UNREAD },
);
