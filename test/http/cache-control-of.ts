// Gateways under test, and the Cache-Control of their GraphQL responses.

import { expect, onTestFinished } from 'vitest';
import type { AppParts } from '../../src/app.ts';
import {
  createFakeDirectory,
  type FakeDirectoryOptions,
  NOW,
  type RecordBehaviour,
  urlValue,
} from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';

export interface GraphqlClient {
  get(query: string, accept?: string): Promise<Response>;
  post(query: string, accept?: string): Promise<Response>;
}

/** The client of a gateway over a fake directory. The gateway's clock is `laterMs` ahead of the directory's clock. */
export async function clientOver(options: FakeDirectoryOptions, laterMs = 0): Promise<GraphqlClient> {
  return clientOf({ directory: createFakeDirectory(options), clock: () => NOW + laterMs });
}

export async function clientOf(parts: AppParts): Promise<GraphqlClient> {
  const { app, close } = await createTestGateway(parts);
  onTestFinished(close);
  const endpoint = 'http://gateway.test/graphql';
  return {
    get: (query, accept = 'application/json') =>
      app.fetch(new Request(`${endpoint}?${new URLSearchParams({ query })}`, { headers: { accept } })),
    post: (query, accept = 'application/json') =>
      app.fetch(
        new Request(endpoint, {
          method: 'POST',
          headers: { accept, 'content-type': 'application/json' },
          body: JSON.stringify({ query }),
        }),
      ),
  };
}

/** The Cache-Control of a query, the same for GET and POST. */
export async function cacheControlOf(client: GraphqlClient, query: string): Promise<string | null> {
  const [got, posted] = [await client.get(query), await client.post(query)];
  expect(got.headers.get('cache-control')).toBe(posted.headers.get('cache-control'));
  for (const { headers } of [got, posted]) {
    expect(headers.get('vary')).toBe('Accept');
    expect(headers.has('expires')).toBe(false);
  }
  return got.headers.get('cache-control');
}

export const doiQuery = (fields: string, name = '10.1000/1') => `{ doi(input: "${name}") { ${fields} } }`;
export const ttl = (seconds: unknown): RecordBehaviour => [
  urlValue('https://example.org/', { ttl: seconds }),
];
export const aliasTo = (name: string, seconds: number): RecordBehaviour => [
  urlValue(name, { type: 'HS_ALIAS', ttl: seconds }),
];
export const locations = (xml: string): RecordBehaviour => [
  {
    index: 1,
    type: '10320/loc',
    ttl: 600,
    data: { format: 'string', value: `<locations>${xml}</locations>` },
  },
];
