// Who waits for a look-up, and for several at once: who comes and goes is told once, and the last ends it.

import { describe, expect, test } from 'vitest';
import { Waiters, waitersOfAll } from '../../src/directory/waiters.ts';
import { askerAt } from '../upstream/askers.ts';

const waitersOf = (...clients: string[]): Waiters => {
  const waiters = new Waiters(askerAt(clients[0] ?? ''), () => true);
  for (const client of clients) waiters.enter(client);
  return waiters;
};

describe('a look-up', () => {
  test('tells of a client when it comes first and goes last, however often it asks', () => {
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
    ['goes on where one of its watchers says so', true],
    ['is given up where none does', false],
  ])('that nobody waits for any more %s', (_, goesOn) => {
    const waiters = waitersOf('a');
    waiters.watch({});
    waiters.watch({ continues: () => goesOn });
    waiters.leave('a');
    expect(waiters.isAborted).toBe(!goesOn);
  });
});

describe('several look-ups', () => {
  test('are waited for by all who wait for one of them, as they come and go', () => {
    const [one, other] = [waitersOf('a'), waitersOf('a', 'b')];
    const all = waitersOfAll([one, other]);
    expect([...all.clients()]).toEqual(['a', 'b']);
    one.enter('c');
    other.leave('a');
    other.leave('b');
    expect([...all.clients()]).toEqual(['a', 'c']);
  });

  test('go on, each of them, until the last client of all has gone', () => {
    const [one, other] = [waitersOf('a'), waitersOf('b')];
    const all = waitersOfAll([one, other]);
    one.leave('a');
    expect([one.isAborted, other.isAborted, all.isAborted]).toEqual([false, false, false]);
    other.leave('b');
    expect([one.isAborted, other.isAborted, all.isAborted]).toEqual([true, true, true]);
  });
});
