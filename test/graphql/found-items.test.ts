// The executor takes the items of a generator in slices, so that other work runs between them.

import { describe, expect, test } from 'vitest';
import {
  allItems,
  chargedItems,
  type FoundWriter,
  isGenerator,
  writeFound,
} from '../../src/graphql/found-items.ts';
import { isWritten } from '../../src/graphql/pieces.ts';
import { OperationUsage } from '../../src/graphql/write.ts';
import { NO_ITEM_YET } from '../../src/slices.ts';

function* numbers(count: number, found: unknown[] = []): Generator<number, void> {
  for (let number = 0; number < count; number += 1) {
    found.push(number);
    yield number;
  }
}

/** Numbers. The search finds each number only after so many steps. */
function* rareNumbers(count: number, steps: number): Generator<number, void> {
  for (const number of numbers(count)) {
    for (let step = 0; step < steps; step += 1) yield NO_ITEM_YET;
    yield number;
  }
  if (count === 0) for (let step = 0; step < steps; step += 1) yield NO_ITEM_YET;
}

/** An execution whose slices have so many steps, with a deadline after so many turns and a limit of the cost. */
function createExecution(steps: number, { lastTurn = Number.POSITIVE_INFINITY, maxCost = 1_000 } = {}) {
  let left = steps;
  let turns = 0;
  let cost = 0;
  return {
    usage: new OperationUsage(1_000_000, 1_000_000),
    gate: { hold: () => undefined, release: () => undefined, schedule: () => undefined },
    slices: {
      isOver: () => {
        left -= 1;
        return left <= 0;
      },
      isOverNow: () => left <= 0,
      next: () => {
        turns += 1;
        left = steps;
        return Promise.resolve();
      },
    },
    time: {
      throwIfEnded: () => {
        if (turns > lastTurn) throw new Error('after the deadline');
      },
    },
    charge: () => {
      cost += 1;
      if (cost > maxCost) throw new Error('too much');
    },
    turns: () => turns,
  };
}

describe('all items', () => {
  const allOf = (items: Iterable<number>, execution: ReturnType<typeof createExecution>) =>
    allItems(chargedItems(items, execution.charge), 0, execution);

  test('are a list without a wait if they fit into one slice', () => {
    expect(allOf(numbers(3), createExecution(10))).toEqual([0, 1, 2]);
  });

  test.each([
    ['a turn between slices', numbers(5), 2, [0, 1, 2, 3, 4], 2],
    ['a turn after each step if each slice is over at once', numbers(3), 0, [0, 1, 2], 3],
    ['turns while a search finds nothing', rareNumbers(2, 10), 4, [0, 1], 5],
  ])('leave other work %s', async (_, items, steps, expected, turns) => {
    const execution = createExecution(steps, { maxCost: expected.length });
    const list = allOf(items, execution);
    expect(list).toBeInstanceOf(Promise);
    expect(await list).toEqual(expected);
    expect(execution.turns()).toBe(turns);
  });

  test.each([
    ['finds items', (found: unknown[]) => numbers(100, found), [0, 1, 2, 3]],
    ['finds nothing', () => rareNumbers(1, 1_000), []],
  ])('reject after the deadline while the search %s', async (_, itemsOf, expected) => {
    const found: unknown[] = [];
    const execution = createExecution(2, { lastTurn: 1 });
    await expect(allOf(itemsOf(found), execution)).rejects.toThrow('after the deadline');
    expect(found).toEqual(expected);
    expect(execution.turns()).toBe(2);
  });

  test('end with an error at the limit of the cost, and the search ends', async () => {
    const found: unknown[] = [];
    const list = await allOf(numbers(100, found) as Iterable<number>, createExecution(2, { maxCost: 3 }));
    expect(list).toEqual([0, 1, 2, new Error('too much')]);
    expect(found).toEqual([0, 1, 2, 3]);
  });
});

test('only a generator is taken in slices', () => {
  expect(isGenerator(numbers(1))).toBe(true);
  for (const value of [[], new Set(), 'text', null, { next: () => null }])
    expect(isGenerator(value)).toBe(false);
});

describe('items that are written when they are found', () => {
  function createWriter(written: unknown[] = [], hasKnownLength = false): FoundWriter {
    return {
      write(item) {
        written.push(item);
        return String(item);
      },
      fail: (_reason, index) => `"ended ${index}"`,
      hasKnownLength,
    };
  }

  test('are a list without a wait if they fit into one slice', () => {
    expect(writeFound(numbers(3), createWriter(), createExecution(10))).toBe('[0,1,2]');
    expect(writeFound(numbers(0), createWriter(), createExecution(10))).toBe('[]');
  });

  test('are written one by one, each before the next is found', async () => {
    const log: unknown[] = [];
    const list = await writeFound(numbers(5, log), createWriter(log), createExecution(2));
    expect(list).toBe('[0,1,2,3,4]');
    expect(log).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
  });

  test.each([
    [
      'each remaining item of a list with a known length',
      numbers(5),
      2,
      0,
      true,
      '[0,1,"ended 2","ended 3","ended 4"]',
    ],
    ['one last item of a list with an unknown length', numbers(1_000), 2, 0, false, '[0,1,"ended 2"]'],
    ['one item of a search that finds nothing', rareNumbers(1, 1_000), 4, 2, false, '["ended 0"]'],
  ])('fail after the deadline: %s', async (_, items, steps, lastTurn, hasKnownLength, json) => {
    const execution = createExecution(steps, { lastTurn });
    expect(await writeFound(items, createWriter([], hasKnownLength), execution)).toBe(json);
  });

  test('leave other work turns while a search finds nothing', async () => {
    const execution = createExecution(4);
    expect(await writeFound(rareNumbers(2, 10), createWriter(), execution)).toBe('[0,1]');
    expect(execution.turns()).toBe(5);
    expect(await writeFound(rareNumbers(0, 10), createWriter(), createExecution(4))).toBe('[]');
  });

  test('can wait for their fields', async () => {
    const writer: FoundWriter = { ...createWriter(), write: async (item) => `"${String(item)}"` };
    const list = writeFound(numbers(3), writer, createExecution(10));
    expect(isWritten(list)).toBe(false);
    expect(await list).toBe('["0","1","2"]');
  });
});
