// What hostile clients can do with ids and hashes: fill nothing, break nothing, and read a clear error.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createRegisteredQueries } from '../../../src/graphql/persisted/find-operation.ts';
import { clearCodes, useHostileGateway } from '../../abuse/hostile-gateway.ts';
import { graphqlAnswer } from '../../http/exchange.ts';

const gateway = useHostileGateway();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const QUERY = '{ __typename }';

const send = (body: unknown) => gateway.send(JSON.stringify(body));

describe('wrong types', () => {
  test.each([
    ['persistedQuery is a number', { extensions: { persistedQuery: 1 } }],
    ['persistedQuery is a list', { extensions: { persistedQuery: [] } }],
    ['persistedQuery is empty', { extensions: { persistedQuery: {} } }],
    ['there is no version', { extensions: { persistedQuery: { sha256Hash: 'a' } } }],
    ['another version', { extensions: { persistedQuery: { version: 2, sha256Hash: 'a' } } }],
    ['the version is text', { extensions: { persistedQuery: { version: '1', sha256Hash: 'a' } } }],
    ['the hash is a number', { extensions: { persistedQuery: { version: 1, sha256Hash: 1 } } }],
    ['the hash is a list', { extensions: { persistedQuery: { version: 1, sha256Hash: ['a'] } } }],
    ['the hash is null', { extensions: { persistedQuery: { version: 1, sha256Hash: null } } }],
    ['documentId is a number', { documentId: 1 }],
    ['documentId is a list', { documentId: ['a'] }],
    ['doc_id is an object', { doc_id: {} }],
    ['extensions is text', { query: QUERY, extensions: 'a' }],
    ['extensions is a list', { query: QUERY, extensions: [] }],
    [
      'query is a number',
      { query: 5, extensions: { persistedQuery: { version: 1, sha256Hash: sha256('5') } } },
    ],
    [
      'query is an object',
      {
        query: { toString: 1 },
        extensions: { persistedQuery: { version: 1, sha256Hash: sha256('[object Object]') } },
      },
    ],
    ['query is false', { query: false, documentId: 'a' }],
  ])('are told: %s', async (_, body) => {
    const answer = await send(body);
    expect([answer.status, clearCodes(answer)]).toEqual([400, ['BAD_USER_INPUT']]);
  });

  test.each([
    { query: QUERY, extensions: null },
    { query: QUERY, extensions: { persistedQuery: null } },
    { query: QUERY, documentId: null, doc_id: null },
    { query: QUERY, extensions: { other: 1 } },
  ])('that say nothing are passed over: %j', async (body) => {
    expect(graphqlAnswer(await send(body)).data).toEqual({ __typename: 'Query' });
  });
});

describe('unusual ids', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '\0', '\ud800', 'a long one'])(
    'are not found: %j',
    async (text) => {
      const id = text === 'a long one' ? 'ä'.repeat(100_000) : text;
      expect(clearCodes(await send({ documentId: id }))).toEqual(['PERSISTED_QUERY_NOT_FOUND']);
      const extensions = { persistedQuery: { version: 1, sha256Hash: id } };
      expect(clearCodes(await send({ extensions }))).toEqual(['PERSISTED_QUERY_NOT_FOUND']);
    },
  );

  test('members such as __proto__ change nothing', async () => {
    const body =
      '{"__proto__":{"query":"{ __typename }"},"extensions":{"__proto__":{"persistedQuery":{"version":1,"sha256Hash":"a"}}}}';
    const answer = await gateway.send(body);
    expect([answer.status, clearCodes(answer)]).toEqual([400, ['BAD_USER_INPUT']]);
  });
});

describe('registrations', () => {
  test('of queries that are none are told of, again and again', async () => {
    const query = '{ broken';
    const extensions = { persistedQuery: { version: 1, sha256Hash: sha256(query) } };
    expect(clearCodes(await send({ query, extensions }))).toEqual(['GRAPHQL_PARSE_FAILED']);
    expect(clearCodes(await send({ extensions }))).toEqual(['GRAPHQL_PARSE_FAILED']);
  });

  test('100,000 of them stay within 16 MB, and the last are known', () => {
    const registered = createRegisteredQueries(16_000_000);
    const query = (index: number): string => `{ a${index}: __typename } # ${'x'.repeat(400)}`;
    for (let index = 0; index < 100_000; index += 1) registered.set(`hash ${index}`, query(index));
    const known = Array.from({ length: 100_000 }, (_, index) => registered.get(`hash ${index}`)).filter(
      Boolean,
    );
    const bytes = known.reduce((sum, text = '') => sum + text.length * 2 + 400, 0);
    expect(bytes).toBeLessThanOrEqual(16_000_000);
    expect(bytes).toBeGreaterThan(15_000_000);
    expect(registered.get('hash 99999')).toBe(query(99_999));
    expect(registered.get('hash 0')).toBeUndefined();
  });

  test('large ones push nothing out, and are executed', async () => {
    const small = { query: QUERY, extensions: { persistedQuery: { version: 1, sha256Hash: sha256(QUERY) } } };
    await send(small);
    for (let index = 0; index < 30; index += 1) {
      const query = `${QUERY} # ${index} ${'x'.repeat(900_000)}`;
      const extensions = { persistedQuery: { version: 1, sha256Hash: sha256(query) } };
      expect(graphqlAnswer(await send({ query, extensions })).data).toEqual({ __typename: 'Query' });
      expect(clearCodes(await send({ extensions }))).toEqual(['PERSISTED_QUERY_NOT_FOUND']);
    }
    expect(graphqlAnswer(await send({ extensions: small.extensions })).data).toEqual({ __typename: 'Query' });
  });
});
