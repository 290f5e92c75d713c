// The memory for past requests has a bound, even if all requests differ.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';
import { times } from './hostile-gateway.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const MEGABYTE = 1_000_000;

function heapMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / MEGABYTE;
}

// The texts together exceed the bound. The syntax tree of 100 kB takes 24 MB: a few trees exceed it too.
const DOCUMENTS: readonly [count: number, what: string, document: (index: number) => string][] = [
  [10, 'unknown fields', (index) => `{ ${times(9_000, (field) => `field${index}x${field}`)} }`],
  [100, 'one long comment', (index) => `{ __typename } # ${index} ${'x'.repeat(100_000)}`],
  [100, 'one long string', (index) => `{ parseDoi(input: "${index}${'x'.repeat(100_000)}") { form } }`],
  [100, 'a syntax error', (index) => `{ parseDoi(input: "${index}${'x'.repeat(100_000)}`],
  [100, 'too many tokens', (index) => `{ a${index} ${'a '.repeat(50_000)} }`],
];

const MAX_MB = 8;

describe(`different documents leave less than ${MAX_MB} MB in memory`, () => {
  test.each(DOCUMENTS)('if %i documents of 100 kB each have %s', async (count, _, document) => {
    expect(document(0).length).toBeGreaterThan(80_000);
    expect(await growthAfter(count, document)).toBeLessThan(MAX_MB);
  });

  // The shortest text with the largest syntax tree: 240 kB of heap for each kilobyte of text.
  test('if 20 documents of 20 kB each have the highest number of tokens', async () => {
    expect(await growthAfter(20, (index) => `{ a${index} ${'a '.repeat(9_900)} }`)).toBeLessThan(MAX_MB);
  });
});

async function growthAfter(count: number, document: (index: number) => string): Promise<number> {
  const gateway = await createTestGateway({ directory: createFakeDirectory() });
  await gateway.query(document(count));
  const before = heapMegabytes();
  for (let index = 0; index < count; index += 1) await gateway.query(document(index));
  const growth = heapMegabytes() - before;
  const { data } = await gateway.query('{ __typename }');
  expect(data).toEqual({ __typename: 'Query' });
  await gateway.close();
  return growth;
}
