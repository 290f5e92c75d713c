// Agencies of many names are asked for a group after the other.

import { expect, test } from 'vitest';
import { AGENCIES_AT_ONCE, agenciesInGroups } from '../../src/loaders/agencies-in-groups.ts';

interface Begun {
  readonly names: readonly number[];
  readonly end: (failure?: Error) => void;
}

function setUp(count: number) {
  const client = new AbortController();
  const begun: Begun[] = [];
  const names = Array.from({ length: count }, (_, at) => at);
  const answers = agenciesInGroups(names, client.signal, (group) => {
    let end: Begun['end'] = () => undefined;
    const ended = new Promise<void>((resolve, reject) => {
      end = (failure) => (failure ? reject(failure) : resolve());
    });
    begun.push({ names: group, end });
    return group.map((name) => ended.then(() => `agency ${name}`));
  });
  const outcomes = Promise.allSettled(answers);
  return { client, begun, names, outcomes };
}

/** All promise jobs are done. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('those of few names are asked for at once', () => {
  const { begun, names } = setUp(AGENCIES_AT_ONCE);
  expect(begun.map((group) => group.names)).toEqual([names]);
});

test('of many no group is begun before the one before it has ended, and each name has its own answer', async () => {
  const { begun, names, outcomes } = setUp(2 * AGENCIES_AT_ONCE + 1);
  for (let groups = 1; groups <= 3; groups += 1) {
    await settled();
    expect(begun).toHaveLength(groups);
    begun.at(-1)?.end();
  }
  expect(begun.flatMap((group) => group.names)).toEqual(names);
  expect(await outcomes).toEqual(names.map((name) => ({ status: 'fulfilled', value: `agency ${name}` })));
});

test('a group that fails is its own matter', async () => {
  const { begun, outcomes } = setUp(AGENCIES_AT_ONCE + 1);
  await settled();
  begun[0]?.end(new Error('refused'));
  await settled();
  begun[1]?.end();
  const statuses = (await outcomes).map(({ status }) => status);
  expect(statuses.filter((status) => status === 'rejected')).toHaveLength(AGENCIES_AT_ONCE);
  expect(statuses.at(-1)).toBe('fulfilled');
});

test('for a client that has left no other group is begun', async () => {
  const { client, begun, outcomes } = setUp(3 * AGENCIES_AT_ONCE);
  await settled();
  client.abort(new Error('gone'));
  begun[0]?.end();
  const statuses = (await outcomes).map(({ status }) => status);
  expect(begun).toHaveLength(1);
  expect(statuses.filter((status) => status === 'rejected')).toHaveLength(2 * AGENCIES_AT_ONCE);
});
