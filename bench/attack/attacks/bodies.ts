// Bodies: JSON that is deep, wide, doubled or none, in other encodings and of other lengths than they say.

import { brotliCompressSync, gzipSync } from 'node:zlib';
import { graphqlBytes, JSON_HEADERS, requestBytes } from '../../http-bytes.ts';
import { type Attack, attack, list, postBody, raw, times } from '../attack.ts';

const ORDINARY = '{"query":"{doiDirectory{kind}}"}';
const withVariables = (variables: string): string =>
  `{"query":"{doiDirectory{kind}}","variables":${variables}}`;
const asJsonArgument = (text: string): string =>
  `{"query":"query($n:[String!]!){dois(inputs:$n){name}}","variables":{"n":${text}}}`;
const typed = (type: string, body: string | Buffer): Buffer =>
  requestBytes({ target: '/graphql', headers: { accept: 'application/json', 'content-type': type }, body });
const encoded = (encoding: string, body: Buffer): Buffer =>
  requestBytes({ target: '/graphql', headers: { ...JSON_HEADERS, 'content-encoding': encoding }, body });
const head = (fields: string): string =>
  `POST /graphql HTTP/1.1\r\nhost: x\r\naccept: application/json\r\ncontent-type: application/json\r\n${fields}\r\n\r\n`;

const multipart = (parts: string): Buffer => typed('multipart/form-data; boundary=b', `${parts}--b--\r\n`);
const part = (name: string, text: string): string =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;

