// JSON in pieces: its bytes do not depend on its length, or on the order in which its parts are ready.

import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createSecondChanceMap } from '../../src/cache/memory-tier.ts';
import { append, Pieces, WrittenErrors, type WrittenJson, wholeResponse } from '../../src/graphql/pieces.ts';
import { createRememberedItems } from '../../src/graphql/remembered-items.ts';
import { OperationUsage } from '../../src/graphql/write.ts';
import { WrittenParts } from '../../src/graphql/written-parts.ts';
import { Slices } from '../../src/slices.ts';
import { createTurns } from '../../src/turns.ts';
import { textOf } from './execute-planned.ts';

const LONG = 40_000;

const texts = fc
  .tuple(fc.constantFrom('', 'a', '€', '😀', 'é"'), fc.constantFrom(1, 3, 9_000, LONG))
  .map(([text, times]) => text.repeat(times));
/** Texts, and lists of texts that are joined first. */
const nestedTexts = fc.array(fc.oneof(texts, fc.array(fc.oneof(texts, fc.array(texts)))), { maxLength: 6 });
type Nested = string | readonly Nested[];

function written(nested: Nested): WrittenJson {
  if (typeof nested === 'string') return nested;
  return nested.reduce<WrittenJson>((before, part) => append(before, written(part)), '');
}

const flat = (nested: Nested): string => (typeof nested === 'string' ? nested : nested.map(flat).join(''));

const usage = { addHeapBytes: () => undefined };

function errorsOf(...errors: string[]): WrittenErrors {
  const list = new WrittenErrors();
  for (const error of errors) list.add(error);
  return list;
}

test('joined parts have the text of their parts, also if some parts are promises', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(nestedTexts, fc.boolean())), async (list) => {
      const parts = new WrittenParts('', usage);
      for (const [nested, isLate] of list)
        parts.add(isLate ? Promise.resolve(written(nested)) : written(nested));
      expect(textOf(await parts.join())).toBe(flat(list.map(([nested]) => nested)));
    }),
    { numRuns: 40 },
  );
});

test('a part that fails before the join fails the whole', async () => {
  const parts = new WrittenParts('[', usage);
  parts.add(Promise.reject(new Error('failed')));
  await new Promise(setImmediate);
  await expect(parts.join()).rejects.toThrow('failed');
});

test('a long text of many parts has few pieces of equal size', () => {
  let list: WrittenJson = '[';
  for (let at = 0; at < 10_000; at += 1) list = append(list, '0123456789');
  expect(list).toBeInstanceOf(Pieces);
  expect((list as Pieces).buffers().map(({ length }) => length)).toEqual([32_001, 32_000, 32_000, 4_000]);
});

test('a response has its errors before its data, also long errors', () => {
  const error = JSON.stringify({ message: '€'.repeat(LONG) });
  expect(wholeResponse('null', errorsOf('1', '2'))).toBe('{"errors":[1,2],"data":null}');
  expect(wholeResponse('1', errorsOf())).toBe('{"data":1}');
  const long = wholeResponse('null', errorsOf(error, error));
  expect(Buffer.concat(long as Uint8Array[]).toString()).toBe(`{"errors":[${error},${error}],"data":null}`);
});

test('a slice checks the clock after 64 kB, whatever the number of steps', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const slices = new Slices(createTurns());
  expect(slices.isOver(64_000)).toBe(false);
  now.mockReturnValue(2_000);
  expect(slices.isOver(127_999)).toBe(false);
  expect(slices.isOver(128_000)).toBe(true);
});

test('all work of one turn of the event loop shares one slice', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const turns = createTurns();
  const [first, second, later] = [new Slices(turns), new Slices(turns), new Slices(turns)];
  expect(first.isOverNow()).toBe(false);
  now.mockReturnValue(1_010);
  expect([first.isOverNow(), second.isOverNow()]).toEqual([true, true]);
  await new Promise(setImmediate);
  expect(later.isOverNow()).toBe(false);
});

test.each([
  ['remembered', 10_000, true],
  ['not remembered', 60_000, false],
])('an item is %s with a length of %i', (_, length, isRemembered) => {
  const items = createRememberedItems(createSecondChanceMap(1_000_000));
  const execution = {
    sources: { track: () => () => ({}), stillHolds: () => true },
    usage: new OperationUsage(1e9, 1e9),
    errors: new WrittenErrors(),
    variableReads: 0,
  };
  const json = 'x'.repeat(length);
  expect(items.remember('key', execution, () => json)).toBe(json);
  expect(items.recall('key', execution)).toBe(isRemembered ? json : undefined);
});
