// The clients that wait for one look-up or for several: each joins and leaves once, and the last one ends the look-up.

import { describe, expect, test } from 'vitest';
import { Waiters, waitersOfAll } from '../../src/directory/waiters.ts';
import { clientAt, requesterAt } from '../upstream/clients.ts';

const waitersOf = (...clients: string[]): Waiters => {
  const waiters = new Waiters(requesterAt(clients[0] ?? ''), () => true);
  for (const client of clients) waiters.enter(clientAt(client));
  return waiters;
};

describe('a look-up', () => {
  test('reports a client when it first joins and when it finally leaves', () => {
    const waiters = waitersOf('a');
    const told: string[] = [];
    waiters.watch({
      joined: ({ key }) => told.push(`${key} joined`),
      left: ({ key }) => told.push(`${key} left`),
    });
    for (const client of ['a', 'b', 'b']) waiters.enter(clientAt(client));
    for (const client of ['b', 'a', 'b', 'a']) waiters.leave(clientAt(client));
    expect(told).toEqual(['b joined', 'b left', 'a left']);
  });

  test.each([
    ['continues if a watcher returns true', true],
    ['is aborted if no watcher does', false],
  ])('without waiters %s', (_, goesOn) => {
    const waiters = waitersOf('a');
    waiters.watch({});
    waiters.watch({ mustContinue: () => goesOn });
    waiters.leave(clientAt('a'));
    expect(waiters.isAborted).toBe(!goesOn);
  });
});

describe('several look-ups', () => {
  test('have the waiters of each of them, as they join and leave', () => {
    const [one, other] = [waitersOf('a'), waitersOf('a', 'b')];
    const all = waitersOfAll([one, other]);
    expect(Array.from(all.clients(), ({ key }) => key)).toEqual(['a', 'b']);
    one.enter(clientAt('c'));
    other.leave(clientAt('a'));
    other.leave(clientAt('b'));
    expect(Array.from(all.clients(), ({ key }) => key)).toEqual(['a', 'c']);
  });

  test('continue until the last client of all has left', () => {
    const [one, other] = [waitersOf('a'), waitersOf('b')];
    const all = waitersOfAll([one, other]);
    one.leave(clientAt('a'));
    expect([one.isAborted, other.isAborted, all.isAborted]).toEqual([false, false, false]);
    other.leave(clientAt('b'));
    expect([one.isAborted, other.isAborted, all.isAborted]).toEqual([true, true, true]);
  });
});
