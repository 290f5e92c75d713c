// Jobs read bodies in small pieces: one piece in each turn of the event loop, and clients in rotation.

import { expect, test } from 'vitest';
import { inSlices } from '../../src/jobs/http/receive-job.ts';
import { createTurns } from '../../src/time.ts';

/** Counts turns of the event loop until it is stopped. */
function countTurns() {
  let turns = 0;
  let next = setImmediate(count);
  function count(): void {
    turns += 1;
    next = setImmediate(count);
  }
  return { now: () => turns, stop: () => clearImmediate(next) };
}

async function* inParts(body: Buffer): AsyncGenerator<Uint8Array> {
  yield body.subarray(0, 5);
  yield body.subarray(5);
}

test('the pieces together are the body, and other work runs between them', async () => {
  const body = Buffer.from(Array.from({ length: 50_000 }, (_, at) => at % 251));
  const counted = countTurns();
  const pieces: Uint8Array[] = [];
  for await (const piece of inSlices(inParts(body), createTurns(), 'a')) pieces.push(piece);
  counted.stop();
  expect(Buffer.concat(pieces).equals(body)).toBe(true);
  expect(Math.max(...pieces.map(({ length }) => length))).toBe(4_096);
  expect(counted.now()).toBeGreaterThanOrEqual(12);
});

test('in each turn, one piece of all bodies is read', async () => {
  const turns = createTurns();
  const counted = countTurns();
  const seen: number[] = [];
  const read = async () => {
    for await (const _ of inSlices(inParts(Buffer.alloc(20_000)), turns, 'a')) seen.push(counted.now());
  };
  await Promise.all([read(), read(), read()]);
  counted.stop();
  expect(seen).toHaveLength(18);
  expect(new Set(seen).size).toBe(18);
});

test('a client with one body has its turn after each piece of a client with many bodies', async () => {
  const turns = createTurns();
  const order: string[] = [];
  const take = async (client: string) => {
    await turns.next(client);
    order.push(client);
  };
  await Promise.all([take('many'), take('many'), take('many'), take('one'), take('one')]);
  expect(order).toEqual(['many', 'one', 'many', 'one', 'many']);
});
