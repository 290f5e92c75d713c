// Request bodies: JSON that is deep, wide, repeated or invalid; bodies in odd encodings; bodies with a false length.

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { graphqlBytes, JSON_HEADERS, requestBytes } from '../../../bench/http-bytes.ts';
import { type Attack, posts, raw, tenAtOnce } from '../attack.ts';
import { letters, list, nest, oneOf, times } from '../requests.ts';

const ORDINARY = '{"query":"{doiDirectory{kind}}"}';
const withVariables = (variables: string): string => `${ORDINARY.slice(0, -1)},"variables":${variables}}`;
const asInputs = (text: string): string =>
  `{"query":"query($n:[String!]!){dois(inputs:$n){name}}","variables":{"n":${text}}}`;
const listOf = (count: number, item: string): string => `[${times(count, item, ',')}]`;
const typed = (type: string, body: string | Buffer): Buffer =>
  requestBytes({ target: '/graphql', headers: { accept: 'application/json', 'content-type': type }, body });
const encoded = (encoding: string, body: Buffer): Buffer =>
  requestBytes({ target: '/graphql', headers: { ...JSON_HEADERS, 'content-encoding': encoding }, body });
const head = (fields: string): string =>
  `POST /graphql HTTP/1.1\r\nhost: x\r\naccept: application/json\r\ncontent-type: application/json\r\n${fields}\r\n\r\n`;
const CHUNKED = head('transfer-encoding: chunked');
const multipart = (parts: string): Buffer => typed('multipart/form-data; boundary=b', `${parts}--b--\r\n`);
const part = (name: string, text: string): string =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
const FILES = part('map', `{${times(20_000, (n) => `"${n}":["variables.a.${n}"]`, ',')}}`);

const NO_OPERATIONS = ['[]', '1', '"x"', 'null', 'true', '{}', '[[]]', '', ' '];
const NO_QUERIES = ['1', 'null', '[]', '{}', 'true', '""', '" "'];
const TYPES = [
  ...['text/plain', 'application/graphql', 'application/xml', '', 'application/json; charset=utf-7'],
  ...[`${'a'.repeat(5_000)}/b`, 'application/json, text/html'],
];
const LENGTHS = ['-1', '1e9', '99999999999999999999', '0x10', '5, 5', ' '];

const json = posts(
  {
    'variables 500,000 lists deep': withVariables(`{"a":${nest(500_000, '[', '', ']')}}`),
    'variables 150,000 objects deep': withVariables(nest(150_000, '{"a":', '1')),
    'an input 400,000 lists deep': [asInputs(nest(400_000, '[', '"x"', ']')), 1],
    'a list input of 200,000 numbers': [asInputs(listOf(200_000, '1')), 4],
    'a list input of 40,000 objects': [asInputs(listOf(40_000, '{"a":{"b":1}}')), 4],
    '80,000 unknown variables': withVariables(`{${times(80_000, (n) => `"k${n}":1`, ',')}}`),
    '__proto__ and constructor as variables': withVariables(
      '{"__proto__":{"a":1},"constructor":{"prototype":{}},"n":["x"]}',
    ),
    'the key query 60,000 times': `{${times(60_000, '"query":"x"', ',')},${ORDINARY.slice(1)}`,
    'extensions of 900 kB': [`{"extensions":{"a":"${letters(900_000)}"},${ORDINARY.slice(1)}`, 10],
    '3,000 operations in an array': [listOf(3_000, ORDINARY), 1],
    'JSON that is no operation: arrays, a number, a text, null': [
      (n) => oneOf(n, ...NO_OPERATIONS),
      tenAtOnce(90),
    ],
    'a query of every wrong type': [(n) => `{"query":${oneOf(n, ...NO_QUERIES)}}`, tenAtOnce(70)],
    'a megabyte of invalid JSON': [letters(1_000_000), 10],
    'a text of a megabyte': [`"${letters(1_000_000)}"`, 10],
    'a number of a megabyte': [withVariables(`{"a":${'9'.repeat(1_000_000)}}`), 3],
    'numbers that are too large': withVariables(`{"a":${listOf(60_000, '1e999999')}}`),
    '160,000 escapes': withVariables(`{"a":"${'\\u0000'.repeat(160_000)}"}`),
    '160,000 unpaired surrogates': [asInputs(`["10.1/${'\\ud800'.repeat(160_000)}"]`), 2],
  },
  5,
);

