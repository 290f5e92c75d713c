// A response has its fields in the order of the query, whatever the order of the answers.

import type { HandleName } from 'doi-names';
import { expect, test } from 'vitest';
import { createRecord, type HandleRecord } from '../../../src/handle/record.ts';
import { SUCCESS } from '../../../src/handle/response-codes.ts';
import { createFakeDirectory, NOW } from '../../support/fake-directory.ts';
import { createTestGateway } from '../../support/gateway.ts';

/** A directory that answers the look-ups in reverse order. */
function createReversedDirectory(names: readonly string[]) {
  const waiting: (() => void)[] = [];
  const arrived: string[] = [];
  const records = names.map((name) => [
    name,
    (handle: HandleName) =>
      new Promise<HandleRecord>((resolve) => {
        waiting.push(() => {
          arrived.push(name);
          resolve(createRecord({ responseCode: SUCCESS, handle, values: [], message: null, fetchedAt: NOW }));
          setImmediate(() => waiting.pop()?.());
        });
        if (waiting.length === names.length) waiting.pop()?.();
      }),
  ]);
  return { directory: createFakeDirectory({ records: Object.fromEntries(records) }), arrived };
}

test('root fields are in the order of the query if the last one has its answer first', async () => {
  const { directory, arrived } = createReversedDirectory(['10.5555/a', '10.5555/b', '10.5555/c']);
  const gateway = await createTestGateway({ directory });
  const { data } = await gateway.query(`{
    a: doi(input: "10.5555/a") { exists }
    b: doi(input: "10.5555/b") { exists }
    now: __typename
    c: doi(input: "10.5555/c") { exists }
  }`);
  expect(arrived).toEqual(['10.5555/c', '10.5555/b', '10.5555/a']);
  expect(Object.keys(data)).toEqual(['a', 'b', 'now', 'c']);
  await gateway.close();
});

test('nested fields are in the order of the query if computed fields are ready first', async () => {
  const { directory } = createReversedDirectory(['10.5555/a']);
  const gateway = await createTestGateway({ directory });
  const { data } = await gateway.query<{ doi: object }>(`{
    doi(input: "10.5555/a") { record { status } name whichRa { status } exists prefix ...More }
  }
  fragment More on DOI { suffix record { handle status } url }`);
  expect(JSON.stringify(data.doi)).toBe(
    '{"record":{"status":"VALUES_NOT_FOUND","handle":"10.5555/a"},"name":"10.5555/a","whichRa":{"status":"DOES_NOT_EXIST"},"exists":true,"prefix":"10.5555","suffix":"a","url":"https://doi.org/10.5555/a"}',
  );
  await gateway.close();
});

test('a list is in the order of its inputs if the last item is ready first', async () => {
  const names = ['10.5555/a', '10.5555/b', '10.5555/c'];
  const { directory, arrived } = createReversedDirectory(names);
  const gateway = await createTestGateway({ directory });
  const query = 'query($names: [String!]!) { dois(inputs: $names) { name record { handle } } }';
  const { data } = await gateway.query(query, { names });
  expect(arrived).toEqual(names.toReversed());
  expect(data['dois']).toEqual(names.map((name) => ({ name, record: { handle: name } })));
  await gateway.close();
});
