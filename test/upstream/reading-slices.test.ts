// Answers are read in the order in which they came, and few in one turn of the event loop.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createReadingSlices } from '../../src/upstream/reading-slices.ts';

test('none is read in the turn in which it came, and eight at the most in one turn', async () => {
  const runInLaterSlice = createReadingSlices();
  const read: number[] = [];
  for (let i = 0; i < 20; i += 1) runInLaterSlice(() => read.push(i));
  expect(read).toEqual([]);
  const counts: number[] = [];
  while (read.length < 20) {
    await nextTurn();
    counts.push(read.length);
  }
  expect(read).toEqual(Array.from({ length: 20 }, (_, i) => i));
  const steps = counts.map((count, turn) => count - (counts[turn - 1] ?? 0));
  expect(Math.max(...steps)).toBe(8);
});

test('what one sets off comes before the next is read', async () => {
  const runInLaterSlice = createReadingSlices();
  const events: string[] = [];
  for (const name of ['a', 'b']) {
    runInLaterSlice(() => {
      events.push(name);
      void Promise.resolve().then(() => events.push(`after ${name}`));
    });
  }
  while (events.length < 4) await nextTurn();
  expect(events).toEqual(['a', 'after a', 'b', 'after b']);
});

test('one that comes when all have been read is read as well', async () => {
  const runInLaterSlice = createReadingSlices();
  const read: string[] = [];
  runInLaterSlice(() => read.push('first'));
  while (read.length < 1) await nextTurn();
  for (let i = 0; i < 3; i += 1) await nextTurn();
  runInLaterSlice(() => {
    read.push('second');
    runInLaterSlice(() => read.push('third'));
  });
  while (read.length < 3) await nextTurn();
  expect(read).toEqual(['first', 'second', 'third']);
});
