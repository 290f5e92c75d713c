// Which request bodies the gateway reads, and how it refuses the others.

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../support/gateway.ts';
import { testTable } from '../support/test-table.ts';
import { graphqlResult, post, type SentRequest, statusAndCode } from './exchange.ts';

type Body = NonNullable<SentRequest['body']>;

const LIMIT = 2_000;
const QUERY = '{"query":"{ __typename }"}';

let gateway: ListeningGateway;

beforeAll(async () => {
  gateway = await startGateway({ directory: createFakeDirectory() }, { MAX_BODY_BYTES: String(LIMIT) });
});

afterAll(() => gateway.close());

/** `[status, code of the first error, its message]` */
async function outcome(body: Body, headers: Readonly<Record<string, string>> = {}) {
  const response = await post(gateway, body, headers);
  return [...statusAndCode(response), graphqlResult(response).errors?.[0]?.message ?? null];
}

const READ = [200, null, null];
const refused = (status: number, message: unknown = expect.any(String)) => [
  status,
  status === 413 ? 'LIMIT_EXCEEDED' : 'BAD_USER_INPUT',
  message,
];

/** A valid request of that many bytes, with spaces at its end. */
const padded = (bytes: number): string => QUERY + ' '.repeat(bytes - Buffer.byteLength(QUERY));

const inBytes = (body: string | Buffer) => [...Buffer.from(body)].map((byte) => Buffer.of(byte));

testTable([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'APPLICATION/JSON',
  'application/graphql+json',
])('a JSON object is read as %s', async (type) => {
  expect(await outcome(QUERY, { 'content-type': type })).toEqual(READ);
});

testTable([
  ['with a byte order mark before it', `\uFEFF${QUERY}`],
  [
    'with an operation name of null and variables of null, which some clients send',
    '{"query":"{ __typename }","operationName":null,"variables":null,"extensions":null}',
  ],
])('a JSON object is read %s', async (_, body) => {
  expect(await outcome(body)).toEqual(READ);
});

test('a body whose chunks divide a character is read', async () => {
  const body = inBytes('{"query":"{ parseDoi(input: \\"10.1000/é😀\\") { input } }"}');
  expect((await post(gateway, body)).text).toContain('"input":"10.1000/é😀"');
});

testTable<[string, string | Buffer]>([
  ['nothing', ''],
  ['white space', ' \n'],
  ['a byte order mark alone', '\uFEFF'],
  ['two byte order marks', `\uFEFF\uFEFF${QUERY}`],
  ['a query without JSON', '{ __typename }'],
  ['incomplete JSON', '{"query":'],
  ['JSON with something after it', `${QUERY}x`],
  ['single quotes', "{'query':'{ __typename }'}"],
  ['NUL bytes', '\0\0\0'],
  ['UTF-16', Buffer.from(QUERY, 'utf16le')],
])('a body that is not JSON is refused: %s', async (_, body) => {
  const message = 'The request body is not JSON. Send {"query": "…", "variables": {…}} as application/json.';
  expect(await outcome(body)).toEqual(refused(400, message));
});

testTable(['[]', `[${QUERY}]`, 'null', 'true', '1', '"{ __typename }"'])(
  'JSON that is not an object is refused: %s',
  async (body) => {
    const message = expect.stringMatching(/^The request body is not a JSON object\./);
    expect(await outcome(body)).toEqual(refused(400, message));
  },
);

testTable([
  ['no query', '{}'],
  ['a query of null', '{"query":null}'],
  ['a query that is a number', '{"query":5}'],
  ['variables that are text', '{"query":"{ __typename }","variables":"{}"}'],
  ['variables that are a list', '{"query":"{ __typename }","variables":[]}'],
  ['extensions that are text', '{"query":"{ __typename }","extensions":"x"}'],
  ['an operation name that is a number', '{"query":"query A { __typename }","operationName":5}'],
  ['an unknown key', '{"query":"{ __typename }","querry":1}'],
  ['a query in the prototype', '{"__proto__":{"query":"{ __typename }"}}'],
])('an object that is not a GraphQL request is refused: %s', async (_, body) => {
  expect(await outcome(body)).toEqual(refused(400));
});

test('a body that is not UTF-8 is refused, because a replaced byte could change a DOI name', async () => {
  const latin1 = Buffer.from('{"query":"{ parseDoi(input: \\"10.1000/é\\") { input } }"}', 'latin1');
  const type = 'application/json; charset=iso-8859-1';
  expect(await outcome(latin1, { 'content-type': type })).toEqual(refused(400));
});

const UPLOAD =
  '--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n{"query":"{ __typename }"}\r\n--x--\r\n';

