// Connections: bytes that are not HTTP, many requests in one write, and clients that are slow on purpose.

import { graphqlBytes, requestBytes } from '../../../bench/http-bytes.ts';
import { names } from '../../../bench/peers/data.mjs';
import { type Attack, type Options, raw, tenAtOnce } from '../attack.ts';
import { dois, known, letters, list, NAME, oneOf, op, times } from '../requests.ts';

const SMALL = `GET /api/handles/${NAME} HTTP/1.1\r\nhost: x\r\n\r\n`;
const CHUNKED =
  'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
const QUERY = dois('name uri url urn html markdown utf8Hex record{values{index type text ttl}}');
const PARTS = dois('name ...@defer{html record{values{text}}}');
const query = (n: readonly string[], accept = 'application/json', text = QUERY): Buffer =>
  graphqlBytes(op(text, { n }), { accept });
const LARGE = query(known(1_000));
const LEAVE_SOON: Options = { requests: 50, atOnce: 10, leaveAfterMs: 500 };
const TARGETS = ['*', 'x', '//', 'http://', 'a:b', '?', '\\', '/\\..\\', '#'];
const get = (target: string, fields = 'host: x\r\n'): string => `GET ${target} HTTP/1.1\r\n${fields}\r\n`;
const upgrade = (protocol: string): string =>
  `host: x\r\nconnection: upgrade\r\nupgrade: ${protocol}\r\nsec-websocket-key: x\r\nsec-websocket-version: 13\r\n`;
/** Connections that write one small piece of their request in each interval. */
const trickling = (requests: number, pieceBytes: number, everyMs: number): Options => ({
  requests,
  write: { pieceBytes, everyMs },
});

export const odd: readonly Attack[] = raw(
  {
    'an absolute target': (n) => get(`http://${oneOf(n, 'evil.example', 'x')}/${NAME}`),
    'a target that is not a path': (n) => get(oneOf(n, ...TARGETS)),
    'TRACE and CONNECT': [
      (n) => `${oneOf(n, 'CONNECT evil.example:443', 'TRACE /')} HTTP/1.1\r\nhost: x\r\n\r\n`,
      LEAVE_SOON,
    ],
    'an upgrade to WebSocket and HTTP/2': [
      (n) => get('/graphql', upgrade(oneOf(n, 'h2c', 'websocket'))),
      LEAVE_SOON,
    ],
    'HTTP/1.0, 0.9, 2 and 9': [
      (n) => `GET / HTTP/${oneOf(n, '1.0', '0.9', '2.0', '9.9', '')}\r\n\r\n`,
      LEAVE_SOON,
    ],
    'no Host header, or two Host headers': (n) => get('/', oneOf(n, 'host: a\r\nhost: b\r\n', '')),
    'the start of TLS': `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${letters(500)}`,
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a megabyte without a line end': [letters(1_000_000), tenAtOnce(20)],
    'a megabyte of line ends': ['\r\n'.repeat(500_000), { requests: 5, leaveAfterMs: 1_000 }],
    '650 kB of headers': [`GET / HTTP/1.1\r\n${times(60_000, (n) => `h${n}: x\r\n`, '')}\r\n`, 10],
    'a header of bytes beyond ASCII': get('/', `host: x\r\nx: ${'\x80\xff'.repeat(5_000)}\r\n`),
    'header lines that continue': get('/', 'host: x\r\nx: a\r\n b\r\n\tc\r\n'),
    'a request, one byte in each packet': [SMALL, trickling(100, 1, 1)],
    '1,000 requests in one write': [SMALL.repeat(1_000), { requests: 5, responses: 1_000 }],
    '5,000 requests in one write, then the client leaves': [
      SMALL.repeat(5_000),
      { requests: 10, leaveAfterMs: 20 },
    ],
    '60 large queries in one write': [
      query(known(300)).toString().repeat(60),
      { requests: 1, responses: 60 },
    ],
    '1,500 queries in one write': [
      Buffer.concat(list(1_500, (n) => query(names.slice(n, n + 1)))),
      { requests: 1, responses: 1_500 },
    ],
    '2,000 connections with one request each, 200 at once': [query([NAME]), { requests: 2_000, atOnce: 200 }],
    '1,000 clients that leave after 2 ms': [
      query(known(20)),
      { requests: 1_000, atOnce: 50, leaveAfterMs: 2, expect: 'graphql' },
    ],
  },
  tenAtOnce(50),
);

/** These attacks run at the same time, for forty seconds. */
const SLOW: Options = { group: 'slow', requests: 20 };
export const slow: readonly Attack[] = [
  ...raw(
    {
      '300 connections that send headers slowly': [
        `GET / HTTP/1.1\r\nhost: x\r\n${'x: y\r\n'.repeat(1_000)}`,
        trickling(300, 5, 1_000),
      ],
      '150 bodies of a megabyte that stop 10 kB early': [
        graphqlBytes(`"${letters(1_000_000)}`).subarray(0, 990_000),
        150,
      ],
      '100 bodies that arrive at 100 bytes per second': [LARGE, trickling(100, 100, 1_000)],
      '50 slow bodies in chunks of one byte': [CHUNKED + '1\r\nx\r\n'.repeat(5_000), trickling(50, 60, 100)],
      '20 responses; each client reads its socket once every two seconds': [
        LARGE,
        { read: { everyMs: 2_000 } },
      ],
    },
    SLOW,
  ),
  ...raw(
    {
      '40 responses for 1,000 names, never read': [LARGE, 40],
      '40 long responses by GET, never read': [requestBytes({ target: '/api/handles/10.5555/values' }), 40],
      '30 texts of 3 MB, never read': [requestBytes({ target: '/api/handles/10.5555/long-text' }), 30],
      '20 connections with 3,000 requests, never read': SMALL.repeat(3_000),
      '20 streams of events, never read': query(known(1_000), 'text/event-stream'),
      '20 responses in parts, never read': query(known(1_000), 'multipart/mixed', PARTS),
      '1,500 connections that send nothing': ['', 1_500],
    },
    { ...SLOW, read: 'nothing' },
  ),
];

