// What becomes of an operation for Yoga while it waits for its turn.

import { expect, test } from 'vitest';
import type { ExecuteWithYoga } from '../../src/graphql/incremental/yoga.ts';
import { createViaYoga, type ViaYogaOptions } from '../../src/http/graphql/graphql-via-yoga.ts';
import { OperationTime } from '../../src/http/graphql/operation-time.ts';
import { AnswerExpiry } from '../../src/loaders/answer-expiry.ts';

test.each([
  ['an operation of a client that waits', true, null, 1],
  ['no operation of a client that has left', false, null, 0],
  ['a refusal, which is counted also if the client has left', false, [new Error('no')], 1],
] as const)('Yoga gets %s', async (_, waits, refusal, executed) => {
  let asked = 0;
  const executeWithYoga: ExecuteWithYoga = async () => {
    asked += 1;
    return Response.json({ data: null });
  };
  const client = new AbortController();
  const next = async () => void (waits || client.abort());
  const options = {
    turns: { next },
    executeWithYoga: async () => executeWithYoga,
    maxResponseBytes: 100,
    clock: () => 0,
  };
  const { respond } = createViaYoga(options as unknown as ViaYogaOptions);
  const request = { signal: client.signal, requester: { client: { key: 'a' } } };
  const time = new OperationTime(request as never, 1_000);
  const whole = respond(
    { request, jsonType: 'application/json' } as never,
    {} as never,
    { expiry: new AnswerExpiry() } as never,
    time,
    refusal,
  );
  if (executed === 1) expect((await whole).status).toBe(200);
  else await expect(whole).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  time.end();
  expect(asked).toBe(executed);
});
