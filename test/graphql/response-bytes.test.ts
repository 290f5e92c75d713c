// A response ends at its limit of bytes, and so does its work.

import { describe, expect, onTestFinished, test } from 'vitest';
import { createTestGateway } from '../support/gateway.ts';
import type { MemoryDirectory } from '../support/memory-directory.ts';
import { createMemoryDirectory } from '../support/memory-directory.ts';
import { EXECUTIONS, posted } from './two-executions.ts';

const QUERY = 'query ($inputs: [String!]!) { dois(inputs: $inputs) { name html exists } }';

async function responseOf(
  yogaExecutesAll: boolean,
  maxBytes: number,
  { query = QUERY, inputs = ['10.5555/é"<>'] as readonly string[], directory = createMemoryDirectory() },
) {
  const gateway = await createTestGateway(
    { directory, yogaExecutesAll, limits: { responseBytes: maxBytes } },
    { MAX_LOOKUPS: '100000' },
  );
  onTestFinished(gateway.close);
  const { method = 'POST', headers = {}, body = '' } = posted(query, { inputs });
  const response = await gateway.app.fetch(
    new Request('http://gateway.test/graphql', { method, headers, body }),
  );
  const text = await response.text();
  return { isTooLarge: text.includes('The response would be larger'), text, bytes: Buffer.byteLength(text) };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `10.5555/é"<${index}>`);

test.each([
  ['only data', names(100)],
  ['one error', [...names(100), 'bad']],
  ['many errors', [...names(50), ...Array.from({ length: 60 }, () => 'bad \u0001 "')]],
])('the executor of the gateway counts every byte of a response with %s', async (_, inputs) => {
  const { bytes, isTooLarge } = await responseOf(false, 1_000_000, { inputs });
  expect(isTooLarge).toBe(false);
  expect(await responseOf(false, bytes, { inputs })).toMatchObject({ isTooLarge: false, bytes });
  expect(await responseOf(false, bytes - 1, { inputs })).toMatchObject({ isTooLarge: true });
});

test.each([
  ['only data', names(300)],
  ['many errors', [...names(50), ...Array.from({ length: 200 }, () => 'bad')]],
])('graphql-js stops within 10 % of the limit, for a response with %s', async (_, inputs) => {
  const { bytes } = await responseOf(true, 1_000_000, { inputs });
  expect(await responseOf(true, Math.ceil(bytes * 1.06), { inputs })).toMatchObject({
    isTooLarge: false,
    bytes,
  });
  expect(await responseOf(true, Math.floor(bytes * 0.9), { inputs })).toMatchObject({ isTooLarge: true });
});

describe.each(EXECUTIONS)('executed %s', (_, yogaExecutesAll) => {
  test('a response above the limit is one error without data', async () => {
    const { text } = await responseOf(yogaExecutesAll, 10_000, { inputs: names(500) });
    expect(JSON.parse(text)).toEqual({
      errors: [
        {
          message: expect.stringMatching(/^The response would be larger than the 10000 bytes/),
          extensions: { code: 'LIMIT_EXCEEDED', retryable: false },
        },
      ],
    });
  });

  test('a response of many short objects has the same limit', async () => {
    const query = 'query ($inputs: [String!]!) { dois(inputs: $inputs) { __typename } }';
    expect(await responseOf(yogaExecutesAll, 10_000, { query, inputs: names(1_000) })).toMatchObject({
      isTooLarge: true,
    });
  });

  test('errors above the limit end the operation before its look-ups', async () => {
    const directory: MemoryDirectory = createMemoryDirectory();
    const inputs = [...Array.from({ length: 1_000 }, () => 'bad'), ...names(1_000)];
    await responseOf(yogaExecutesAll, 10_000, { inputs, directory });
    expect(directory.peeks.record).toBe(0);
  });

  test('data above the limit end the operation', async () => {
    const directory: MemoryDirectory = createMemoryDirectory();
    const inputs = names(3_000);
    await responseOf(yogaExecutesAll, 10_000, { inputs, directory });
    // About 70 names of 150 bytes fit.
    expect(directory.peeks.record).toBeGreaterThan(20);
    expect(directory.peeks.record).toBeLessThan(200);
  });
});
