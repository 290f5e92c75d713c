// A client that leaves ends the execution of an answer in parts, not only its look-ups.

import { expect, test } from 'vitest';
import { operationInParts } from '../../../src/graphql/incremental/parts.ts';
import { createExecuteWithYoga, type YogaOperation } from '../../../src/graphql/incremental/yoga.ts';
import { createGraphqlErrorMask } from '../../../src/graphql/mask-error.ts';
import { createOperations } from '../../../src/graphql/operation.ts';
import { OperationUsage } from '../../../src/graphql/write.ts';
import { mask } from '../execute-planned.ts';

const TEXT = 'query ($n: [String!]!) { dois(inputs: $n) { name ... @defer { url uri } } }';

/** How many bytes had been handed out when the first slice was over, and in the end. */
async function handedOut(atSliceEnd: (client: AbortController) => void) {
  const client = new AbortController();
  const usage = new OperationUsage(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  let before: number | null = null;
  const next = async () => {
    before ??= usage.writtenBytes;
    atSliceEnd(client);
  };
  const slices = { isOver: () => true, isOverNow: () => true, next };
  const prepared = createOperations(1_000, 1_000_000).prepare(TEXT);
  const operation = prepared.operation(null);
  const variables = { n: Array.from({ length: 500 }, (_, index) => `10.5555/${index}`) };
  const ask = createExecuteWithYoga(createGraphqlErrorMask(mask), Number.POSITIVE_INFINITY);
  const guarded = { usage, slices, mask, time: { throwIfEnded() {} }, parts: null, tooLarge: null };
  const answer = ask({
    text: TEXT,
    prepared,
    operationName: null,
    variables,
    accept: 'multipart/mixed',
    signal: client.signal,
    context: { guarded } as unknown as YogaOperation['context'],
    parts: operationInParts(prepared, operation, variables),
    refusal: null,
    onEnd() {},
  });
  await answer.then((response) => response.text()).catch(() => undefined);
  // What was begun goes on in promise jobs alone.
  await new Promise(setImmediate);
  return { before, after: usage.writtenBytes };
}

test('who leaves between two slices has nothing more resolved', async () => {
  const stayed = await handedOut(() => undefined);
  expect(stayed.after).toBeGreaterThan(5 * (stayed.before ?? 0));
  const left = await handedOut((client) => client.abort());
  expect(left).toEqual({ before: stayed.before, after: stayed.before });
});
