// Gateways to ask how long their GraphQL responses may be kept.

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

export interface Asked {
  get(query: string, accept?: string): Promise<Response>;
  post(query: string, accept?: string): Promise<Response>;
}

/** A gateway whose clock stands `laterMs` after that of its directory. */
export async function over(options: FakeDirectoryOptions, laterMs = 0): Promise<Asked> {
  return serving({ directory: createFakeDirectory(options), clock: () => NOW + laterMs });
}

export async function serving(parts: AppParts): Promise<Asked> {
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

/** What GET and POST say, which is the same. */
export async function keeping(gateway: Asked, query: string): Promise<string | null> {
  const [got, posted] = [await gateway.get(query), await gateway.post(query)];
  expect(got.headers.get('cache-control')).toBe(posted.headers.get('cache-control'));
  for (const { headers } of [got, posted]) {
    expect(headers.get('vary')).toBe('Accept');
    expect(headers.has('expires')).toBe(false);
  }
  return got.headers.get('cache-control');
}

export const aDoi = (fields: string, name = '10.1000/1') => `{ doi(input: "${name}") { ${fields} } }`;
export const ttl = (seconds: unknown): RecordBehaviour => [
  urlValue('https://example.org/', { ttl: seconds }),
];
export const aliasOf = (name: string, seconds: number): RecordBehaviour => [
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
