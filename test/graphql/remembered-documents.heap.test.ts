// The memory of remembered documents has a limit, also of refused documents and their errors.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { createOperations, DocumentRefused } from '../../src/graphql/operation.ts';

const MAX_BYTES = 16_000_000;

interface Measured {
  readonly kind: string;
  /** bytes of the heap */
  readonly heapBytes: number;
  /** bytes that the gateway counted */
  readonly countedBytes: number;
  readonly maxCountedBytes: number;
}

describe('measured in a new process', () => {
  let measured: readonly Measured[] = [];

  beforeAll(async () => {
    const child = fileURLToPath(new URL('measure-documents.ts', import.meta.url));
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['--expose-gc', '--import', 'tsx', child], {
      maxBuffer: 1e7,
    });
    measured = JSON.parse(stdout) as readonly Measured[];
  }, 300_000);

  test('documents of every kind need no more memory than the gateway counts', () => {
    expect(measured.length).toBeGreaterThan(20);
    expect(measured.filter(({ heapBytes, countedBytes }) => heapBytes > countedBytes)).toEqual([]);
  });

  test('documents of every kind stay below the limit', () => {
    for (const { kind, maxCountedBytes } of measured)
      expect(maxCountedBytes, kind).toBeLessThanOrEqual(MAX_BYTES);
    // Some kinds reach the limit.
    const all = measured.map(({ maxCountedBytes }) => maxCountedBytes);
    expect(Math.max(...all)).toBeGreaterThan(MAX_BYTES * 0.9);
  });
});

test('a refused document has the remembered refusal the second time', () => {
  const operations = createOperations(10_000, MAX_BYTES);
  const refusal = (): unknown => {
    try {
      return operations.prepare('{ nothing }');
    } catch (error) {
      return error;
    }
  };
  const first = refusal();
  expect(first).toBeInstanceOf(DocumentRefused);
  expect(refusal()).toBe(first);
  expect(operations.rememberedBytes).toBeGreaterThan(1_000);
});

test('a very long document is not remembered', () => {
  const operations = createOperations(10_000, MAX_BYTES);
  operations.prepare(`{ __typename } # ${'x'.repeat(100_000)}`);
  expect(operations.rememberedBytes).toBe(0);
});

test('each document that is dropped, or not remembered, is reported', () => {
  const dropped: string[] = [];
  const operations = createOperations(10_000, 60_000, { onDropped: (text) => void dropped.push(text) });
  const texts = Array.from({ length: 20 }, (_, index) => `{ a${index}: __typename }`);
  for (const text of texts) operations.prepare(text);
  const kept = texts.filter((text) => operations.keptDocument(text));
  expect(kept.length).toBeGreaterThan(2);
  expect([...dropped, ...kept]).toEqual(texts);
  const large = `{ ${Array.from({ length: 100 }, (_, index) => `a${index}: __typename`).join(' ')} }`;
  operations.prepare(large);
  expect(dropped.at(-1)).toBe(large);
});