// Memory that connections hold before a request begins: heads, and requests that wait for their body or for others.

const TINY_HEADERS = times(1_990, (n) => `${n.toString(36)}:\r\n`, '');
/** 99 headers of 14 kB. */
const LARGE_HEADERS = times(98, (n) => `h${n}: ${'x'.repeat(140)}\r\n`, '');
const SAME_HEADERS = 'cookie: a\r\n'.repeat(98);
const unfinished = (fields: string, target = '/'): string => `GET ${target} HTTP/1.1\r\nhost: x\r\n${fields}`;
const head = (fields: string, method = 'POST'): string =>
  `${method} /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${fields}\r\n`;
const NO_BODY = 'content-length: 100\r\n';
/** Connections that stay open for six seconds. */
const held = (requests: number, from?: string): Options => ({
  requests,
  atOnce: requests,
  leaveAfterMs: 6_000,
  limitMs: 9_000,
  ...(from !== undefined && { from }),
});

export const heads: readonly Attack[] = raw({
  'heads: 32 requests with 1,990 tiny headers in one write': [
    get('/', `host: x\r\n${TINY_HEADERS}`).repeat(32),
    held(200),
  ],
  'heads: 32 requests with 99 large headers in one write': [
    get('/', `host: x\r\n${LARGE_HEADERS}`).repeat(32),
    held(2_000),
  ],
  'heads: 32 small requests in one write, never read': [
    get('/api/handles/10.5555/values').repeat(32),
    { ...held(4_000), read: 'nothing' },
  ],
  'heads: 32 HEAD and OPTIONS with 95 headers in one write': [
    (n) => head(SAME_HEADERS.slice(0, 1_045), oneOf(n, 'HEAD', 'OPTIONS')).repeat(32),
    held(2_000),
  ],
  'heads: 32 static files in one write, never read': [
    get('/graphiql').repeat(32),
    { ...held(1_000), read: 'nothing' },
  ],
  'heads: POSTs without their body': [head(NO_BODY), held(5_000)],
  'heads: 9,500 POSTs without their body': [head(NO_BODY), held(9_500)],
  'heads: 9,500 POSTs without their body, many addresses': [head(NO_BODY), held(9_500, 'many')],
  'heads: POSTs without their body, tiny headers': [head(NO_BODY + TINY_HEADERS), held(5_000)],
  'heads: POSTs without their body, large headers': [head(NO_BODY + LARGE_HEADERS.slice(300)), held(9_500)],
  'heads: POSTs of 900 kB without their body': [head('content-length: 900000\r\n'), held(5_000)],
  'heads: uploads without their body': [
    `POST /jobs HTTP/1.1\r\nhost: x\r\nx-doi-gateway: jobs\r\n${NO_BODY}\r\n`,
    held(5_000),
  ],
  'heads: POSTs that expect 100-continue': [
    head(`${NO_BODY}expect: 100-continue\r\n${SAME_HEADERS.slice(0, 990)}`),
    held(9_500),
  ],
  'heads: a body in chunks, then unfinished trailers': [
    `${CHUNKED}1\r\nx\r\n0\r\n${LARGE_HEADERS}`,
    held(5_000),
  ],
  'heads: trailers of one byte': [`${CHUNKED}1\r\nx\r\n0\r\n${TINY_HEADERS}`, held(5_000)],
  'heads: unfinished, tiny headers': [unfinished(TINY_HEADERS), held(9_500)],
  'heads: unfinished, large headers': [unfinished(LARGE_HEADERS), held(9_500)],
  'heads: unfinished, large headers, many addresses': [unfinished(LARGE_HEADERS), held(9_500, 'many')],
  'heads: unfinished, a target of 15 kB': [`GET /${letters(15_000)}`, held(9_500)],
  'heads: unfinished, one header many times': [unfinished(SAME_HEADERS), held(9_500)],
  'heads: unfinished, a few bytes': [unfinished(''), held(9_900, 'many')],
  'heads: unfinished upgrades': [unfinished(upgrade('websocket') + LARGE_HEADERS), held(9_500)],
  'heads: a whole request, then an unfinished head': [
    SMALL + unfinished(LARGE_HEADERS),
    { ...held(9_500), responses: 2 },
  ],
  'heads: 9,900 connections that stay idle after a request': [
    SMALL,
    { ...held(9_900, '127.6.6.6'), responses: 2 },
  ],
  'heads: whole requests with 99 large headers': [
    get(`/api/handles/${NAME}`, `host: x\r\n${LARGE_HEADERS}`),
    tenAtOnce(9_500),
  ],
  'heads: whole requests with 1,990 tiny headers': [get('/', `host: x\r\n${TINY_HEADERS}`), tenAtOnce(5_000)],
});
