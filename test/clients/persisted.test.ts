// Persisted queries of the clients: the real Apollo Client, and the real urql with the extension that its persisted
// exchange adds to an operation.

import { createHash } from 'node:crypto';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, createRequest, fetchExchange, makeOperation } from '@urql/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';

const QUERY = 'query Name($input: String!) { doi(input: $input) { id name } }';
const variables = { input: '10.5555/1' };
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Sent {
  readonly method: string;
  readonly hasQuery: boolean;
}

/** A gateway, and the requests to it. */
async function createWatchedGateway() {
  const gateway = await createTestGateway({ directory: createFakeDirectory() });
  onTestFinished(gateway.close);
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const text = request.method === 'GET' ? decodeURIComponent(request.url) : await request.clone().text();
    sent.push({ method: request.method, hasQuery: text.includes('query Name') });
    return gateway.app.fetch(request);
  };
  return { fetch, sent };
}

describe.each([false, true])('Apollo Client, with GET: %s', (useGETForHashedQueries) => {
  test('registers a query at the first use, and then sends only its hash', async () => {
    const { fetch, sent } = await createWatchedGateway();
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: ApolloLink.from([
        new PersistedQueryLink({ sha256, useGETForHashedQueries }),
        new HttpLink({ uri: 'http://gateway.test/graphql', fetch }),
      ]),
    });
    onTestFinished(() => client.stop());
    for (let round = 0; round < 2; round += 1) {
      const { data, error } = await client.query({ query: gql(QUERY), variables, fetchPolicy: 'no-cache' });
      expect(error).toBeUndefined();
      expect(data).toMatchObject({ doi: { name: '10.5555/1' } });
    }
    const byHash = { method: useGETForHashedQueries ? 'GET' : 'POST', hasQuery: false };
    expect(sent).toEqual([byHash, { method: 'POST', hasQuery: true }, byHash]);
  });
});

describe.each([false, 'force'] as const)('urql, preferGetMethod: %s', (preferGetMethod) => {
  test('gets the error that it expects for an unknown hash, registers the query, and then sends only its hash', async () => {
    const { fetch, sent } = await createWatchedGateway();
    const url = 'http://gateway.test/graphql';
    const client = new Client({ url, fetch, preferGetMethod, exchanges: [fetchExchange] });
    const send = (persistedQuery: { readonly sha256Hash: string }, isRetry = false) => {
      const request = createRequest(QUERY, variables, { persistedQuery });
      const operation = client.createRequestOperation('query', request);
      // If the gateway does not know the hash, the exchange sends the query by POST.
      const context = { ...operation.context, ...(isRetry && { preferGetMethod: false }) };
      return client.executeRequestOperation(makeOperation('query', operation, context)).toPromise();
    };
    const { query } = createRequest(QUERY, variables);
    const sha256Hash = sha256(query.loc?.source.body ?? '');
    const hashed = { version: 1, sha256Hash };

    const missed = await send(hashed);
    expect(missed.error?.networkError).toBeUndefined();
    expect(missed.error?.graphQLErrors.map(({ message }) => message)).toEqual(['PersistedQueryNotFound']);
    for (const persistedQuery of [{ ...hashed, miss: true }, hashed]) {
      const { data, error } = await send(persistedQuery, 'miss' in persistedQuery);
      expect(error).toBeUndefined();
      expect(data).toMatchObject({ doi: { name: '10.5555/1' } });
    }
    expect(sent.map(({ hasQuery }) => hasQuery)).toEqual([false, true, false]);
  });
});
