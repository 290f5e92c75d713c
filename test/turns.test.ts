// The order of work in the turns of the event loop. New connections come before any work.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Slices } from '../src/slices.ts';
import { createTurns } from '../src/turns.ts';

/** Turns with a clock that only work advances. `log` has the name of each work and the turn in which it began. */
function setUp() {
  let nowMs = 0;
  let turn = 0;
  const turns = createTurns(() => nowMs);
  const log: string[] = [];
  const work = (name: string, ms: number) => (): void => {
    nowMs += ms;
    log.push(`${name}${turn}`);
  };
  return {
    turns,
    log,
    small: (name: string, ms: number, client: unknown = name) => void turns.run(work(name, ms), () => client),
    shared: (name: string, ms: number) => turns.runLater(work(name, ms)),
    large: (name: string, ms: number, client: unknown = name) => turns.next(client).then(work(name, ms)),
    async nextTurn() {
      turn += 1;
      await nextTurn();
    },
  };
}

test('small work begins at once until the turn is full, then in later turns', async () => {
  const { log, small, nextTurn } = setUp();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) small(name, 6);
  expect(log).toEqual(['a0', 'b0']);
  await nextTurn();
  expect(log.slice(2)).toEqual(['c1']);
  await nextTurn();
  expect(log.slice(3)).toEqual(['d2', 'e2']);
});

test('a thousand pieces of very short work begin at once', () => {
  const { log, small } = setUp();
  for (let at = 0; at < 1_000; at += 1) small('a', 0.001);
  expect(log).toHaveLength(1_000);
});

test('work of earlier turns does not fill a turn', async () => {
  const { log, small, nextTurn } = setUp();
  for (let at = 1; at <= 40; at += 1) {
    small('a', 6);
    expect(log).toHaveLength(at);
    await nextTurn();
  }
});

test('an error of small work reaches its caller, at once or in a later turn', async () => {
  const { turns, small } = setUp();
  const fail = (): never => {
    throw new Error('broken');
  };
  expect(() => turns.run(fail, () => 'a')).toThrow('broken');
  small('long', 20);
  await expect(turns.run(fail, () => 'a')).rejects.toThrow('broken');
});

test('shared work begins in later turns, in the order of the calls', async () => {
  const { log, shared, nextTurn } = setUp();
  for (let at = 0; at < 20; at += 1) shared('abcdefghijklmnopqrst'[at] as string, 1);
  expect(log).toEqual([]);
  for (let at = 0; at < 2; at += 1) await nextTurn();
  expect(log.map((entry) => entry[0]).join('')).toBe('abcdefghijklmnopqrst');
  expect(log.filter((entry) => entry.endsWith('1'))).toHaveLength(10);
});

test('the promise callbacks of work run before the next work', async () => {
  const { turns } = setUp();
  const events: string[] = [];
  for (const name of ['a', 'b']) {
    turns.runLater(() => {
      events.push(name);
      void Promise.resolve().then(() => events.push(`after ${name}`));
    });
  }
  while (events.length < 4) await nextTurn();
  expect(events).toEqual(['a', 'after a', 'b', 'after b']);
});

test('a client with much large work does not delay a client with little large work', async () => {
  const { log, large, nextTurn } = setUp();
  const all = [1, 2, 3, 4, 5, 6].map(() => large('greedy', 12));
  all.push(large('modest', 12));
  for (let at = 0; at < 8; at += 1) await nextTurn();
  await Promise.all(all);
  expect(log.map((entry) => entry.replace(/\d+$/, ''))[1]).toBe('modest');
});

test('each kind of work makes progress beside the other kinds', async () => {
  const { log, small, shared, large, nextTurn } = setUp();
  const all = [...Array(10).keys()].map(() => large('L', 10));
  for (let at = 0; at < 30; at += 1) {
    small('s', 5);
    small('s', 5);
    shared('h', 5);
    await nextTurn();
  }
  await Promise.all(all);
  const count = (kind: string) => log.filter((entry) => entry.startsWith(kind)).length;
  expect(count('L')).toBe(10);
  expect(count('s')).toBeGreaterThan(25);
  expect(count('h')).toBeGreaterThan(10);
});

test('while connections arrive, only a little small work begins in each turn', async () => {
  const { turns, log, small, shared, large, nextTurn } = setUp();
  void large('L', 1);
  shared('h', 1);
  small('full', 20);
  for (const name of ['a', 'b', 'c', 'd']) small(name, 1.5);
  for (let at = 0; at < 2; at += 1) {
    turns.onConnection();
    await nextTurn();
  }
  expect(log).toEqual(['full0', 'a1', 'b2', 'c2']);
  for (let at = 0; at < 3; at += 1) await nextTurn();
  expect(new Set(log.map((entry) => entry[0]))).toEqual(new Set('Labcdfh'));
});

test('connections that arrive in every turn do not stop other work', async () => {
  const { turns, log, small, shared, nextTurn } = setUp();
  for (let at = 0; at < 3; at += 1) shared('h', 1);
  for (let at = 0; at < 200 && log.filter((entry) => entry.startsWith('h')).length < 3; at += 1) {
    turns.onConnection();
    small('s', 1.5);
    await nextTurn();
  }
  expect(log.filter((entry) => entry.startsWith('h'))).toHaveLength(3);
});

test('a slice ends with its turn, and the next slice waits for the turn of its client', async () => {
  const { turns, small, nextTurn } = setUp();
  const slices = new Slices(turns, { client: { key: 'a' } });
  expect(slices.isOverNow()).toBe(false);
  small('other', 11);
  expect(slices.isOverNow()).toBe(true);
  await Promise.all([slices.next(), nextTurn()]);
  expect(slices.isOverNow()).toBe(false);
});

test('a slice of a long input ends with its turn, but a slice of a short input may be longer', () => {
  const ends = [100, 16_000].map((inputBytes) => {
    const { turns, small } = setUp();
    const slices = new Slices(turns, null, inputBytes);
    slices.isOver(0);
    small('step', 11);
    return slices.isOver(0);
  });
  expect(ends).toEqual([false, true]);
});

test('work with an additional cost fills its turn earlier', async () => {
  const { turns, log, nextTurn } = setUp();
  const all = [1, 2, 3, 4, 5].map(async () => {
    await turns.next('a', 4);
    log.push('read');
  });
  const counts: number[] = [];
  for (let at = 0; at < 2; at += 1) {
    await nextTurn();
    counts.push(log.length);
  }
  await Promise.all(all);
  expect(counts).toEqual([3, 5]);
});
