import { expect, test } from 'vitest';
import { operationInParts } from '../../../src/graphql/incremental/parts.ts';
import { createExecuteWithYoga, type YogaOperation } from '../../../src/graphql/incremental/yoga.ts';
import { createGraphqlErrorMask } from '../../../src/graphql/mask-error.ts';
import { createOperations } from '../../../src/graphql/operation.ts';
import { OperationUsage } from '../../../src/graphql/write.ts';
import { mask } from '../execute-planned.ts';

const TEXT = 'query ($n: [String!]!) { dois(inputs: $n) { name ... @defer { url uri } } }';

/** The bytes that were written at the end of the first slice, and at the end. */
async function writtenBytes(atSliceEnd: (client: AbortController) => void) {
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
  const execute = createExecuteWithYoga(createGraphqlErrorMask(mask), Number.POSITIVE_INFINITY);
  const guarded = { usage, slices, mask, time: { throwIfEnded() {} }, parts: null, tooLarge: null };
  const response = execute({
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
  await response.then((whole) => whole.text()).catch(() => undefined);
  await new Promise(setImmediate);
  return { before, after: usage.writtenBytes };
}

test('the execution of a response in parts ends when its client leaves', async () => {
  const stayed = await writtenBytes(() => undefined);
  expect(stayed.after).toBeGreaterThan(5 * (stayed.before ?? 0));
  const left = await writtenBytes((client) => client.abort());
  expect(left).toEqual({ before: stayed.before, after: stayed.before });
});
