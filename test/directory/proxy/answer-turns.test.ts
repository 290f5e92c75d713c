// A large answer of the directory waits for its turn, and leaves others theirs between what takes long.

import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { LARGE_BYTES } from '../../../src/directory/proxy/large-bodies.ts';
import { readJson } from '../../../src/directory/proxy/proxy-client.ts';

const never = new AbortController().signal;

/** Reads a body of JSON that comes in such pieces. What happens, in order; `turn` is one of the event loop. */
async function reading(pieces: readonly number[]): Promise<string[]> {
  const events: string[] = [];
  async function* body(): AsyncGenerator<Buffer> {
    for (const [index, bytes] of pieces.entries()) {
      events.push('read');
      yield Buffer.from((index === 0 ? '{}' : '').padEnd(bytes));
    }
    const turn = (): void => void events.push('turn');
    setImmediate(() => {
      turn();
      setImmediate(turn);
    });
  }
  const response = {
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: body() as unknown as Dispatcher.ResponseData['body'],
  };
  const large = {
    enter: async () => void events.push('enter'),
    leave: () => void events.push('leave'),
  };
  await readJson(response, 10 * LARGE_BYTES, large, never);
  events.push('answered');
  return events;
}

test('a small one is read in one go', async () => {
  expect(await reading([LARGE_BYTES - 1, 1])).toEqual(['read', 'read', 'answered']);
});

test('a large one enters once it is, rests before it is parsed and after, and leaves', async () => {
  expect(await reading([LARGE_BYTES, 1, LARGE_BYTES])).toEqual([
    ...['read', 'read', 'enter', 'read'],
    ...['turn', 'turn', 'leave', 'answered'],
  ]);
});
