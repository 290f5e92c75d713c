// Large answers of the directory are read and decoded one at a time.

import { expect, test } from 'vitest';
import { createLargeBodyLock } from '../../src/upstream/large-body-lock.ts';

test('one is inside at a time, the others follow in order', async () => {
  const large = createLargeBodyLock();
  const inside: number[] = [];
  const order: number[] = [];
  const work = async (number: number): Promise<void> => {
    await large.acquire();
    inside.push(number);
    order.push(number);
    expect(inside.length).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    inside.splice(inside.indexOf(number), 1);
    large.release();
  };
  await Promise.all([0, 1, 2, 3, 4, 5].map(work));
  expect(order).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a place that was left is there again', async () => {
  const large = createLargeBodyLock();
  for (let round = 0; round < 10; round += 1) {
    await large.acquire();
    large.release();
  }
  await large.acquire();
});
