// An answer too long for one text is sent as a short one is: length, tag, coding, HEAD, 304, in-process.

import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTwoGateways, posted } from '../graphql/two-executions.ts';
import { createFakeDirectory, NOW, urlValue } from '../support/fake-directory.ts';
import { startGateway } from '../support/gateway.ts';

/** 150 kB of answer; some characters have several bytes. */
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
    new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
      const asked = request(
        `${gateway.url}/graphql?${QUERY}`,
        { method, headers, agent: false },
        async (answer) => {
          const chunks: Buffer[] = [];
          for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) });
        },
      );
      asked.once('error', reject);
      asked.end();
    });
}

test('both executions say the same, and of the same length and tag', async () => {
  const both = await createTwoGateways(parts());
  const { headers, body } = await both.compare({ query: QUERY });
  expect(headers['etag']).toMatch(/^W\//);
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body));
  expect(Buffer.byteLength(body)).toBeGreaterThan(100_000);
});

test('also where there are long errors', async () => {
  const both = await createTwoGateways(parts());
  const inputs = Array.from({ length: 600 }, (_, at) => (at % 2 === 0 ? `bad "é€ ${at}` : '10.5555/long'));
  const query = `query ($inputs: [String!]!) { dois(inputs: $inputs) { name } doi(input: "10.5555/long") { ${FIELDS} } }`;
  const { body } = await both.compare(posted(query, { inputs }));
  expect(body.startsWith('{"errors":[')).toBe(true);
});

describe('over the wire', () => {
  test.each([
    ['identity', (bytes: Buffer) => bytes],
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ])('as %s it has the length it says, and is whole', async (coding, decoded) => {
    const ask = await start();
    const plain = await ask();
    const { headers, bytes } = await ask({ 'accept-encoding': coding });
    expect(headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
    expect(headers['content-length']).toBe(String(bytes.length));
    expect(decoded(bytes).equals(plain.bytes)).toBe(true);
    const { data } = JSON.parse(plain.bytes.toString());
    expect(data.doi.record.values).toHaveLength(VALUES.length);
  });

  test('HEAD says the same without a body, and a copy is good by its tag', async () => {
    const ask = await start();
    const { headers } = await ask();
    const head = await ask({}, 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['etag', 'content-length', 'vary', 'cache-control']) {
      expect(head.headers[name]).toBe(headers[name]);
    }
    const again = await ask({ 'if-none-match': String(headers['etag']) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });
});
