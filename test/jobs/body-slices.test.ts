// Jobs read bodies in small slices, and let other clients run before each slice.

import { expect, test } from 'vitest';
import { inPieces } from '../../src/jobs/http/receive-job.ts';

async function* inParts(body: Buffer): AsyncGenerator<Uint8Array> {
  yield body.subarray(0, 5);
  yield body.subarray(5);
}

test('the slices together are the whole body, and other clients may run before each slice', async () => {
  const body = Buffer.from(Array.from({ length: 50_000 }, (_, at) => at % 251));
  const turns: unknown[] = [];
  const next = async (client: unknown): Promise<void> => void turns.push(client);
  const slices: Uint8Array[] = [];
  for await (const slice of inPieces(inParts(body), { next, hasTime: () => true }, 'a')) {
    slices.push(slice);
    expect(turns).toHaveLength(slices.length);
  }
  expect(Buffer.concat(slices).equals(body)).toBe(true);
  expect(Math.max(...slices.map(({ length }) => length))).toBe(4_096);
  expect(new Set(turns)).toEqual(new Set(['a']));
});
