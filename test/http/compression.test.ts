// All faces compress responses that are not short. The gateway does not compress a response in parts.

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { requestParts } from '../graphql/incremental/parts.ts';
import { createFakeDirectory, NOW, urlValue } from '../support/fake-directory.ts';
import { startGateway } from '../support/gateway.ts';
import { createHeldDirectory } from '../support/held-directory.ts';
import { get, headerValues, type SentRequest } from './exchange.ts';

const VALUES = Array.from({ length: 60 }, (_, index) =>
  urlValue(`https://example.org/${index}`, { index: index + 1 }),
);

async function start() {
  const directory = createFakeDirectory({ records: { '10.5555/large': VALUES } });
  const gateway = await startGateway({ directory, clock: () => NOW });
  onTestFinished(gateway.close);
  return gateway;
}

const INPUTS = JSON.stringify(Array.from({ length: 60 }, (_, i) => `10.5555/${i}`));
const LARGE_QUERY = `{ dois(inputs: ${INPUTS}) { uri url html } }`;
const pathOf = (query: string) => `/graphql?${new URLSearchParams({ query })}`;
const HTML = { headers: { accept: 'text/html' } };

const GET_FACES: readonly [face: string, path: string, sent: SentRequest][] = [
  ['a result of GET', pathOf(LARGE_QUERY), {}],
  ['a record as JSON', '/api/handles/10.5555/large', {}],
  ['a page', '/', HTML],
  ['a page of values', '/10.5555/large?noredirect', HTML],
];
const POST_FACE: (typeof GET_FACES)[number] = [
  'a result of POST',
  '/graphql',
  {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: LARGE_QUERY }),
  },
];

const accepting = (coding: string, sent: SentRequest): SentRequest => ({
  ...sent,
  headers: { ...sent.headers, 'accept-encoding': coding },
});

describe.each([...GET_FACES, POST_FACE])('%s', (_, path, sent) => {
  test.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ])('is compressed as %s', async (coding, decode) => {
    const gateway = await start();
    const plain = await get(gateway, path, sent);
    const coded = await get(gateway, path, accepting(coding, sent));
    expect(plain.status).toBe(200);
    expect(plain.bytes.length).toBeGreaterThan(4_096);
    expect(headerValues(plain, 'content-encoding')).toEqual([]);
    expect(headerValues(coded, 'content-encoding')).toEqual([coding]);
    expect(headerValues(coded, 'content-length')).toEqual([String(coded.bytes.length)]);
    expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(decode(coded.bytes).equals(plain.bytes)).toBe(true);
    for (const response of [plain, coded]) {
      expect(headerValues(response, 'vary').join()).toMatch(/(?:^|, )Accept-Encoding$/);
    }
  });

  test('is not compressed for a client that accepts no known coding', async () => {
    const response = await get(await start(), path, accepting('deflate', sent));
    expect(headerValues(response, 'content-encoding')).toEqual([]);
    expect(headerValues(response, 'content-length')).toEqual([String(response.bytes.length)]);
  });
});

test('a short response is not compressed, and does not vary by Accept-Encoding', async () => {
  const response = await get(await start(), pathOf('{ __typename }'), accepting('gzip', {}));
  expect(headerValues(response, 'content-encoding')).toEqual([]);
  expect(headerValues(response, 'vary')).toEqual(['Accept']);
});

// The pages have no ETag.
test.each(GET_FACES.slice(0, 2))('the ETag of %s matches in every coding', async (_, path) => {
  const gateway = await start();
  for (const coding of ['gzip', 'br', 'identity']) {
    const first = await get(gateway, path, accepting(coding, {}));
    const [tag = ''] = headerValues(first, 'etag');
    // A strong ETag would mean that two codings have the same bytes.
    expect(tag).toMatch(/^W\//);
    const again = await get(gateway, path, accepting(coding, { headers: { 'if-none-match': tag } }));
    expect([again.status, again.text, headerValues(again, 'etag')]).toEqual([304, '', [tag]]);
    expect(headerValues(again, 'content-encoding')).toEqual([]);
    expect(headerValues(again, 'vary')).toEqual(headerValues(first, 'vary'));
  }
});

test.each(GET_FACES)('HEAD of %s has the headers of GET without a body', async (_, path, sent) => {
  const gateway = await start();
  const whole = await get(gateway, path, sent);
  for (const coding of ['gzip', 'identity']) {
    const head = await get(gateway, path, { ...accepting(coding, sent), method: 'HEAD' });
    expect([head.status, head.text]).toEqual([whole.status, '']);
    for (const name of ['vary', 'etag', 'cache-control', 'content-type']) {
      expect(headerValues(head, name)).toEqual(headerValues(whole, name));
    }
  }
});

test('a response in parts is not compressed, and each part is sent as soon as it is ready', async () => {
  const directory = createHeldDirectory();
  const gateway = await startGateway({ directory });
  onTestFinished(gateway.close);
  const inputs = Array.from({ length: 40 }, (_, index) => `10.5555/${index}`);
  const query =
    'query ($inputs: [String!]!) { dois(inputs: $inputs) { uri url html markdown ... @defer { exists } } }';
  const response = await requestParts(gateway, query, {
    variables: { inputs },
    headers: { 'accept-encoding': 'gzip, br' },
  });
  expect(response.headers['content-encoding']).toBeUndefined();
  const first = await response.next();
  expect(first?.hasNext).toBe(true);
  expect(JSON.stringify(first).length).toBeGreaterThan(4_096);
  for (const at of [3, 1]) {
    directory.answer(`10.5555/${at}`);
    const part = await response.next();
    expect(part?.incremental).toMatchObject([{ path: ['dois', at], data: { exists: false } }]);
  }
  response.leave();
});
