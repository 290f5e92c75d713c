// An upload is read a little at a time, and others have their turn in between.

import { expect, test } from 'vitest';
import { inTurns } from '../../src/jobs/http/in-turns.ts';

test('a body is the same in small pieces, with a turn for others between them', async () => {
  const body = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251));
  async function* source() {
    yield body.subarray(0, 5);
    yield body.subarray(5);
  }
  let turns = 0;
  let next: NodeJS.Immediate | undefined;
  const others = (): void => {
    turns += 1;
    next = setImmediate(others);
  };
  others();
  const pieces: Uint8Array[] = [];
  for await (const piece of inTurns(source())) pieces.push(piece);
  clearImmediate(next);
  expect(Buffer.concat(pieces).equals(body)).toBe(true);
  expect(Math.max(...pieces.map(({ length }) => length))).toBe(8_192);
  expect(turns).toBeGreaterThanOrEqual(12);
});
