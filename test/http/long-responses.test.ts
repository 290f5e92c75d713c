// A long GraphQL response has its length, ETag, coding, HEAD and 304, like a short response.

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createTwoGateways, posted } from '../graphql/two-executions.ts';
import { createFakeDirectory, NOW, urlValue } from '../support/fake-directory.ts';
import { startGateway } from '../support/gateway.ts';
import { exchange, headerValues } from './exchange.ts';

/** The response has 150 kB. Some characters have several bytes. */
const VALUES = Array.from({ length: 1_000 }, (_, at) =>
  urlValue(`https://example.org/${at}/${'é€"'.repeat(20)}`, { index: at + 1 }),
);
const parts = () => ({
  directory: createFakeDirectory({ records: { '10.5555/long': VALUES } }),
  clock: () => NOW,
});
const FIELDS = 'record { values { index text } }';
const QUERY = new URLSearchParams({ query: `{ doi(input: "10.5555/long") { ${FIELDS} } }` }).toString();

async function start() {
  const gateway = await startGateway(parts());
  onTestFinished(gateway.close);
  return (headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    exchange(`${gateway.url}/graphql?${QUERY}`, { method, headers });
}

test('both executions send the same long result, with its length and ETag', async () => {
  const both = await createTwoGateways(parts());
  const { headers, body } = await both.compare({ query: QUERY });
  expect(headers['etag']).toMatch(/^W\//);
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body));
  expect(Buffer.byteLength(body)).toBeGreaterThan(100_000);
});

test('both executions send the same long errors', async () => {
  const both = await createTwoGateways(parts());
  const inputs = Array.from({ length: 600 }, (_, at) => (at % 2 === 0 ? `bad "é€ ${at}` : '10.5555/long'));
  const query = `query ($inputs: [String!]!) { dois(inputs: $inputs) { name } doi(input: "10.5555/long") { ${FIELDS} } }`;
  const { body } = await both.compare(posted(query, { inputs }));
  expect(body.startsWith('{"errors":[')).toBe(true);
});

test.each([
  ['identity', (bytes: Buffer) => bytes],
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
])('a long response in the coding %s is whole and has the right length', async (coding, decode) => {
  const fetch = await start();
  const plain = await fetch();
  const coded = await fetch({ 'accept-encoding': coding });
  expect(headerValues(coded, 'content-encoding')).toEqual(coding === 'identity' ? [] : [coding]);
  expect(headerValues(coded, 'content-length')).toEqual([String(coded.bytes.length)]);
  expect(decode(coded.bytes).equals(plain.bytes)).toBe(true);
  expect(JSON.parse(plain.text).data.doi.record.values).toHaveLength(VALUES.length);
});

test('HEAD of a long response has the headers of GET, and a request with its ETag gets 304', async () => {
  const fetch = await start();
  const whole = await fetch();
  const head = await fetch({}, 'HEAD');
  expect([head.status, head.text]).toEqual([200, '']);
  for (const name of ['etag', 'content-length', 'vary', 'cache-control']) {
    expect(headerValues(head, name)).toEqual(headerValues(whole, name));
  }
  const again = await fetch({ 'if-none-match': String(headerValues(whole, 'etag')) });
  expect([again.status, again.text]).toEqual([304, '']);
});
