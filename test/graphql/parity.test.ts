// What the other tests ask of /graphql, asked of both executions: they say the same, to the byte.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Directory } from '../../src/directory/directory.ts';
import { createEmbeddedDirectory } from '../../src/directory/embedded.ts';
import { NOW } from '../support/fake-directory.ts';
import type { RecordedOperation } from '../support/operation-recorder.ts';
import { createTroubledDirectory, TROUBLED_NAMES } from './troubled-directory.ts';
import { createTwoGateways } from './two-executions.ts';

const bundled = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const CORPUS: readonly RecordedOperation[] = readFileSync(bundled('test/fixtures/operations.jsonl'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as RecordedOperation)
  // fetch sends no others.
  .filter(({ method }) => !/^(?:TRACE|TRACK|CONNECT)$/i.test(method));

const directories: readonly (readonly [string, () => Promise<Directory> | Directory])[] = [
  [
    'the sample directory',
    () =>
      createEmbeddedDirectory({
        recordsFile: bundled('data/sample-directory.jsonl'),
        agenciesFile: bundled('data/prefix-agencies.json'),
        clock: () => NOW,
      }),
  ],
  ['a directory in which everything happens', createTroubledDirectory],
];

test('the corpus is large', () => {
  expect(CORPUS.length).toBeGreaterThan(1_000);
});

describe.each(directories)('over %s', (_, createDirectory) => {
  test('both executions answer every operation of the other tests the same', {
    timeout: 120_000,
  }, async () => {
    const both = await createTwoGateways({ directory: await createDirectory() });
    const statuses = new Map<number, number>();
    const different: unknown[] = [];
    for (const operation of CORPUS) {
      try {
        const { status } = await both.compare(operation);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      } catch (error) {
        different.push(error);
      }
    }
    if (different.length > 0)
      throw new AggregateError(different.slice(0, 5), `${different.length} are different`);
    // Not all of them refused.
    expect(statuses.get(200)).toBeGreaterThan(CORPUS.length / 2);
    expect(statuses.get(500)).toBeUndefined();
  });
});

const ALL = `query ($inputs: [String!]!) { dois(inputs: $inputs) {
  name exists alias { handle doi { name } } locations { href weight attributes { name value } }
  record { status handle message stale fetchedAt freshUntil values { index type text ttl timestamp expiresAt
    references { handle } data { __typename format
      ... on HandleStringData { value } ... on HandleAdminData { handle grants } ... on HandleOtherData { other: value }
      ... on HandleBinaryData { hex byteLength } ... on HandleValueListData { references { handle index } } } } }
  whichRa { status message agency { name title } } registrationAgency { name documented }
  redirect { url chosenBy statusCode via location { href } candidates { href } warnings { code } }
  suggestions { name }
} }`;

test('also of names with which everything happens', async () => {
  const both = await createTwoGateways({ directory: createTroubledDirectory() });
  const { body } = await both.compareQuery(ALL, { inputs: [...TROUBLED_NAMES, 'bad', '10.5555/URL'] });
  for (const code of ['ALIAS_LOOP', 'INVALID_DOI', 'UPSTREAM_TIMEOUT', 'UPSTREAM_BAD_RESPONSE']) {
    expect(body).toContain(code);
  }
  for (const name of TROUBLED_NAMES) await both.compareQuery(ALL, { inputs: [name] });
});

test('errors are in the order of the answer where nothing has to be waited for', async () => {
  const both = await createTwoGateways({ directory: createTroubledDirectory() }, {}, { inOrder: true });
  const { body } = await both.compareQuery(
    '{ dois(inputs: ["a", "10.5555/loop", "b"]) { redirect { url } locations { href } } doi(input: "c") { name } }',
  );
  const paths = (JSON.parse(body) as { errors: { path: unknown }[] }).errors.map(({ path }) => path);
  expect(paths).toEqual([
    ['dois', 0],
    ['dois', 1, 'redirect'],
    ['dois', 1, 'locations'],
    ['dois', 2],
    ['doi'],
  ]);
});
