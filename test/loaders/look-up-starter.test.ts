// The look-ups of one request begin in several turns of the event loop. At most as many begin as the directory can use.

import { expect, test } from 'vitest';
import { Abandoned, createLookUpStarter } from '../../src/loaders/look-up-starter.ts';

const MAX_PER_TURN = 64;

/** The test starts each turn of the event loop, and ends the look-ups. */
function setUp(maxRequests: number) {
  const controller = new AbortController();
  const begun: { readonly number: number; readonly end: () => void }[] = [];
  let giveTurn: (() => void) | undefined;
  const start = createLookUpStarter({
    signal: controller.signal,
    maxRequests,
    isOutage: () => false,
    nextTurn: () =>
      new Promise((resolve) => {
        giveTurn = resolve;
      }),
  });
  const outcomes: string[] = [];
  return {
    begun,
    outcomes,
    abort: (reason = new Error('gone')) => controller.abort(reason),
    waitsForTurn: () => giveTurn !== undefined,
    lookUp(count: number) {
      for (let number = 0; number < count; number += 1) {
        const lookUp = () => new Promise<void>((end) => begun.push({ number, end }));
        start(lookUp).then(
          () => outcomes.push(`${number} answered`),
          (error: Error) => outcomes.push(`${number} ${error.message}`),
        );
      }
    },
    async turn() {
      giveTurn?.();
      giveTurn = undefined;
      await promisesSettle();
    },
  };
}

const promisesSettle = () => new Promise((resolve) => setImmediate(resolve));

test('a few of a thousand look-ups begin in each turn, in the order of the calls', async () => {
  const { begun, lookUp, turn } = setUp(10_000);
  lookUp(1_000);
  for (let count = MAX_PER_TURN; count < 1_000; count += MAX_PER_TURN) {
    await promisesSettle();
    expect(begun.length).toBe(count);
    await turn();
  }
  expect(begun.map(({ number }) => number)).toEqual(Array.from({ length: 1_000 }, (_, number) => number));
});

test('twice as many look-ups run as the directory takes, and another look-up begins when a look-up ends', async () => {
  const { begun, lookUp, turn, outcomes } = setUp(100);
  lookUp(1_000);
  for (let turns = 0; turns < 20; turns += 1) await turn();
  expect(begun.length).toBe(200);
  for (const { end } of begun.slice(0, 3)) end();
  await turn();
  expect(begun.length).toBe(203);
  expect(outcomes).toEqual(['0 answered', '1 answered', '2 answered']);
});

test('other work gets turns between look-ups, even if the look-ups end at once', async () => {
  const { begun, lookUp, outcomes, turn } = setUp(1);
  lookUp(MAX_PER_TURN + 1);
  for (const { end } of begun.slice(0, MAX_PER_TURN)) end();
  await promisesSettle();
  expect([begun.length, outcomes.length]).toEqual([MAX_PER_TURN, MAX_PER_TURN]);
  await turn();
  expect(begun.length).toBe(MAX_PER_TURN + 1);
});

test('after an abort no look-up begins, and the waiting look-ups are rejected in several turns', async () => {
  const { begun, lookUp, abort, outcomes, turn } = setUp(1);
  lookUp(MAX_PER_TURN * 3);
  abort();
  await promisesSettle();
  expect(outcomes).toEqual([]);
  await turn();
  expect(outcomes).toEqual(Array.from({ length: MAX_PER_TURN }, (_, at) => `${MAX_PER_TURN + at} gone`));
  await turn();
  expect([begun.length, outcomes.length]).toEqual([MAX_PER_TURN, 2 * MAX_PER_TURN]);
});

test('a look-up that is called after the abort never begins', async () => {
  const { begun, lookUp, abort, outcomes } = setUp(1);
  abort();
  lookUp(1);
  await promisesSettle();
  expect([begun, outcomes]).toEqual([[], ['0 gone']]);
});

test('the look-ups of an abandoned operation are dropped, also its later look-ups', async () => {
  const { begun, lookUp, abort, turn, waitsForTurn, outcomes } = setUp(1);
  lookUp(1_000);
  abort(new Abandoned());
  await turn();
  lookUp(1_000);
  await turn();
  expect(waitsForTurn()).toBe(false);
  expect([begun.length, outcomes]).toEqual([MAX_PER_TURN, []]);
});
