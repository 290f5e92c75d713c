import { describe, expect, test } from 'vitest';
import {
  BatchedQueries,
  Failure,
  failureOf,
  type NamesQuery,
  remedyFor,
} from '../../../src/tools/gateway-client/batched-queries.ts';
import type { GraphqlError, SendOperation } from '../../../src/tools/gateway-client/send-operation.ts';

const nameQuery: NamesQuery<{ readonly name: string }, string> = {
  query: 'query($names: [String!]!) { dois(inputs: $names, form: NAME) { name } }',
  maxNames: 10,
  read: (fields, errors) => fields?.name ?? (errors[0] ? failureOf(errors[0]) : new Failure('?', 'nothing')),
};

const DOWN = {
  message: 'The directory is down.',
  extensions: { code: 'UPSTREAM_UNAVAILABLE', retryable: true },
};

/** A gateway that finds the names for which `isUp` returns true. `calls` has the names of each operation. */
function stage(
  isUp: (name: string) => boolean,
  failure: GraphqlError | ((name: string) => GraphqlError) = DOWN,
) {
  const failureFor = typeof failure === 'function' ? failure : () => failure;
  const calls: string[][] = [];
  const send = (async (_, { names }) => {
    const sent = names as string[];
    calls.push(sent);
    const errors = sent.flatMap((name, at) =>
      isUp(name) ? [] : [{ ...failureFor(name), path: ['dois', at] }],
    );
    return { data: { dois: sent.map((name) => (isUp(name) ? { name } : null)) }, errors };
  }) as SendOperation;
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  return {
    queries: new BatchedQueries({ send, signal: new AbortController().signal, wait }),
    calls,
    waits,
  };
}

test('in an outage, the first call retries after waits, and no operations are sent after the second call', async () => {
  const { queries, calls, waits } = stage(() => false);
  for (const name of ['a', 'b', 'c', 'd']) {
    const [result] = await queries.lookUp([name], nameQuery);
    expect(result).toBeInstanceOf(Failure);
  }
  expect(calls).toEqual([['a'], ['a'], ['a'], ['b']]);
  expect(waits).toHaveLength(2);
});

test('failed names are no outage if other names are found', async () => {
  const { queries, calls } = stage((name) => name !== 'bad');
  for (let round = 0; round < 4; round += 1) await queries.lookUp(['good', 'bad'], nameQuery);
  expect(calls.filter((names) => names.includes('good'))).toHaveLength(4);
  expect(await queries.lookUp(['good'], nameQuery)).toEqual(['good']);
});

describe('a look-up that the gateway held back', () => {
  const HELD_BACK = {
    message: DOWN.message,
    extensions: { ...DOWN.extensions, heldBack: true, retryAfterSeconds: 2 },
  };

  test('is not retried, and no operations are sent after two such calls', async () => {
    const { queries, calls, waits } = stage(() => false, HELD_BACK);
    for (const name of ['a', 'b', 'c']) {
      expect(await queries.lookUp([name], nameQuery)).toMatchObject([
        { message: DOWN.message, remedy: 'outage', retryAfterSeconds: 2 },
      ]);
    }
    expect([calls, waits]).toEqual([[['a'], ['b']], []]);
  });

  test('does not prevent retries of other names', async () => {
    const { queries, calls } = stage(
      () => false,
      (name) => (name === 'held' ? HELD_BACK : DOWN),
    );
    await queries.lookUp(['held', 'slow'], nameQuery);
    expect(calls).toEqual([['held', 'slow'], ['slow'], ['slow']]);
  });
});

test.each([
  [{ heldBack: true, retryable: true }, 'outage'],
  [{ heldBack: false, retryable: true }, 'later'],
  [{ retryable: true }, 'later'],
  [{ retryable: false }, 'nothing'],
])('the remedy for %j is %s', (more, remedy) => {
  const error = { message: '', extensions: { code: 'UPSTREAM_UNAVAILABLE', ...more } };
  expect(remedyFor(error)).toBe(remedy);
});
