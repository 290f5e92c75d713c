// Who waits for the directory to be well again: in order, bounded, and nobody takes all places.

import { setMaxListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHeldLookUps } from '../../src/upstream/held-look-ups.ts';
import { settled } from '../support/virtual-clock.ts';

const never = new AbortController().signal;
// As of the signals that the gateway hands on: many may wait with one.
setMaxListeners(0, never);

describe('those who wait', () => {
  test('go on in the order in which they came', async () => {
    const room = createHeldLookUps(100);
    const order: number[] = [];
    for (const index of [0, 1, 2])
      void room.wait(`client ${index % 2}`, never)?.then(() => order.push(index));
    await settled();
    expect(order).toEqual([]);
    room.wake();
    await settled();
    expect(order).toEqual([0, 1, 2]);
  });

  test('wait for the next time, if they enter again when they are woken', async () => {
    const room = createHeldLookUps(100);
    let turns = 0;
    const again = (): void => {
      void room.wait('a', never)?.then(() => {
        turns += 1;
        again();
      });
    };
    again();
    for (const turn of [1, 2]) {
      room.wake();
      await settled();
      expect(turns).toBe(turn);
    }
  });

  test('leave with the reason of their signal, and leave their place', async () => {
    const room = createHeldLookUps(2);
    const controller = new AbortController();
    const reason = new Error('the client has gone');
    const waited = room.wait('a', controller.signal);
    expect(room.wait('a', never)).toBeNull();
    controller.abort(reason);
    await expect(waited).rejects.toBe(reason);
    expect(room.wait('a', never)).not.toBeNull();
    await expect(room.wait('b', AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

test('one client has half of the places at the most, and the next one half of the rest', () => {
  const room = createHeldLookUps(1_000);
  const enterAll = (client: string): number => {
    let entered = 0;
    while (room.wait(client, never) !== null) entered += 1;
    return entered;
  };
  expect(['a', 'b', 'c', 'a'].map(enterAll)).toEqual([500, 250, 125, 0]);
});

test('whoever comes and goes: no more than there are places, and all that are woken have their places back', async () => {
  const comings = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 80 });
  await fc.assert(
    fc.asyncProperty(comings, fc.integer({ min: 1, max: 30 }), async (clients, places) => {
      const room = createHeldLookUps(places);
      const waiting = clients.map((client) => room.wait(String(client), never)).filter((one) => one !== null);
      expect(waiting.length).toBeLessThanOrEqual(places);
      room.wake();
      await Promise.all(waiting);
      let alone = 0;
      while (room.wait('alone', never) !== null) alone += 1;
      expect(alone).toBe(Math.ceil(places / 2));
    }),
    { numRuns: 50 },
  );
});
