// Items that are found one by one share the thread with other work.

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

function* numbers(most: number, taken: number[]): Generator<number, void> {
  for (let number = 0; number < most; number += 1) {
    taken.push(number);
    yield number;
  }
}

/** Numbers, each after a search that found nothing for so many steps. */
function* rareNumbers(most: number, steps: number): Generator<number, void> {
  for (const number of numbers(most, [])) {
    for (let step = 0; step < steps; step += 1) yield NO_ITEM_YET;
    yield number;
  }
}

/** Slices of so many steps. */
function finding(steps: number, { endsAfter = Number.POSITIVE_INFINITY, money = 1_000 } = {}) {
  let left = steps;
  let turns = 0;
  return {
    usage: { writtenBytes: 0, addHeapBytes: () => undefined },
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
        if (turns > endsAfter) throw new Error('its time is over');
      },
    },
    pay: () => {
      money -= 1;
      if (money < 0) throw new Error('too much');
    },
    turns: () => turns,
  };
}

const found = (items: Iterable<number>, work: ReturnType<typeof finding>) =>
  allItems(chargedItems(items, work.pay), 0, work);

describe('items found one by one', () => {
  test('gives a list at once where a slice was enough', () => {
    expect(found(numbers(3, []), finding(10))).toEqual([0, 1, 2]);
  });

  test('lets others have their turn between two slices', async () => {
    const taken: number[] = [];
    const work = finding(2);
    const items = found(numbers(5, taken), work);
    expect(taken).toEqual([0, 1]);
    expect(await items).toEqual([0, 1, 2, 3, 4]);
    expect(work.turns()).toBe(2);
  });

  test('goes on in slices that are over at once', async () => {
    expect(await found(numbers(3, []), finding(0))).toEqual([0, 1, 2]);
  });

  test('finds no more when the time of the operation is over', async () => {
    const taken: number[] = [];
    await expect(found(numbers(100, taken), finding(2, { endsAfter: 1 }))).rejects.toThrow(
      'its time is over',
    );
    expect(taken).toEqual([0, 1, 2, 3]);
  });

  test('finds no more than can be paid, and ends in the error', async () => {
    const taken: number[] = [];
    expect(await found(numbers(100, taken), finding(2, { money: 3 }))).toEqual([
      0,
      1,
      2,
      new Error('too much'),
    ]);
    expect(taken).toEqual([0, 1, 2, 3]);
  });

  test('pays nothing for a search that finds nothing, and ends slices in it', async () => {
    const work = finding(4, { money: 2 });
    expect(await found(rareNumbers(2, 10), work)).toEqual([0, 1]);
    expect(work.turns()).toBe(5);
  });

  test('ends a search that finds nothing when the time of the operation is over', async () => {
    const work = finding(4, { endsAfter: 2 });
    await expect(found(rareNumbers(1, 1_000), work)).rejects.toThrow('its time is over');
    expect(work.turns()).toBe(3);
  });

  test('is for generators, and not for lists', () => {
    expect(isGenerator(numbers(1, []))).toBe(true);
    for (const value of [[], new Set(), 'text', null, { next: () => null }])
      expect(isGenerator(value)).toBe(false);
  });
});

describe('items that are written when they are found', () => {
  const gate = { hold: () => undefined, release: () => undefined, schedule: () => undefined };

  function finder(steps: number, endsAfter?: number) {
    const work = finding(steps, endsAfter === undefined ? {} : { endsAfter });
    return { ...work, gate, usage: new OperationUsage(1_000_000, 1_000_000) };
  }

  function writer(written: unknown[], hasKnownLength: boolean): FoundWriter {
    return {
      write(item) {
        written.push(item);
        return String(item);
      },
      fail: (_reason, index) => `"ended ${index}"`,
      hasKnownLength,
    };
  }

  test('are there at once where a slice was enough', () => {
    expect(writeFound(numbers(3, []), writer([], false), finder(10))).toBe('[0,1,2]');
    expect(writeFound(numbers(0, []), writer([], false), finder(10))).toBe('[]');
  });

  test('are never all held: each is written before the next is found', async () => {
    const log: unknown[] = [];
    const list = await writeFound(numbers(5, log as number[]), writer(log, false), finder(2));
    expect(list).toBe('[0,1,2,3,4]');
    expect(log).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
  });

  test('have each their place when the time is over, where an argument counts them', async () => {
    const written: unknown[] = [];
    const list = await writeFound(numbers(5, []), writer(written, true), finder(2, 0));
    expect(list).toBe('[0,1,"ended 2","ended 3","ended 4"]');
    expect(written).toEqual([0, 1]);
  });

  test('end with one that says so when the time is over, where nothing counts them', async () => {
    const found: number[] = [];
    const list = await writeFound(numbers(1_000, found), writer([], false), finder(2, 0));
    expect(list).toBe('[0,1,"ended 2"]');
    expect(found).toEqual([0, 1, 2]);
  });

  test('share the thread while a search finds nothing', async () => {
    const work = finder(4);
    expect(await writeFound(rareNumbers(2, 10), writer([], false), work)).toBe('[0,1]');
    expect(work.turns()).toBe(5);
    expect(await writeFound(rareNumbers(0, 10), writer([], false), finder(4))).toBe('[]');
  });

  test('end in one that says so when the time is over in a search that finds nothing', async () => {
    const list = await writeFound(rareNumbers(1, 1_000), writer([], false), finder(4, 2));
    expect(list).toBe('["ended 0"]');
  });

  test('may wait for what they need', async () => {
    const late: FoundWriter = { ...writer([], false), write: async (item) => `"${String(item)}"` };
    const list = writeFound(numbers(3, []), late, finder(10));
    expect(isWritten(list)).toBe(false);
    expect(await list).toBe('["0","1","2"]');
  });
});
