// The clients that wait for one look-up or for several: each joins and leaves once, and the last one ends the look-up.

import { describe, expect, test } from 'vitest';
import { Waiters, waitersOfAll } from '../../src/directory/waiters.ts';
import { askerAt } from '../upstream/askers.ts';

const waitersOf = (...clients: string[]): Waiters => {
  const waiters = new Waiters(askerAt(clients[0] ?? ''), () => true);
  for (const client of clients) waiters.enter(client);
  return waiters;
};

describe('a look-up', () => {
  test('reports a client when it first joins and when it finally leaves', () => {
    const waiters = waitersOf('a');
    const told: string[] = [];
    waiters.watch({
      joined: (client) => told.push(`${client} joined`),
      left: (client) => told.push(`${client} left`),
    });
    for (const client of ['a', 'b', 'b']) waiters.enter(client);
    for (const client of ['b', 'a', 'b', 'a']) waiters.leave(client);
    expect(told).toEqual(['b joined', 'b left', 'a left']);
  });

  test.each([
    ['continues if a watcher returns true', true],
    ['is aborted if no watcher does', false],
  ])('without waiters %s', (_, goesOn) => {
    const waiters = waitersOf('a');
    waiters.watch({});
    waiters.watch({ mustContinue: () => goesOn });
    waiters.leave('a');
    expect(waiters.isAborted).toBe(!goesOn);
  });
});

describe('several look-ups', () => {
  test('have the waiters of each of them, as they join and leave', () => {
    const [one, other] = [waitersOf('a'), waitersOf('a', 'b')];
    const all = waitersOfAll([one, other]);
    expect([...all.clients()]).toEqual(['a', 'b']);
    one.enter('c');
    other.leave('a');
    other.leave('b');
    expect([...all.clients()]).toEqual(['a', 'c']);
  });

  test('continue until the last client of all has left', () => {
    const [one, other] = [waitersOf('a'), waitersOf('b')];
    const all = waitersOfAll([one, other]);
    one.leave('a');
    expect([one.isAborted, other.isAborted, all.isAborted]).toEqual([false, false, false]);
    other.leave('b');
    expect([one.isAborted, other.isAborted, all.isAborted]).toEqual([true, true, true]);
  });
});
