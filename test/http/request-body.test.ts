// Request bodies: what is read, and what is said of those that cannot be.

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../support/gateway.ts';
import { graphqlResult, post, statusAndCode } from './exchange.ts';

const LIMIT = 2_000;
const QUERY = '{"query":"{ __typename }"}';

let gateway: ListeningGateway;

beforeAll(async () => {
  gateway = await startGateway({ directory: createFakeDirectory() }, { MAX_BODY_BYTES: String(LIMIT) });
});

afterAll(() => gateway.close());

/** A request that is answered, as long as asked for, with spaces behind. */
const padded = (bytes: number): string => QUERY + ' '.repeat(bytes - Buffer.byteLength(QUERY));

describe('a JSON object is read', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'APPLICATION/JSON',
    'application/graphql+json',
  ])('as %s', async (type) => {
    expect(statusAndCode(await post(gateway, QUERY, { 'content-type': type }))).toEqual([200, null]);
  });

  test('with a byte order mark before it', async () => {
    expect(statusAndCode(await post(gateway, `\uFEFF${QUERY}`))).toEqual([200, null]);
  });

  test('from chunks that divide a character', async () => {
    const bytes = Buffer.from('{"query":"{ parseDoi(input: \\"10.1000/é😀\\") { input } }"}');
    const chunks = [...bytes].map((byte) => Buffer.of(byte));
    expect((await post(gateway, chunks)).text).toContain('"input":"10.1000/é😀"');
  });

  test('with an operation name and variables of null, as some clients send', async () => {
    const body = '{"query":"{ __typename }","operationName":null,"variables":null,"extensions":null}';
    expect(statusAndCode(await post(gateway, body))).toEqual([200, null]);
  });
});

describe('a body that is not a JSON object', () => {
  test.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['a byte order mark alone', '\uFEFF'],
    ['two byte order marks', `\uFEFF\uFEFF${QUERY}`],
    ['a query by itself', '{ __typename }'],
    ['JSON that stops early', '{"query":'],
    ['JSON with something behind', `${QUERY}x`],
    ['single quotes', "{'query':'{ __typename }'}"],
    ['NUL bytes', '\0\0\0'],
    ['UTF-16', Buffer.from(QUERY, 'utf16le')],
  ])('is refused as no JSON: %s', async (_, body) => {
    const answer = await post(gateway, body);
    expect(statusAndCode(answer)).toEqual([400, 'BAD_USER_INPUT']);
    expect(graphqlResult(answer).errors?.[0]?.message).toBe(
      'The request body is not JSON. Send {"query": "…", "variables": {…}} as application/json.',
    );
  });

  test.each(['[]', `[${QUERY}]`, 'null', 'true', '1', '"{ __typename }"'])(
    'is refused as no object: %s',
    async (body) => {
      const answer = await post(gateway, body);
      expect(statusAndCode(answer)).toEqual([400, 'BAD_USER_INPUT']);
      expect(graphqlResult(answer).errors?.[0]?.message).toMatch(/^The request body is not a JSON object\./);
    },
  );
});

describe('an object that is no request', () => {
  test.each([
    ['no query', '{}'],
    ['a query of null', '{"query":null}'],
    ['a query that is a number', '{"query":5}'],
    ['variables that are text', '{"query":"{ __typename }","variables":"{}"}'],
    ['variables that are a list', '{"query":"{ __typename }","variables":[]}'],
    ['extensions that are text', '{"query":"{ __typename }","extensions":"x"}'],
    ['an operation name that is a number', '{"query":"query A { __typename }","operationName":5}'],
    ['an unknown key', '{"query":"{ __typename }","querry":1}'],
    ['the query in its prototype', '{"__proto__":{"query":"{ __typename }"}}'],
  ])('is refused: %s', async (_, body) => {
    expect(statusAndCode(await post(gateway, body))).toEqual([400, 'BAD_USER_INPUT']);
  });
});

describe('a body that is not UTF-8', () => {
  test('is refused: with its bytes replaced it would name another DOI', async () => {
    const latin1 = Buffer.from('{"query":"{ parseDoi(input: \\"10.1000/é\\") { input } }"}', 'latin1');
    const answer = await post(gateway, latin1, { 'content-type': 'application/json; charset=iso-8859-1' });
    expect(statusAndCode(answer)).toEqual([400, 'BAD_USER_INPUT']);
  });
});

describe('a body of another type', () => {
  test.each([
    'text/plain',
    'text/html',
    'application/xml',
    'application/jsonx',
    'application/octet-stream',
    '*/*',
  ])('is refused with a code: %s', async (type) => {
    const answer = await post(gateway, QUERY, { 'content-type': type });
    expect(statusAndCode(answer)).toEqual([415, 'BAD_USER_INPUT']);
    expect(graphqlResult(answer).errors?.[0]?.message).toContain('application/json');
  });

  test('is not taken for an upload', async () => {
    const body =
      '--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n{"query":"{ __typename }"}\r\n--x--\r\n';
    const answer = await post(gateway, body, { 'content-type': 'multipart/form-data; boundary=x' });
    expect(statusAndCode(answer)).toEqual([415, 'BAD_USER_INPUT']);
  });
});

