// Deep nesting and repetition are refused before they cost more than their size.

import { describe, expect, onTestFinished, test } from 'vitest';
import { post, statusAndCode } from '../http/exchange.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { startGateway } from '../support/gateway.ts';

async function start() {
  const gateway = await startGateway({ directory: createFakeDirectory() });
  onTestFinished(() => gateway.close());
  return gateway;
}

const QUERY = 'query ($r: [_Any!]!) { _entities(representations: $r) { __typename } }';
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const padding = `"${'x'.repeat(5_000)}"`;
const representation = (levels: number) =>
  `[{"__typename": "DOI", "name": "10.5555/1", "more": ${deep(levels)}, "text": ${padding}}]`;
const TOO_COMPLEX = [400, 'LIMIT_EXCEEDED'];

describe('JSON', () => {
  // A body adds four levels: the body, the variables, the list, the representation.
  test.each([
    [196, [200, null]],
    [197, TOO_COMPLEX],
    [400_000, TOO_COMPLEX],
  ])('in a body is refused above 200 levels: %i nested lists', async (levels, expected) => {
    const body = `{"query": ${JSON.stringify(QUERY)}, "variables": {"r": ${representation(levels)}}}`;
    expect(statusAndCode(await post(await start(), body))).toEqual(expected);
  });

  test.each([
    [197, [200, null]],
    [198, TOO_COMPLEX],
  ])('in a form is refused above 200 levels: %i nested lists', async (levels, expected) => {
    const body = new URLSearchParams({ query: QUERY, variables: `{"r": ${representation(levels)}}` });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(statusAndCode(await post(await start(), body.toString(), headers))).toEqual(expected);
  });

  test.each([
    ['a short list', 49_000, [200, 'LIMIT_EXCEEDED'], 'price'],
    ['a long list', 51_000, TOO_COMPLEX, 'The request body has more than 100000 parts.'],
  ])('with %s gets a message that names the exceeded limit', async (_, items, expected, reason) => {
    const body = `{"query": ${JSON.stringify(QUERY)}, "variables": {"r": [${Array(items).fill('{}').join()}]}}`;
    const response = await post(await start(), body);
    expect(statusAndCode(response)).toEqual(expected);
    expect(response.text).toContain(reason);
  });

  test('with more than 5,000 different members is refused', async () => {
    const members = Array.from({ length: 5_001 }, (_, n) => `"k${n}":0`).join();
    const body = `{"query": ${JSON.stringify(QUERY)}, "variables": {"r": [{${members}}]}}`;
    expect(statusAndCode(await post(await start(), body))).toEqual(TOO_COMPLEX);
  });

  test('brackets in texts are not nesting, even after escapes', async () => {
    const text = JSON.stringify(`\\"${'['.repeat(10_000)}\\`);
    const body = `{"query": "query ($i: String!) { parseDoi(input: $i) { form } }", "variables": {"i": ${text}}}`;
    expect(statusAndCode(await post(await start(), body))).toEqual([200, null]);
  });
});

const CODES = { accept: 'application/graphql-response+json' };
const verdictOf = async (query: string) =>
  statusAndCode(await post(await start(), JSON.stringify({ query }), CODES));

describe('a document', () => {
  const lists = (levels: number) => `{ _entities(representations: ${deep(levels)}) { __typename } }`;

  test('is refused with more than 200 levels', async () => {
    const [, code] = await verdictOf(lists(199));
    expect(code).not.toBe('LIMIT_EXCEEDED');
    expect(await verdictOf(lists(200))).toEqual([400, 'LIMIT_EXCEEDED']);
  });

  test('is refused if it repeats a field too often', async () => {
    const repeated = (times: number) => `{ doi(input: "10.5555/1") { ${'name '.repeat(times)} } }`;
    expect(await verdictOf(repeated(300))).toEqual([200, null]);
    expect(await verdictOf(repeated(400))).toEqual([400, 'LIMIT_EXCEEDED']);
  });
});
