// The clients that wait for a look-up. When the last client leaves, the look-up is aborted.

import { describe, expect, test } from 'vitest';
import { Waiters, waitersOfAll } from '../../src/directory/waiters.ts';
import { clientAt, requesterAt } from '../upstream/clients.ts';

const waitersOf = (...clients: string[]): Waiters => {
  const waiters = new Waiters(requesterAt(clients[0] ?? ''), () => true);
  for (const client of clients) waiters.enter(clientAt(client));
  return waiters;
};

describe('a look-up', () => {
  test('reports when a client first joins and when the client finally leaves', () => {
    const waiters = waitersOf('a');
    const events: string[] = [];
    waiters.watch({
      joined: ({ key }) => events.push(`${key} joined`),
      left: ({ key }) => events.push(`${key} left`),
    });
    for (const client of ['a', 'b', 'b']) waiters.enter(clientAt(client));
    for (const client of ['b', 'a', 'b', 'a']) waiters.leave(clientAt(client));
    expect(events).toEqual(['b joined', 'b left', 'a left']);
  });

  test.each([true, false])(
    'without clients continues exactly if a watcher requires the look-up: %s',
    (mustContinue) => {
      const waiters = waitersOf('a');
      waiters.watch({});
      waiters.watch({ mustContinue: () => mustContinue });
      waiters.leave(clientAt('a'));
      expect(waiters.isAborted).toBe(!mustContinue);
    },
  );
});

describe('several look-ups', () => {
  test('have the clients of all look-ups', () => {
    const [one, other] = [waitersOf('a'), waitersOf('a', 'b')];
    const all = waitersOfAll([one, other]);
    expect(Array.from(all.clients(), ({ key }) => key)).toEqual(['a', 'b']);
    one.enter(clientAt('c'));
    other.leave(clientAt('a'));
    other.leave(clientAt('b'));
    expect(Array.from(all.clients(), ({ key }) => key)).toEqual(['a', 'c']);
  });

  test('continue until the last client of all look-ups leaves', () => {
    const [one, other] = [waitersOf('a'), waitersOf('b')];
    const all = waitersOfAll([one, other]);
    one.leave(clientAt('a'));
    expect([one.isAborted, other.isAborted, all.isAborted]).toEqual([false, false, false]);
    other.leave(clientAt('b'));
    expect([one.isAborted, other.isAborted, all.isAborted]).toEqual([true, true, true]);
  });
});