describe('a compressed body', () => {
  const gzip = { 'content-encoding': 'gzip' };

  test.each([
    ['gzip', gzipSync(QUERY)],
    ['GZIP', gzipSync(QUERY)],
    ['x-gzip', gzipSync(QUERY)],
    ['deflate', deflateSync(QUERY)],
    ['gzip', Buffer.concat([gzipSync(QUERY.slice(0, 9)), gzipSync(QUERY.slice(9))])],
  ])('of %s is unpacked, with a length and in chunks of one byte', async (encoding, body) => {
    const headers = { 'content-encoding': encoding };
    expect(statusAndCode(await post(gateway, body, headers))).toEqual([200, null]);
    expect(
      statusAndCode(
        await post(
          gateway,
          [...body].map((byte) => Buffer.of(byte)),
          headers,
        ),
      ),
    ).toEqual([200, null]);
  });

  test.each([
    ['application/graphql', '{ __typename }'],
    ['application/x-www-form-urlencoded', 'query={__typename}'],
  ])('is unpacked as %s too', async (type, text) => {
    expect(statusAndCode(await post(gateway, gzipSync(text), { ...gzip, 'content-type': type }))).toEqual([
      200,
      null,
    ]);
  });

  test.each(['br', 'zstd', 'gzip, gzip', 'x'])(
    'of the unknown encoding "%s" is refused',
    async (encoding) => {
      const answer = await post(gateway, brotliCompressSync(QUERY), { 'content-encoding': encoding });
      expect(statusAndCode(answer)).toEqual([415, 'BAD_USER_INPUT']);
      expect(graphqlResult(answer).errors?.[0]?.message).toBe(
        `The request body has the Content-Encoding "${encoding}". Send it as gzip or deflate, or uncompressed.`,
      );
    },
  );

  test.each([
    ['text', Buffer.from(QUERY)],
    ['half of it', gzipSync(QUERY).subarray(0, 20)],
    ['nothing', Buffer.alloc(0)],
    ['a wrong checksum', Buffer.concat([gzipSync(QUERY).subarray(0, -8), Buffer.alloc(8)])],
  ])('that is %s is refused', async (_, body) => {
    expect(statusAndCode(await post(gateway, body, gzip))).toEqual([400, 'BAD_USER_INPUT']);
  });

  test('is measured against the limit after it is unpacked', async () => {
    expect(statusAndCode(await post(gateway, gzipSync(padded(LIMIT)), gzip))).toEqual([200, null]);
    expect(statusAndCode(await post(gateway, gzipSync(padded(LIMIT + 1)), gzip))).toEqual([
      413,
      'LIMIT_EXCEEDED',
    ]);
  });

  test('is refused before its end: of 20 MB of zeros comes only the beginning', async () => {
    const body = gzipSync(Buffer.alloc(20_000_000)).subarray(0, LIMIT - 1);
    expect(statusAndCode(await post(gateway, body, gzip))).toEqual([413, 'LIMIT_EXCEEDED']);
    expect(statusAndCode(await post(gateway, [body], gzip))).toEqual([413, 'LIMIT_EXCEEDED']);
  });

  test('is measured against the limit before it is unpacked too', async () => {
    const nothing = Array.from({ length: LIMIT }, () => gzipSync(''));
    expect(statusAndCode(await post(gateway, nothing, gzip))).toEqual([413, 'LIMIT_EXCEEDED']);
  });

  test.each(['identity', 'Identity', ''])('of the encoding "%s" is none', async (encoding) => {
    expect(statusAndCode(await post(gateway, QUERY, { 'content-encoding': encoding }))).toEqual([200, null]);
  });
});

describe('the size limit', () => {
  test('is the largest body that is read', async () => {
    expect(statusAndCode(await post(gateway, padded(LIMIT)))).toEqual([200, null]);
    expect(statusAndCode(await post(gateway, [padded(LIMIT)]))).toEqual([200, null]);
  });

  test.each([
    ['that says how long it is', padded(LIMIT + 1)],
    ['in one chunk', [padded(LIMIT + 1)]],
    ['in many chunks', Array.from(padded(LIMIT + 1))],
    ['many times too long', padded(LIMIT * 1_000)],
    ['many times too long, in chunks', Array.from({ length: 1_000 }, () => padded(LIMIT))],
  ])('refuses a body %s', async (_, body) => {
    expect(statusAndCode(await post(gateway, body))).toEqual([413, 'LIMIT_EXCEEDED']);
  });

  test('counts bytes, not characters', async () => {
    const body = `{"query":"{ __typename }","variables":{"a":"${'é'.repeat(LIMIT / 2)}"}}`;
    expect(body.length).toBeLessThan(LIMIT);
    expect(statusAndCode(await post(gateway, body))).toEqual([413, 'LIMIT_EXCEEDED']);
  });

  test.each(['application/graphql', 'application/x-www-form-urlencoded'])(
    'holds for %s too',
    async (type) => {
      const answer = await post(gateway, `query=${' '.repeat(LIMIT)}`, { 'content-type': type });
      expect(statusAndCode(answer)).toEqual([413, 'LIMIT_EXCEEDED']);
    },
  );
});
