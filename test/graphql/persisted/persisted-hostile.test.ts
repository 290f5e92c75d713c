// Hostile ids and hashes: they fill no memory, break nothing, and have a clear error.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createRegisteredQueries } from '../../../src/graphql/persisted/find-operation.ts';
import { clearCodes, useHostileGateway } from '../../abuse/hostile-gateway.ts';
import { graphqlResult } from '../../http/exchange.ts';

const gateway = useHostileGateway();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const persistedQuery = (hash: unknown) => ({
  extensions: { persistedQuery: { version: 1, sha256Hash: hash } },
});
const QUERY = '{ __typename }';

const send = (body: unknown) => gateway.send(JSON.stringify(body));

describe('a body of the wrong type', () => {
  test.each<[string, object]>([
    ['persistedQuery is a number', { extensions: { persistedQuery: 1 } }],
    ['persistedQuery is a list', { extensions: { persistedQuery: [] } }],
    ['persistedQuery is empty', { extensions: { persistedQuery: {} } }],
    ['there is no version', { extensions: { persistedQuery: { sha256Hash: 'a' } } }],
    ['there is another version', { extensions: { persistedQuery: { version: 2, sha256Hash: 'a' } } }],
    ['the version is text', { extensions: { persistedQuery: { version: '1', sha256Hash: 'a' } } }],
    ['the hash is a number', persistedQuery(1)],
    ['the hash is a list', persistedQuery(['a'])],
    ['the hash is null', persistedQuery(null)],
    ['documentId is a number', { documentId: 1 }],
    ['documentId is a list', { documentId: ['a'] }],
    ['doc_id is an object', { doc_id: {} }],
    ['extensions is text', { query: QUERY, extensions: 'a' }],
    ['extensions is a list', { query: QUERY, extensions: [] }],
    ['query is a number', { query: 5, ...persistedQuery(sha256('5')) }],
    ['query is an object', { query: { toString: 1 }, ...persistedQuery(sha256('[object Object]')) }],
    ['query is false', { query: false, documentId: 'a' }],
  ])('is BAD_USER_INPUT if %s', async (_, body) => {
    const response = await send(body);
    expect([response.status, clearCodes(response)]).toEqual([400, ['BAD_USER_INPUT']]);
  });

  test('with __proto__ as a member is BAD_USER_INPUT', async () => {
    const response = await gateway.send(
      '{"__proto__":{"query":"{ __typename }"},"extensions":{"__proto__":{"persistedQuery":{"version":1,"sha256Hash":"a"}}}}',
    );
    expect([response.status, clearCodes(response)]).toEqual([400, ['BAD_USER_INPUT']]);
  });
});

test.each([
  { extensions: null },
  { extensions: { persistedQuery: null } },
  { documentId: null, doc_id: null },
  { extensions: { other: 1 } },
])('a query is executed beside the empty members %j', async (members) => {
  expect(graphqlResult(await send({ query: QUERY, ...members })).data).toEqual({ __typename: 'Query' });
});

test.each([
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '\0', '\ud800'],
  'ä'.repeat(100_000),
])('the unusual id %.20j is not found', async (id) => {
  expect(clearCodes(await send({ documentId: id }))).toEqual(['PERSISTED_QUERY_NOT_FOUND']);
  expect(clearCodes(await send(persistedQuery(id)))).toEqual(['PERSISTED_QUERY_NOT_FOUND']);
});

describe('registered queries', () => {
  test('that are not GraphQL have their error each time', async () => {
    const query = '{ broken';
    const registration = persistedQuery(sha256(query));
    expect(clearCodes(await send({ query, ...registration }))).toEqual(['GRAPHQL_PARSE_FAILED']);
    expect(clearCodes(await send(registration))).toEqual(['GRAPHQL_PARSE_FAILED']);
  });

  test('stay within 16 MB, and the gateway keeps the last query of 100,000 queries', () => {
    const registered = createRegisteredQueries(16_000_000);
    const query = (index: number): string => `{ a${index}: __typename } # ${'x'.repeat(400)}`;
    for (let index = 0; index < 100_000; index += 1) registered.set(`hash ${index}`, query(index));
    const kept = Array.from({ length: 100_000 }, (_, index) => registered.get(`hash ${index}`)).filter(
      Boolean,
    );
    const bytes = kept.reduce((sum, text = '') => sum + text.length * 2 + 400, 0);
    expect(bytes).toBeLessThanOrEqual(16_000_000);
    expect(bytes).toBeGreaterThan(15_000_000);
    expect(registered.get('hash 99999')).toBe(query(99_999));
    expect(registered.get('hash 0')).toBeUndefined();
  });

  test('do not include large queries, but the gateway executes large queries', async () => {
    const registration = persistedQuery(sha256(QUERY));
    await send({ query: QUERY, ...registration });
    for (let index = 0; index < 30; index += 1) {
      const query = `${QUERY} # ${index} ${'x'.repeat(900_000)}`;
      const large = persistedQuery(sha256(query));
      expect(graphqlResult(await send({ query, ...large })).data).toEqual({ __typename: 'Query' });
      expect(clearCodes(await send(large))).toEqual(['PERSISTED_QUERY_NOT_FOUND']);
    }
    expect(graphqlResult(await send(registration)).data).toEqual({ __typename: 'Query' });
  });
});