export const bodies: readonly Attack[] = [
  postBody(
    'variables 500,000 lists deep',
    withVariables(`{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`),
    { times: 5 },
  ),
  postBody(
    'variables 150,000 objects deep',
    withVariables(`${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`),
    { times: 5 },
  ),
  postBody('an input 400,000 lists deep', asJsonArgument(`${'['.repeat(400_000)}"x"${']'.repeat(400_000)}`)),
  postBody('an input of 200,000 wrong kinds', asJsonArgument(`[${times(200_000, () => '1', ',')}]`), {
    times: 4,
  }),
  postBody('an input of 200,000 nulls', asJsonArgument(`[${times(200_000, () => 'null', ',')}]`), {
    times: 4,
  }),
  postBody('an input of 40,000 objects', asJsonArgument(`[${times(40_000, () => '{"a":{"b":1}}', ',')}]`), {
    times: 4,
  }),
  postBody(
    '100,000 variables nobody asked for',
    withVariables(`{${times(80_000, (n) => `"k${n}":1`, ',')}}`),
    { times: 5 },
  ),
  postBody(
    '__proto__ and constructor as variables',
    withVariables('{"__proto__":{"a":1},"constructor":{"prototype":{}},"n":["x"]}'),
    { times: 5 },
  ),
  postBody('60,000 times the key query', `{${times(60_000, () => '"query":"x"', ',')},${ORDINARY.slice(1)}`, {
    times: 5,
  }),
  postBody('extensions of a megabyte', `{"extensions":{"a":"${'x'.repeat(900_000)}"},${ORDINARY.slice(1)}`, {
    times: 10,
  }),
  postBody('3,000 operations in an array', `[${times(3_000, () => ORDINARY, ',')}]`),
  postBody(
    'an empty array, a number, a text, null',
    (n) => ['[]', '1', '"x"', 'null', 'true', '{}', '[[]]', '', ' '][n % 9] ?? '',
    { times: 90, atOnce: 10 },
  ),
  postBody(
    'query of every wrong kind',
    (n) => `{"query":${['1', 'null', '[]', '{}', 'true', '""', '" "'][n % 7]}}`,
    { times: 70, atOnce: 10 },
  ),
  postBody('a megabyte that is no JSON', 'x'.repeat(1_000_000), { times: 10 }),
  postBody('a text of a megabyte', `"${'x'.repeat(1_000_000)}"`, { times: 10 }),
  postBody('a number of a megabyte', withVariables(`{"a":${'9'.repeat(1_000_000)}}`), { times: 3 }),
  postBody('numbers that are too large', withVariables(`{"a":[${times(60_000, () => '1e999999', ',')}]}`), {
    times: 5,
  }),
  postBody('a megabyte of escapes', withVariables(`{"a":"${'\\u0000'.repeat(160_000)}"}`), { times: 5 }),
  postBody('a megabyte of half characters', asJsonArgument(`["10.1/${'\\ud800'.repeat(160_000)}"]`), {
    times: 2,
  }),
  attack('bytes that are no UTF-8', typed('application/json', Buffer.alloc(1_000_000, 0xff)), { times: 5 }),
  attack(
    'UTF-16, and a byte order mark',
    (n) => typed('application/json', Buffer.from(`\ufeff${ORDINARY}`, n % 2 ? 'utf16le' : 'utf8')),
    { times: 10 },
  ),
  attack('bodies of 10 MB', graphqlBytes(`{"query":"#${'x'.repeat(10_000_000)}"}`), {
    times: 10,
    expect: 'cut',
  }),
  attack(
    'a form of a megabyte',
    typed(
      'application/x-www-form-urlencoded',
      times(150_000, (n) => `a=${n % 10}`, '&'),
    ),
    { times: 5 },
  ),
  attack('multipart: 5,000 parts', multipart(times(5_000, (n) => part(`${n}`, 'x'), '')), { times: 5 }),
  attack(
    'multipart: a map of 20,000 files',
    multipart(
      part('operations', ORDINARY) +
        part('map', `{${times(20_000, (n) => `"${n}":["variables.a.${n}"]`, ',')}}`),
    ),
    { times: 3 },
  ),
  attack(
    'multipart: a boundary that never comes',
    multipart(part('operations', `${'\r\n--'.repeat(200_000)}`)),
    { times: 3 },
  ),
  attack(
    'other types of body',
    (n) =>
      typed(
        [
          'text/plain',
          'application/graphql',
          'application/xml',
          '',
          'application/json; charset=utf-7',
          `${'a'.repeat(5_000)}/b`,
          'application/json, text/html',
        ][n % 7] ?? '',
        ORDINARY,
      ),
    { times: 70, atOnce: 10 },
  ),
  attack(
    'a gigabyte, compressed to one megabyte',
    encoded('gzip', gzipSync(Buffer.alloc(200_000_000)).subarray(0, 1_000_000)),
    { times: 4 },
  ),
  attack(
    'a gigabyte, compressed by Brotli',
    encoded('br', brotliCompressSync(Buffer.alloc(100_000_000, 32))),
    { times: 4 },
  ),
  attack(
    'encoded ten times over',
    encoded(
      times(10, () => 'gzip', ', '),
      gzipSync(ORDINARY),
    ),
    { times: 10 },
  ),
  raw('more bytes than its length says', `${head('content-length: 5')}${ORDINARY.repeat(1_000)}`, {
    times: 20,
  }),
  raw(
    'both a length and chunks',
    `${head('content-length: 5\r\ntransfer-encoding: chunked')}0\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
    { times: 20 },
  ),
  raw(
    'a length that is no number',
    (n) => head(`content-length: ${['-1', '1e9', '99999999999999999999', '0x10', '5, 5', ' '][n % 6]}`),
    { times: 30 },
  ),
  raw(
    '100,000 chunks of one byte',
    `${head('transfer-encoding: chunked')}${'1\r\nx\r\n'.repeat(100_000)}0\r\n\r\n`,
    { times: 3 },
  ),
  raw(
    'a chunk with a megabyte of extension',
    `${head('transfer-encoding: chunked')}1;${'x'.repeat(1_000_000)}\r\nx\r\n0\r\n\r\n`,
    { times: 3 },
  ),
  raw(
    '10,000 trailers',
    `${head('transfer-encoding: chunked')}2\r\n{}\r\n0\r\n${times(10_000, (n) => `t${n}: x\r\n`, '')}\r\n`,
    { times: 3 },
  ),
  raw('expect: 100-continue and no body', head('content-length: 100\r\nexpect: 100-continue'), {
    times: 50,
    manner: { leaveAfterMs: 300 },
  }),
  raw('expect: something else', `${head(`content-length: 32\r\nexpect: ${'x'.repeat(1_000)}`)}${ORDINARY}`, {
    times: 10,
  }),
  attack(
    'clients that leave in the middle of a body',
    (n) => graphqlBytes(list(9_000, (m) => `${m}${n}`).join()).subarray(0, 30_000),
    { times: 200, atOnce: 20, manner: { leaveAfterMs: 30 } },
  ),
];
