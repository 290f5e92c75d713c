// However long JSON grows, and in whatever order it is put together, it is the same bytes.

import { promiseHooks } from 'node:v8';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createSecondChanceMap } from '../../src/cache/memory-tier.ts';
import {
  append,
  isWritten,
  Pieces,
  WrittenErrors,
  type WrittenJson,
  wholeResponse,
} from '../../src/graphql/pieces.ts';
import { createRememberedItems } from '../../src/graphql/remembered-items.ts';
import { OperationUsage } from '../../src/graphql/write.ts';
import { WrittenParts } from '../../src/graphql/written-parts.ts';
import { Slices } from '../../src/slices.ts';
import { createTurns } from '../../src/turns.ts';

const LONG = 40_000;

function textOf(written: WrittenJson): string {
  return typeof written === 'string' ? written : Buffer.concat(written.buffers()).toString();
}

const anyText = fc
  .tuple(fc.constantFrom('', 'a', '€', '😀', 'é"'), fc.constantFrom(1, 3, 9_000, LONG))
  .map(([text, times]) => text.repeat(times));
/** Texts, and lists of them that are put together first. */
const nested = fc.array(fc.oneof(anyText, fc.array(fc.oneof(anyText, fc.array(anyText)))), { maxLength: 6 });
type Nested = string | readonly Nested[];

function written(nest: Nested): WrittenJson {
  if (typeof nest === 'string') return nest;
  return nest.reduce<WrittenJson>((before, one) => append(before, written(one)), '');
}

const usage = { addHeapBytes: () => undefined };

function errorsOf(...errors: string[]): WrittenErrors {
  const written = new WrittenErrors();
  for (const error of errors) written.add(error);
  return written;
}

const flat = (nest: Nested): string => (typeof nest === 'string' ? nest : nest.map(flat).join(''));

test('what is put together is what was put in', () => {
  fc.assert(
    fc.property(nested, (nest) => textOf(written(nest)) === flat(nest)),
    { numRuns: 40 },
  );
});

test('so it is where some of it is waited for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(nested, fc.boolean())), async (nests) => {
      const parts = new WrittenParts('', usage);
      for (const [nest, isLate] of nests) parts.add(isLate ? Promise.resolve(written(nest)) : written(nest));
      expect(textOf(await parts.join())).toBe(flat(nests.map(([nest]) => nest)));
    }),
    { numRuns: 20 },
  );
});

test('what waits takes one promise a part and one for the whole', () => {
  const pending = Array.from({ length: 100 }, () => new Promise<WrittenJson>(() => undefined));
  let made = 0;
  const stop = promiseHooks.onInit(() => {
    made += 1;
  }) as () => void;
  const parts = new WrittenParts('[', usage);
  for (const part of pending) parts.add(part);
  void parts.join();
  stop();
  expect(made).toBe(101);
});

test('a part that fails before anybody waits fails the whole', async () => {
  const parts = new WrittenParts('[', usage);
  parts.add(Promise.reject(new Error('failed')));
  await new Promise(setImmediate);
  await expect(parts.join()).rejects.toThrow('failed');
});

test('a short one stays one text, a long one of many parts is in pieces of some size', () => {
  expect(append('[', ']')).toBe('[]');
  let list: WrittenJson = '[';
  for (let at = 0; at < 10_000; at += 1) list = append(list, '0123456789');
  expect(list).toBeInstanceOf(Pieces);
  expect((list as Pieces).buffers().map(({ length }) => length)).toEqual([32_001, 32_000, 32_000, 4_000]);
});

test('a promise is nothing written', () => {
  expect([Promise.resolve(''), null, undefined].some(isWritten)).toBe(false);
});

test('a whole answer is JSON with its errors first, also where these are long', () => {
  const error = JSON.stringify({ message: '€'.repeat(LONG) });
  expect(wholeResponse('null', errorsOf('1', '2'))).toBe('{"errors":[1,2],"data":null}');
  expect(wholeResponse('1', errorsOf())).toBe('{"data":1}');
  const long = wholeResponse('null', errorsOf(error, error));
  expect(Buffer.concat(long as Uint8Array[]).toString()).toBe(`{"errors":[${error},${error}],"data":null}`);
});

test('the clock is looked at after some bytes, however few the steps were', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  try {
    const slices = new Slices(createTurns());
    expect(slices.isOver(64_000)).toBe(false);
    now.mockReturnValue(2_000);
    expect(slices.isOver(127_999)).toBe(false);
    expect(slices.isOver(128_000)).toBe(true);
  } finally {
    now.mockRestore();
  }
});

test('what begins in one turn of the event loop shares one slice', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  try {
    const turns = createTurns();
    const [first, second, later] = [new Slices(turns), new Slices(turns), new Slices(turns)];
    expect(first.isOverNow()).toBe(false);
    now.mockReturnValue(1_010);
    expect(first.isOverNow()).toBe(true);
    expect(second.isOverNow()).toBe(true);
    await new Promise(setImmediate);
    expect(later.isOverNow()).toBe(false);
  } finally {
    now.mockRestore();
  }
});

test.each([
  ['a short item', 10_000, true],
  ['a long item', 60_000, false],
])('%s: kept %s', (_what, length, isKept) => {
  const items = createRememberedItems(createSecondChanceMap(1_000_000));
  const execution = {
    sources: { track: () => () => ({}), stillHolds: () => true },
    usage: new OperationUsage(1e9, 1e9),
    errors: new WrittenErrors(),
    variableReads: 0,
  };
  const json = 'x'.repeat(length);
  expect(items.remember('key', execution, () => json)).toBe(json);
  expect(items.recall('key', execution)).toBe(isKept ? json : undefined);
});
