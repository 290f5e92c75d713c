// The work on several items runs at the same time, and the results come in the order of the items.

import { expect, test } from 'vitest';
import { inOrder } from '../../../src/tools/bulk/in-order.ts';

const NEVER = new AbortController().signal;

/** Work that runs until the test ends it. */
function heldWork() {
  const begun: number[] = [];
  const ends = new Map<number, (result: number) => void>();
  const work = (item: number) =>
    new Promise<number>((resolve) => {
      begun.push(item);
      ends.set(item, resolve);
    });
  return { begun, work, end: (item: number) => ends.get(item)?.(item * 10) };
}

async function* upTo(count: number): AsyncGenerator<number> {
  for (let item = 0; item < count; item += 1) yield item;
}

async function settled(): Promise<void> {
  await new Promise((done) => setImmediate(done));
}

test('results come in the order of the items, not in the order in which the work ends', async () => {
  const { work, end } = heldWork();
  const results = inOrder(upTo(3), 3, work, NEVER);
  const first = results.next();
  await settled();
  for (const item of [2, 1, 0]) end(item);
  expect([await first, await results.next(), await results.next(), await results.next()]).toEqual([
    { done: false, value: 0 },
    { done: false, value: 10 },
    { done: false, value: 20 },
    { done: true, value: undefined },
  ]);
});

test('at most `maxRunning` pieces of work run', async () => {
  const { begun, work, end } = heldWork();
  const results = inOrder(upTo(9), 2, work, NEVER);
  const first = results.next();
  await settled();
  expect(begun).toEqual([0, 1]);
  end(1);
  await settled();
  expect(begun).toEqual([0, 1]);
  end(0);
  await first;
  void results.next();
  await settled();
  expect(begun).toEqual([0, 1]);
});

test('after a stop, no more work begins, and running work ends', async () => {
  const stop = new AbortController();
  const { begun, work, end } = heldWork();
  const results = inOrder(upTo(9), 2, work, stop.signal);
  const first = results.next();
  await settled();
  stop.abort();
  end(1);
  end(0);
  expect([await first, await results.next(), await results.next()]).toEqual([
    { done: false, value: 0 },
    { done: false, value: 10 },
    { done: true, value: undefined },
  ]);
  expect(begun).toEqual([0, 1]);
});

test('a stop does not wait for an item that does not arrive', async () => {
  const stop = new AbortController();
  const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) };
  const results = inOrder(silent, 2, async (item) => item, stop.signal);
  const first = results.next();
  await settled();
  stop.abort();
  expect(await first).toEqual({ done: true, value: undefined });
});

test('a result does not wait for the next item', async () => {
  async function* slow(): AsyncGenerator<number> {
    yield 1;
    await new Promise(() => undefined);
  }
  const results = inOrder(slow(), 2, async (item) => item, NEVER);
  expect(await results.next()).toEqual({ done: false, value: 1 });
});

test('a failed item throws at the position of its result, and a failed source throws after all results', async () => {
  const failing = inOrder(
    upTo(3),
    3,
    (item) => (item === 1 ? Promise.reject(new Error('one')) : Promise.resolve(item)),
    NEVER,
  );
  expect(await failing.next()).toEqual({ done: false, value: 0 });
  await expect(failing.next()).rejects.toThrow('one');

  async function* broken(): AsyncGenerator<number> {
    yield 1;
    throw new Error('broken');
  }
  const results = inOrder(broken(), 2, async (item) => item, NEVER);
  expect(await results.next()).toEqual({ done: false, value: 1 });
  await expect(results.next()).rejects.toThrow('broken');
});

test('if the run stops, a failure of the source is ignored', async () => {
  const stop = new AbortController();
  const { work, end } = heldWork();
  async function* broken(): AsyncGenerator<number> {
    yield 1;
    throw new Error('broken');
  }
  const results = inOrder(broken(), 2, work, stop.signal);
  const first = results.next();
  await settled();
  stop.abort();
  end(1);
  expect(await first).toEqual({ done: false, value: 10 });
  expect(await results.next()).toEqual({ done: true, value: undefined });
});
