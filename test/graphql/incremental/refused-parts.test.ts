// A response in parts that ends early has an error, because its lists look complete.

import { GraphQLError, parse } from 'graphql';
import { expect, test, vi } from 'vitest';
import { servedSchema } from '../../../src/graphql/incremental/incremental-rules.ts';
import { createPartHooks } from '../../../src/graphql/incremental/parts.ts';
import { MemoryRefused, OperationUsage } from '../../../src/graphql/write.ts';

const document = parse('query ($n: [String!]!) { dois(inputs: $n) @stream { name } }');
const [operation] = document.definitions;
const counted = {
  schema: servedSchema,
  fragments: new Map(),
  operation: operation as never,
  variables: { n: [] },
};

test('the last part of a refused response has the error, and the execution stops', () => {
  const guarded: { ended: MemoryRefused | null } = { ended: null };
  const onEnd = vi.fn();
  const stop = vi.fn(async () => ({ done: true as const, value: undefined }));
  const mask = (error: unknown) => new GraphQLError((error as Error).message);
  const result = { [Symbol.asyncIterator]: () => result, next: stop, return: stop };
  const hooks = createPartHooks(counted, mask, 1_000_000, guarded, onEnd).onExecuteDone({
    result,
    setResult: () => {},
  });
  const partOf = (part: object): unknown => {
    let sent: unknown = part;
    hooks?.onNext({
      result: part,
      setResult: (result: unknown) => {
        sent = result;
      },
    });
    return sent;
  };
  expect(partOf({ data: { dois: [] }, hasNext: true })).toMatchObject({ data: { dois: [] }, hasNext: true });
  guarded.ended = new MemoryRefused();
  expect(partOf({ hasNext: true })).toMatchObject({
    errors: [{ message: guarded.ended.message }],
    hasNext: false,
  });
  expect(stop).toHaveBeenCalledOnce();
});

test('an operation reserves all memory of its items', () => {
  let reserved = 0;
  const work = {
    grow(bytes: number) {
      reserved += bytes;
      return reserved <= 10_000_000;
    },
    growResponse: () => true,
  };
  const usage = new OperationUsage(1_000, 1_000, { heapBytes: 1_000, responseBytes: 1_000 }, work);
  usage.addHeapBytes(6_000_000);
  expect(reserved).toBeGreaterThanOrEqual(5_999_000);
  expect(() => usage.addHeapBytes(6_000_000)).toThrow(MemoryRefused);
});
