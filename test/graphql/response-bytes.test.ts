// The limit of bytes while a response is made: the response ends there, and the work for it too.

import { describe, expect, onTestFinished, test } from 'vitest';
import { createTestGateway } from '../support/gateway.ts';
import type { MemoryDirectory } from '../support/memory-directory.ts';
import { createMemoryDirectory } from '../support/memory-directory.ts';
import { EXECUTIONS, posted } from './two-executions.ts';

/** Under one alias of as many characters as it takes. */
const QUERY = (alias: string) =>
  `query ($inputs: [String!]!) { ${alias}: dois(inputs: $inputs) { name html exists } }`;

async function responseOf(
  yogaExecutesAll: boolean,
  maxBytes: number,
  { query = QUERY('a'), inputs = ['10.5555/é"<>'] as readonly string[], directory = createMemoryDirectory() },
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
  ['a whole answer', names(100)],
  ['one with an error', [...names(100), 'bad']],
  ['one with many errors', [...names(50), ...Array.from({ length: 60 }, () => 'bad \u0001 "')]],
])('the gateway itself counts to the byte: %s', async (_what, inputs) => {
  const { bytes, isTooLarge } = await responseOf(false, 1_000_000, { inputs });
  expect(isTooLarge).toBe(false);
  expect(await responseOf(false, bytes, { inputs })).toMatchObject({ isTooLarge: false, bytes });
  expect(await responseOf(false, bytes - 1, { inputs })).toMatchObject({ isTooLarge: true });
});

test.each([
  ['a whole answer', names(300)],
  ['one with many errors', [...names(50), ...Array.from({ length: 200 }, () => 'bad')]],
])('graphql-js is stopped within a few percent of it: %s', async (_what, inputs) => {
  const { bytes } = await responseOf(true, 1_000_000, { inputs });
  expect(await responseOf(true, Math.ceil(bytes * 1.06), { inputs })).toMatchObject({
    isTooLarge: false,
    bytes,
  });
  expect(await responseOf(true, Math.floor(bytes * 0.9), { inputs })).toMatchObject({ isTooLarge: true });
});

describe.each(EXECUTIONS)('executed %s', (_, yogaExecutesAll) => {
  test('what would be too large is one error without data', async () => {
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

  test('nor is more sent where it is made of next to nothing', async () => {
    const query = 'query ($inputs: [String!]!) { dois(inputs: $inputs) { __typename } }';
    expect(await responseOf(yogaExecutesAll, 10_000, { query, inputs: names(1_000) })).toMatchObject({
      isTooLarge: true,
    });
  });

  test('nor once its errors are', async () => {
    const directory: MemoryDirectory = createMemoryDirectory();
    const inputs = [...Array.from({ length: 1_000 }, () => 'bad'), ...names(1_000)];
    await responseOf(yogaExecutesAll, 10_000, { inputs, directory });
    expect(directory.peeks.record).toBe(0);
  });

  test('nothing more is resolved once it is too large', async () => {
    const directory: MemoryDirectory = createMemoryDirectory();
    const inputs = names(3_000);
    await responseOf(yogaExecutesAll, 10_000, { inputs, directory });
    // A name takes about 150 bytes: some 70 fit.
    expect(directory.peeks.record).toBeGreaterThan(20);
    expect(directory.peeks.record).toBeLessThan(200);
  });
});
