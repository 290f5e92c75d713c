// Clients take turns, and nobody holds what belongs to others.

import { describe, expect, test } from 'vitest';
import { settled } from '../support/virtual-clock.ts';
import {
  askMany,
  createQueueUnderTest,
  createRate,
  outcomesOf,
  type QueueUnderTest,
} from './queue-under-test.ts';

/** The clients whose requests run, in alphabetical order. */
const clientsOf = (queue: QueueUnderTest) =>
  queue
    .runningNames()
    .map((name) => name.charAt(0))
    .toSorted((a, b) => a.localeCompare(b))
    .join('');

describe('turns', () => {
  test('one client alone has all slots, its names in the order of asking', async () => {
    const queue = createQueueUnderTest();
    askMany(queue, 'a', 6);
    expect(queue.runningNames()).toEqual(['a-0', 'a-1', 'a-2', 'a-3']);
    expect(queue.counts).toMatchObject({ waiting: 2, running: 4 });
    await queue.running()[1]?.answer();
    expect(queue.runningNames()).toEqual(['a-0', 'a-2', 'a-3', 'a-4']);
  });

  test('a client that asks for little is served before one that asks for much', async () => {
    const queue = createQueueUnderTest();
    askMany(queue, 'a', 1_000);
    askMany(queue, 'b', 1);
    await queue.running()[0]?.answer();
    expect(queue.runningNames()).toContain('b-0');
  });

  test('clients that ask for much have the same number of slots', async () => {
    const queue = createQueueUnderTest({ slots: 6 });
    for (const client of ['a', 'b', 'c']) askMany(queue, client, 100);
    for (let round = 0; round < 30; round += 1) await queue.running()[0]?.answer();
    expect(clientsOf(queue)).toBe('aabbcc');
  });

  test('the last of many slots is for a client that has none, while others are about', async () => {
    const queue = createQueueUnderTest({ slots: 8 });
    const [once] = askMany(queue, 'b', 1);
    await queue.running()[0]?.answer();
    expect(once?.outcome).toBe('b-0');
    askMany(queue, 'a', 10);
    expect(queue.running()).toHaveLength(7);
    queue.ask('b', 'again');
    expect(queue.runningNames()).toContain('again');
    await queue.running().at(-1)?.answer();
    await queue.advance(5_000);
    await queue.running()[0]?.answer();
    expect(queue.running()).toHaveLength(8);
  });

  test('where several clients have as much as they can get, one who comes anew finds a slot at once', async () => {
    const queue = createQueueUnderTest({ slots: 8 });
    for (const client of ['a', 'b']) askMany(queue, client, 10);
    for (let round = 0; round < 8; round += 1) await queue.running()[0]?.answer();
    askMany(queue, 'c', 1);
    expect(queue.runningNames()).toContain('c-0');
  });

  test('clients below their shares take turns, however many of their names were first', async () => {
    const queue = createQueueUnderTest({ slots: 8 });
    askMany(queue, 'c', 8);
    for (const client of ['a', 'b']) askMany(queue, client, 10);
    for (let round = 0; round < 5; round += 1) await queue.running()[0]?.answer();
    // One of the eight is kept for a client that has none.
    expect(clientsOf(queue)).toBe('aabbccc');
  });

  test('what several clients wait for has its turn with the first of them, and is sent once', async () => {
    const queue = createQueueUnderTest();
    askMany(queue, 'a', 104);
    const shared = queue.ask('a', 'shared');
    shared.join('b');
    await queue.running()[0]?.answer();
    expect(queue.runningNames()).toContain('shared');
    for (let round = 0; round < 105; round += 1) await queue.running()[0]?.answer();
    expect(queue.sent.filter(({ name }) => name === 'shared')).toHaveLength(1);
    expect(shared.outcome).toBe('shared');
  });
});

describe("a slot above its client's share", () => {
  test('is taken back after 500 ms for a client below its own, and its name waits for another turn', async () => {
    const queue = createQueueUnderTest();
    const held = askMany(queue, 'a', 5);
    const [other] = askMany(queue, 'b', 1);
    await queue.advance(499);
    expect(queue.runningNames()).toEqual(['a-0', 'a-1', 'a-2', 'a-3']);
    await queue.advance(1);
    expect(queue.runningNames()).toEqual(['a-1', 'a-2', 'a-3', 'b-0']);
    expect(queue.counts.takenBack).toBe(1);
    for (const name of ['b-0', 'a-1', 'a-2', 'a-3', 'a-4', 'a-0']) {
      await queue
        .running()
        .find((sent) => sent.name === name)
        ?.answer();
    }
    expect(outcomesOf([...held, other ?? expect.unreachable()])).toEqual([
      'a-0',
      'a-1',
      'a-2',
      'a-3',
      'a-4',
      'b-0',
    ]);
  });

  test('is left alone while nobody is below its share', async () => {
    const queue = createQueueUnderTest();
    askMany(queue, 'a', 10);
    await queue.advance(10_000);
    expect(queue.sent).toHaveLength(4);
    askMany(queue, 'b', 10);
    await queue.advance(5_000);
    expect(clientsOf(queue)).toBe('aabb');
    const { takenBack } = queue.counts;
    await queue.advance(4_000);
    expect(queue.counts.takenBack).toBe(takenBack);
  });

  test('is taken back after twice the time that answers take, where that is longer', async () => {
    const queue = createQueueUnderTest();
    askMany(queue, 'a', 20);
    await queue.advance(600);
    for (const sent of queue.running()) await sent.answer();
    askMany(queue, 'b', 1);
    await queue.advance(900);
    expect(queue.runningNames()).not.toContain('b-0');
    await queue.advance(300);
    expect(queue.runningNames()).toContain('b-0');
  });

  test('is not taken back over and over where the directory is slow for everybody', async () => {
    const queue = createQueueUnderTest({ slots: 2, deadlineMs: 60_000 });
    const asked = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((client) => askMany(queue, client, 1));
    for (let ms = 0; ms < 30_000; ms += 50) {
      await queue.advance(50);
      const due = queue.running().filter(({ at }) => queue.time.now() - at >= 900);
      for (const sent of due) await sent.answer();
    }
    expect(outcomesOf(asked)).toEqual(['a-0', 'b-0', 'c-0', 'd-0', 'e-0', 'f-0']);
  });
});

test('under a rate, whoever asks for little is served next, and is chosen when it may be sent', async () => {
  const grants: (() => void)[] = [];
  const take = () => new Promise<void>((resolve) => grants.push(resolve));
  const queue = createQueueUnderTest({ rate: createRate(100, take) });
  askMany(queue, 'a', 3);
  grants.shift()?.();
  await settled();
  queue.ask('b', 'b-0');
  grants.shift()?.();
  await settled();
  expect(queue.runningNames()).toEqual(['a-0', 'b-0']);
});
