// Sockets are parsed for 5 ms in each turn of the event loop; those that find no time left come first in the next turn.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createParsingSlices } from '../../src/upstream/reading-slices.ts';

/** Sockets that each take `msEach` for one step, and write down in which turn they made it. */
function setUp(msEach: number) {
  let now = 0;
  let turn = 0;
  const turns = createParsingSlices(() => now);
  const steps: string[] = [];
  function parse(name: string): void {
    if (!turns.hasTime(() => parse(name))) return;
    now += msEach;
    steps.push(`${name}${turn}`);
  }
  return {
    steps,
    parse,
    async nextTurn() {
      turn += 1;
      await nextTurn();
    },
  };
}

test('a turn ends after 5 ms, however many sockets have bytes, and the others follow in their order', async () => {
  const { parse, steps, nextTurn } = setUp(2);
  for (const name of 'abcdefgh') parse(name);
  expect(steps).toEqual(['a0', 'b0', 'c0']);
  await nextTurn();
  expect(steps.slice(3)).toEqual(['d1', 'e1', 'f1']);
  await nextTurn();
  expect(steps.slice(6)).toEqual(['g2', 'h2']);
});

test('one step that takes long leaves the rest of its turn to others, and the next socket still gets its own', async () => {
  const { parse, steps, nextTurn } = setUp(100);
  for (const name of 'abc') parse(name);
  for (const count of [1, 2, 3]) {
    expect(steps).toHaveLength(count);
    await nextTurn();
  }
});

test('a socket with more bytes than a turn has time for comes after those that wait', async () => {
  const { parse, steps, nextTurn } = setUp(3);
  for (const name of 'abcd') parse(name);
  await nextTurn();
  parse('e');
  for (let at = 0; at < 2; at += 1) await nextTurn();
  expect(steps).toEqual(['a0', 'b0', 'c1', 'd1', 'e2']);
});

test('steps that cost nothing never wait', async () => {
  const { parse, steps, nextTurn } = setUp(0);
  for (let at = 0; at < 1_000; at += 1) parse('a');
  expect(steps).toHaveLength(1_000);
  await nextTurn();
  parse('b');
  expect(steps.at(-1)).toBe('b1');
});
