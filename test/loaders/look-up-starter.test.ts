// The look-ups of one request begin in turns of the event loop, and no more of them than the directory has use for.

import { expect, test } from 'vitest';
import { Abandoned, createLookUpStarter } from '../../src/loaders/look-up-starter.ts';

const A_TURN = 64;

/** Turns that are given by the test, and look-ups that it ends. */
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
    ask(count: number) {
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
      await settled();
    },
  };
}

/** All promise jobs are done: none of them needs another turn. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('of a thousand names a few begin in one turn, in their order', async () => {
  const { begun, ask, turn } = setUp(10_000);
  ask(1_000);
  for (let most = A_TURN; most < 1_000; most += A_TURN) {
    await settled();
    expect(begun.length).toBe(most);
    await turn();
  }
  expect(begun.map(({ number }) => number)).toEqual(Array.from({ length: 1_000 }, (_, number) => number));
});

test('there are twice as many under way as the directory takes, the next when one has ended', async () => {
  const { begun, ask, turn, outcomes } = setUp(100);
  ask(1_000);
  for (let turns = 0; turns < 20; turns += 1) await turn();
  expect(begun.length).toBe(200);
  for (const { end } of begun.slice(0, 3)) end();
  await turn();
  expect(begun.length).toBe(203);
  expect(outcomes).toEqual(['0 answered', '1 answered', '2 answered']);
});

test('look-ups that end at once also let other work run', async () => {
  const { begun, ask, outcomes, turn } = setUp(1);
  ask(A_TURN + 1);
  for (const { end } of begun.slice(0, A_TURN)) end();
  await settled();
  expect([begun.length, outcomes.length]).toEqual([A_TURN, A_TURN]);
  await turn();
  expect(begun.length).toBe(A_TURN + 1);
});

test('look-ups that have not begun at the end of the request never begin, and are rejected in turns too', async () => {
  const { begun, ask, abort, outcomes, turn } = setUp(1);
  ask(A_TURN * 3);
  abort();
  await settled();
  expect(outcomes).toEqual([]);
  await turn();
  expect(outcomes).toEqual(Array.from({ length: A_TURN }, (_, at) => `${A_TURN + at} gone`));
  await turn();
  expect([begun.length, outcomes.length]).toEqual([A_TURN, 2 * A_TURN]);
});

test('a look-up after the end of the request never begins', async () => {
  const { begun, ask, abort, outcomes } = setUp(1);
  abort();
  ask(1);
  await settled();
  expect([begun, outcomes]).toEqual([[], ['0 gone']]);
});

test('the look-ups of an abandoned operation are dropped, its later look-ups too', async () => {
  const { begun, ask, abort, turn, waitsForTurn, outcomes } = setUp(1);
  ask(1_000);
  abort(new Abandoned());
  await turn();
  ask(1_000);
  await turn();
  expect(waitsForTurn()).toBe(false);
  expect([begun.length, outcomes]).toEqual([A_TURN, []]);
});
