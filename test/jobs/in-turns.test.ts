// Jobs read bodies in small pieces, and wait for a turn of their client before each piece.

import { expect, test } from 'vitest';
import { inSlices } from '../../src/jobs/http/receive-job.ts';

async function* inParts(body: Buffer): AsyncGenerator<Uint8Array> {
  yield body.subarray(0, 5);
  yield body.subarray(5);
}

test('the pieces together are the body, and each waits for a turn', async () => {
  const body = Buffer.from(Array.from({ length: 50_000 }, (_, at) => at % 251));
  const turns: unknown[] = [];
  const next = async (client: unknown): Promise<void> => void turns.push(client);
  const pieces: Uint8Array[] = [];
  for await (const piece of inSlices(inParts(body), { next, hasTime: () => true }, 'a')) {
    pieces.push(piece);
    expect(turns).toHaveLength(pieces.length);
  }
  expect(Buffer.concat(pieces).equals(body)).toBe(true);
  expect(Math.max(...pieces.map(({ length }) => length))).toBe(4_096);
  expect(new Set(turns)).toEqual(new Set(['a']));
});
