// What is remembered of documents is bounded, those that are refused and what is told of them included.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { createOperations, DocumentRefused } from '../../src/graphql/operation.ts';

const MAX_BYTES = 16_000_000;

interface Measured {
  readonly kind: string;
  /** of the heap */
  readonly taken: number;
  /** what it is reckoned to take */
  readonly said: number;
  readonly most: number;
}

describe('in a process of its own', () => {
  let measured: readonly Measured[] = [];

  beforeAll(async () => {
    const child = fileURLToPath(new URL('remembered-documents.ts', import.meta.url));
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['--expose-gc', '--import', 'tsx', child], {
      maxBuffer: 1e7,
    });
    measured = JSON.parse(stdout) as readonly Measured[];
  }, 300_000);

  test('documents of every kind take no more memory than is counted for them', () => {
    expect(measured.length).toBeGreaterThan(20);
    const tooMuch = measured.filter(({ taken, said }) => taken > said);
    expect(tooMuch).toEqual([]);
  });

  test('and never more than there may be', () => {
    for (const { kind, most } of measured) expect(most, kind).toBeLessThanOrEqual(MAX_BYTES);
    // Some of them came to that limit.
    expect(Math.max(...measured.map(({ most }) => most))).toBeGreaterThan(MAX_BYTES * 0.9);
  });
});

test('what is refused again is the very same refusal', () => {
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

test('a document that is very long is not remembered', () => {
  const operations = createOperations(10_000, MAX_BYTES);
  operations.prepare(`{ __typename } # ${'x'.repeat(100_000)}`);
  expect(operations.rememberedBytes).toBe(0);
});

test('what is dropped, or never kept, is reported, so that no hash names it', () => {
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
