// Lists whose length nobody knew before: what would come in too many parts is refused before a part is begun.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post } from '../../http/exchange.ts';
import { createFakeDirectory, urlValue } from '../../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { askForParts, MULTIPART } from './parts.ts';

const values = (count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => urlValue('https://example.org/', { index }));
const text = (names: number): string => Array.from({ length: names }, (_, n) => `10.5555/${n}`).join(' ');

const FOUND = 'query ($text: String!) { findDois(text: $text)';
const VALUES = '{ record { values { ... @defer { index } } } }';

let gateway: ListeningGateway;

beforeAll(async () => {
  const records = {
    '10.5555/500': values(500),
    '10.5555/501': values(501),
    '10.5555/1000': values(1_000),
    '10.5555/1001': values(1_001),
  };
  gateway = await startGateway({ directory: createFakeDirectory({ records }) });
});

afterAll(() => gateway.close());

test('one part too many in a list of values, and none is begun', async () => {
  const body = JSON.stringify({ query: `{ doi(input: "10.5555/1001") ${VALUES} }` });
  const answer = JSON.parse((await post(gateway, body, { accept: `${MULTIPART}, application/json` })).text);
  const path = ['doi', 'record', 'values'];
  expect(answer).toMatchObject({ errors: [{ path, extensions: { code: 'LIMIT_EXCEEDED' } }] });
  expect(answer).not.toHaveProperty('hasNext');
});

test('one part too many of names found ends the list, and the parts before it come', async () => {
  const variables = { text: text(1_001) };
  const answer = await askForParts(gateway, `${FOUND} { ... @defer { start } } }`, { variables });
  const error = { path: ['findDois', 1_000], extensions: { code: 'LIMIT_EXCEEDED' } };
  expect(await answer.next()).toMatchObject({ errors: [error] });
  expect(await answer.increments()).toHaveLength(1_000);
});

test('all lists of an answer are counted together', async () => {
  const query = `{ a: doi(input: "10.5555/500") ${VALUES} b: doi(input: "10.5555/501") ${VALUES} }`;
  const answer = await askForParts(gateway, query);
  expect(await answer.next()).toMatchObject({ errors: [{ path: ['b', 'record', 'values'] }] });
  expect(await answer.increments()).toHaveLength(500);
});

test('of names that are streamed no more are begun than may come', async () => {
  const variables = { text: text(5_000) };
  const answer = await askForParts(gateway, `${FOUND} @stream { start } }`, { variables });
  const increments = await answer.increments();
  // The one too many ends the list; had the others been begun, the answer would have ended without it. Its error stands
  // at its place, or in the last part if all parts before it have been sent.
  expect(answer.text().match(/LIMIT_EXCEEDED/g)).toHaveLength(1);
  expect(Math.max(...increments.map(({ path }) => Number(path[1])))).toBeLessThanOrEqual(1_000);
});

describe('as many as there may be are answered', () => {
  test.each<[string, string, object?]>([
    ['names found, streamed', `${FOUND} @stream { start } }`, { text: text(1_000) }],
    ['all after the first five', `${FOUND} @stream(initialCount: 5) { start } }`, { text: text(1_005) }],
    ['names found, deferred', `${FOUND} { ... @defer { start } } }`, { text: text(1_000) }],
    ['values of a record', `{ doi(input: "10.5555/1000") ${VALUES} }`],
  ])('%s', async (_, query, variables = {}) => {
    const answer = await askForParts(gateway, query, { variables: { ...variables } });
    const increments = await answer.increments();
    expect(increments).toHaveLength(1_000);
    expect(increments.flatMap(({ errors = [] }) => errors)).toEqual([]);
  });
});
