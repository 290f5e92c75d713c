// Both executions respond with the same bytes to the operations of all other tests.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createEmbeddedDirectory } from '../../src/directory/embedded.ts';
import { NOW } from '../support/fake-directory.ts';
import type { RecordedOperation } from '../support/operation-recorder.ts';
import { createTroubledBeside, createTroubledDirectory, TROUBLED_NAMES } from './troubled-directory.ts';
import { createTwoGateways } from './two-executions.ts';

const bundled = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const CORPUS: readonly RecordedOperation[] = readFileSync(bundled('test/fixtures/operations.jsonl'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as RecordedOperation)
  // fetch cannot send these methods.
  .filter(({ method }) => !/^(?:TRACE|TRACK|CONNECT)$/i.test(method));

test('every operation of the other tests has the same response', {
  timeout: 120_000,
}, async () => {
  expect(CORPUS.length).toBeGreaterThan(700);
  const sample = await createEmbeddedDirectory({
    recordsFile: bundled('data/sample-directory.jsonl'),
    agenciesFile: bundled('data/prefix-agencies.json'),
    clock: () => NOW,
  });
  const both = await createTwoGateways({ directory: createTroubledBeside(sample) });
  const statuses = new Map<number, number>();
  const codes = new Set<string>();
  const different: unknown[] = [];
  for (const operation of CORPUS) {
    try {
      const { status, body } = await both.compare(operation);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      for (const [code] of body.matchAll(/[A-Z]+_[A-Z_]+/g)) codes.add(code);
    } catch (error) {
      different.push(error);
    }
  }
  if (different.length > 0)
    throw new AggregateError(different.slice(0, 5), `${different.length} are different`);
  // The gateway refuses only some of the operations.
  expect(statuses.get(200)).toBeGreaterThan(CORPUS.length / 2);
  expect(statuses.get(500)).toBeUndefined();
  for (const code of ['UPSTREAM_TIMEOUT', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_BAD_RESPONSE'])
    expect(codes).toContain(code);
});

const ALL = `query ($inputs: [String!]!) { dois(inputs: $inputs) {
  name exists alias { handle doi { name } } locations { href weight attributes { name value } }
  record { status handle message stale fetchedAt freshUntil values { index type text ttl timestamp expiresAt
    references { handle } data { __typename format
      ... on HandleStringData { value } ... on HandleAdminData { handle grants } ... on HandleOtherData { other }
      ... on HandleBinaryData { hex byteLength } ... on HandleValueListData { references { handle index } } } } }
  whichRa { status message agency { name title } } registrationAgency { name documented }
  redirect { url chosenBy statusCode via location { href } candidates { href } warnings { code } }
  suggestions { name }
} }`;

test('the names of the troubled directory have the same responses', async () => {
  const both = await createTwoGateways({ directory: createTroubledDirectory() });
  const { body } = await both.compareQuery(ALL, { inputs: [...TROUBLED_NAMES, 'bad', '10.5555/URL'] });
  for (const code of ['ALIAS_LOOP', 'INVALID_DOI', 'UPSTREAM_TIMEOUT', 'UPSTREAM_BAD_RESPONSE']) {
    expect(body).toContain(code);
  }
  for (const name of TROUBLED_NAMES) await both.compareQuery(ALL, { inputs: [name] });
});

test('characters, shortDOIs and prefixes have the same responses', async () => {
  const both = await createTwoGateways({ directory: createTroubledDirectory() });
  const query = `query ($names: [String!]!) {
    dois(inputs: $names) {
      asciiLookalike warnings { code message position repaired { name } }
      characters { codePoint character utf8Hex name scripts category imitates }
    }
    shortDoi(input: "abcde") { handle url exists doi { name } }
    bad: shortDoi(input: "10.5555/1") { handle }
    doiPrefix(name: "10.5555") { name registrationAgency { name registers knownAsOf } record { status handle } }
    none: doiPrefix(name: "10") { name }
    handle(name: "hdl:10.5555/url") { name prefix suffix uri url doi { name } exists redirect { url } alias { handle } }
    noHandle: handle(name: "10.5555") { name }
    _entities(representations: [{ __typename: "DOIPrefix", name: "10.5555" }, { __typename: "Handle", name: "2381/1" }]) {
      ... on DOIPrefix { name } ... on Handle { name exists locations { href } record { status } }
    }
  }`;
  const names = ['10.5555/p\u0430ypal\u2013\ud55c', '10.5555/1'];
  // The first response waits for the names of characters, the second does not.
  for (let times = 0; times < 2; times += 1) {
    const { body } = await both.compareQuery(query, { names });
    for (const word of ['CYRILLIC SMALL LETTER A', 'CONFUSABLE_CHARACTERS', 'BAD_USER_INPUT', 'INVALID_DOI'])
      expect(body).toContain(word);
  }
});

test('errors are in the order of the data if nothing has to wait', async () => {
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
