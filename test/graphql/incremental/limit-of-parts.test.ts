// The limit of parts, for lists whose length is unknown before the execution.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post } from '../../http/exchange.ts';
import { createFakeDirectory, urlValue } from '../../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { MULTIPART, requestParts } from './parts.ts';

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

test('a list of values with one part too many is refused, and no part is sent', async () => {
  const body = JSON.stringify({ query: `{ doi(input: "10.5555/1001") ${VALUES} }` });
  const response = JSON.parse((await post(gateway, body, { accept: `${MULTIPART}, application/json` })).text);
  const path = ['doi', 'record', 'values'];
  expect(response).toMatchObject({ errors: [{ path, extensions: { code: 'LIMIT_EXCEEDED' } }] });
  expect(response).not.toHaveProperty('hasNext');
});

test('a list of found names ends at the limit of parts, and its earlier parts are sent', async () => {
  const variables = { text: text(1_001) };
  const response = await requestParts(gateway, `${FOUND} { ... @defer { start } } }`, { variables });
  const error = { path: ['findDois', 1_000], extensions: { code: 'LIMIT_EXCEEDED' } };
  expect(await response.next()).toMatchObject({ errors: [error] });
  expect(await response.increments()).toHaveLength(1_000);
});

test('all lists of a response count together', async () => {
  const query = `{ a: doi(input: "10.5555/500") ${VALUES} b: doi(input: "10.5555/501") ${VALUES} }`;
  const response = await requestParts(gateway, query);
  expect(await response.next()).toMatchObject({ errors: [{ path: ['b', 'record', 'values'] }] });
  expect(await response.increments()).toHaveLength(500);
});

test('a stream of found names ends at the limit of parts, with one error', async () => {
  const variables = { text: text(5_000) };
  const response = await requestParts(gateway, `${FOUND} @stream { start } }`, { variables });
  const increments = await response.increments();
  // The error is at the index after the last item, or in the last part.
  expect(response.text().match(/LIMIT_EXCEEDED/g)).toHaveLength(1);
  expect(Math.max(...increments.map(({ path }) => Number(path[1])))).toBeLessThanOrEqual(1_000);
});

describe('a response can have the maximum of parts', () => {
  test.each<[string, string, object?]>([
    ['streamed names', `${FOUND} @stream { start } }`, { text: text(1_000) }],
    [
      'streamed names after the first five',
      `${FOUND} @stream(initialCount: 5) { start } }`,
      { text: text(1_005) },
    ],
    ['deferred names', `${FOUND} { ... @defer { start } } }`, { text: text(1_000) }],
    ['deferred values of a record', `{ doi(input: "10.5555/1000") ${VALUES} }`],
  ])('%s', async (_, query, variables = {}) => {
    const response = await requestParts(gateway, query, { variables: { ...variables } });
    const increments = await response.increments();
    expect(increments).toHaveLength(1_000);
    expect(increments.flatMap(({ errors = [] }) => errors)).toEqual([]);
  });
});