testTable([
  ['text/plain', QUERY],
  ['text/html', QUERY],
  ['application/xml', QUERY],
  ['application/jsonx', QUERY],
  ['application/octet-stream', QUERY],
  ['*/*', QUERY],
  ['multipart/form-data; boundary=x', UPLOAD],
])('a body of the type %s is refused', async (type, body) => {
  const message = expect.stringContaining('application/json');
  expect(await outcome(body, { 'content-type': type })).toEqual(refused(415, message));
});

describe('a compressed body', () => {
  const gzip = { 'content-encoding': 'gzip' };

  testTable<[string, Buffer]>([
    ['gzip', gzipSync(QUERY)],
    ['GZIP', gzipSync(QUERY)],
    ['x-gzip', gzipSync(QUERY)],
    ['deflate', deflateSync(QUERY)],
    ['gzip', Buffer.concat([gzipSync(QUERY.slice(0, 9)), gzipSync(QUERY.slice(9))])],
    ['identity', Buffer.from(QUERY)],
    ['Identity', Buffer.from(QUERY)],
    ['', Buffer.from(QUERY)],
  ])('is unpacked from %s, with a length and in chunks of one byte', async (encoding, body) => {
    const headers = { 'content-encoding': encoding };
    expect(await outcome(body, headers)).toEqual(READ);
    expect(await outcome(inBytes(body), headers)).toEqual(READ);
  });

  testTable([
    ['application/graphql', '{ __typename }'],
    ['application/x-www-form-urlencoded', 'query={__typename}'],
  ])('can have the type %s', async (type, text) => {
    expect(await outcome(gzipSync(text), { ...gzip, 'content-type': type })).toEqual(READ);
  });

  testTable(['br', 'zstd', 'gzip, gzip', 'x'])('is refused in the encoding "%s"', async (encoding) => {
    const message = `The request body has the Content-Encoding "${encoding}". Send it as gzip or deflate, or uncompressed.`;
    const headers = { 'content-encoding': encoding };
    expect(await outcome(brotliCompressSync(QUERY), headers)).toEqual(refused(415, message));
  });

  testTable<[string, Buffer]>([
    ['text that is not compressed', Buffer.from(QUERY)],
    ['half of a body', gzipSync(QUERY).subarray(0, 20)],
    ['nothing', Buffer.alloc(0)],
    ['a wrong checksum', Buffer.concat([gzipSync(QUERY).subarray(0, -8), Buffer.alloc(8)])],
  ])('is refused if it is damaged: %s', async (_, body) => {
    expect(await outcome(body, gzip)).toEqual(refused(400));
  });

  // A bomb is small, and becomes 20 MB of zeros when it is unpacked.
  testTable<[string, Body, unknown[]]>([
    ['as long as the limit when unpacked', gzipSync(padded(LIMIT)), READ],
    ['longer than the limit when unpacked', gzipSync(padded(LIMIT + 1)), refused(413)],
    ['longer than the limit while packed', Array.from({ length: LIMIT }, () => gzipSync('')), refused(413)],
    ['a bomb', gzipSync(Buffer.alloc(20_000_000)).subarray(0, LIMIT - 1), refused(413)],
    ['a bomb in chunks', [gzipSync(Buffer.alloc(20_000_000)).subarray(0, LIMIT - 1)], refused(413)],
  ])('is measured before and after it is unpacked: %s', async (_, body, expected) => {
    expect(await outcome(body, gzip)).toEqual(expected);
  });
});

describe('MAX_BODY_BYTES', () => {
  testTable<[string, Body, unknown[]]>([
    ['as long as the limit, with a length', padded(LIMIT), READ],
    ['as long as the limit, in a chunk', [padded(LIMIT)], READ],
    ['too long, with a length', padded(LIMIT + 1), refused(413)],
    ['too long, in one chunk', [padded(LIMIT + 1)], refused(413)],
    ['too long, in many chunks', Array.from(padded(LIMIT + 1)), refused(413)],
    ['many times too long', padded(LIMIT * 1_000), refused(413)],
    ['many times too long, in chunks', Array.from({ length: 1_000 }, () => padded(LIMIT)), refused(413)],
    [
      'too many bytes in few characters',
      `{"query":"{ __typename }","variables":{"a":"${'é'.repeat(LIMIT / 2)}"}}`,
      refused(413),
    ],
  ])('bounds the bytes of a body: %s', async (_, body, expected) => {
    expect(await outcome(body)).toEqual(expected);
  });

  testTable(['application/graphql', 'application/x-www-form-urlencoded'])(
    'bounds a body of the type %s',
    async (type) => {
      const body = `query=${' '.repeat(LIMIT)}`;
      expect(await outcome(body, { 'content-type': type })).toEqual(refused(413));
    },
  );
});