const others = raw(
  {
    'a megabyte of invalid UTF-8': typed('application/json', Buffer.alloc(1_000_000, 0xff)),
    'UTF-16, and UTF-8, with a byte order mark': [
      (n) => typed('application/json', Buffer.from(`\ufeff${ORDINARY}`, n % 2 ? 'utf16le' : 'utf8')),
      10,
    ],
    'bodies of 10 MB': [graphqlBytes(`{"query":"#${letters(10_000_000)}"}`), { requests: 10, expect: 'cut' }],
    'a form of 600 kB': typed(
      'application/x-www-form-urlencoded',
      times(150_000, (n) => `a=${n % 10}`, '&'),
    ),
    'multipart: 5,000 parts': multipart(times(5_000, (n) => part(`${n}`, 'x'), '')),
    'multipart: a map of 20,000 files': [multipart(part('operations', ORDINARY) + FILES), 3],
    'multipart: a boundary that never comes': [multipart(part('operations', '\r\n--'.repeat(200_000))), 3],
    'other content types': [(n) => typed(oneOf(n, ...TYPES), ORDINARY), tenAtOnce(70)],
    '200 MB, compressed by gzip': [encoded('gzip', gzipSync(Buffer.alloc(200_000_000))), 4],
    '100 MB, compressed by Brotli': [encoded('br', brotliCompressSync(Buffer.alloc(100_000_000, 32))), 4],
    '200 MB, compressed as deflate': [encoded('deflate', deflateSync(Buffer.alloc(200_000_000))), 4],
    '200 MB, compressed by gzip, 200 at once': [encoded('gzip', gzipSync(Buffer.alloc(200_000_000))), 200],
    '50 MB, compressed as deflate, 300 at once, many addresses': [
      encoded('deflate', deflateSync(Buffer.alloc(50_000_000))),
      { requests: 300, atOnce: 300, from: 'many' },
    ],
    'one byte below the limit in 1 kB of gzip': [encoded('gzip', gzipSync(Buffer.alloc(1_048_575, 32))), 40],
    '50,000 empty gzips': [encoded('gzip', Buffer.concat(Array(50_000).fill(gzipSync('')))), 4],
    'half of a gzip': [encoded('gzip', gzipSync(ORDINARY).subarray(0, 20)), tenAtOnce(90)],
    'a megabyte that is no gzip': [encoded('gzip', Buffer.alloc(1_000_000, 0x1f)), 10],
    'a Content-Encoding of ten times gzip': [encoded(times(10, 'gzip', ', '), gzipSync(ORDINARY)), 10],
    'clients that close the connection in the middle of a body': [
      (n) => graphqlBytes(list(9_000, (m) => `${m}${n}`).join()).subarray(0, 30_000),
      { requests: 200, atOnce: 20, leaveAfterMs: 30 },
    ],
  },
  { requests: 5, expect: 'graphql' },
);

const lengths = raw(
  {
    'more bytes than its Content-Length': [head('content-length: 5') + ORDINARY.repeat(1_000), 20],
    'both a Content-Length and chunks': [
      `${head('content-length: 5\r\ntransfer-encoding: chunked')}0\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
      20,
    ],
    'a Content-Length that is no number': [(n) => head(`content-length: ${oneOf(n, ...LENGTHS)}`), 30],
    '100,000 chunks of one byte': `${CHUNKED}${'1\r\nx\r\n'.repeat(100_000)}0\r\n\r\n`,
    'a chunk with a megabyte of extension': `${CHUNKED}1;${letters(1_000_000)}\r\nx\r\n0\r\n\r\n`,
    '10,000 trailers': `${CHUNKED}2\r\n{}\r\n0\r\n${times(10_000, (n) => `t${n}: x\r\n`, '')}\r\n`,
    'expect: 100-continue and no body': [
      head('content-length: 100\r\nexpect: 100-continue'),
      { requests: 50, leaveAfterMs: 300 },
    ],
    'expect: something else': [head(`content-length: 32\r\nexpect: ${letters(1_000)}`) + ORDINARY, 10],
  },
  3,
);

export const bodies: readonly Attack[] = [...json, ...others, ...lengths];
