// A catalog of a front-end whose rows spell one DOI in two ways.

import { isObjectType } from 'graphql';
import { onTestFinished, vi } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { createFakeDirectory, type FakeDirectory, urlValue } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';

export const SPELLINGS = ['10.1000/abc', '10.1000/ABC'];

export const ROWS_QUERY = `query Rows($inputs: [String!]!) {
  dois(inputs: $inputs) {
    id name canonicalName
    record { status handle values { index type data { format ... on HandleData { again: format } ... on HandleStringData { value } ... on HandleAdminData { grants } } } }
    registrationAgency { name title }
    whichRa { status agency { name } }
  }
}`;

/** The query has no fragment. With fragments, a cache without the schema could not read the valid rows. */
export const PLAIN_QUERY = `query Plain($inputs: [String!]!) {
  dois(inputs: $inputs) { id name exists registrationAgency { name } }
}`;

/** The row of a spelling in the first query, without the `__typename` that clients add. */
export function expectedRow(name: string) {
  return {
    id: `doi:${name}`,
    name,
    canonicalName: '10.1000/abc',
    record: {
      status: 'SUCCESS',
      handle: name,
      values: [
        { index: 1, type: 'URL', data: { format: 'string', again: 'string', value: 'https://example.org/' } },
        { index: 100, type: 'HS_ADMIN', data: { format: 'admin', again: 'admin', grants: ['ADD_HANDLE'] } },
      ],
    },
    registrationAgency: { name: 'Crossref', title: 'Crossref' },
    whichRa: { status: 'FOUND', agency: { name: 'Crossref' } },
  };
}

/** Other fields of the same rows. */
export const OTHER_FIELDS_QUERY = `query OtherFields($inputs: [String!]!) {
  dois(inputs: $inputs) {
    id
    url
    record { fetchedAt urls: values(types: ["URL"]) { text } }
    registrationAgency { name homepageUrl }
    whichRa { message }
  }
}`;

export interface Catalog {
  /** the number of requests of the client */
  requests(): number;
  /** the look-ups of the requests */
  readonly calls: FakeDirectory['calls'];
}

/** A gateway with one DOI, which gets all requests to `http://localhost:4000`. */
export async function createCatalog(): Promise<Catalog> {
  const admin = { handle: '0.na/10.1000', index: 200, permissions: '000000000001' };
  const directory = createFakeDirectory({
    records: {
      '10.1000/abc': [
        urlValue('https://example.org/'),
        { index: 100, type: 'HS_ADMIN', data: { format: 'admin', value: admin }, ttl: 86_400 },
      ],
    },
    agencies: { '10.1000/abc': { status: 'FOUND', agency: 'Crossref' } },
  });
  const gateway = await createTestGateway({ directory });
  onTestFinished(gateway.close);
  let requests = 0;
  const fetch: typeof globalThis.fetch = (input, init) => {
    requests += 1;
    const request = new Request(input, init);
    if (!request.url.startsWith('http://localhost:4000/')) throw new Error(`Nothing is at ${request.url}.`);
    return gateway.app.fetch(request);
  };
  vi.stubGlobal('fetch', fetch);
  return { requests: () => requests, calls: directory.calls };
}

/** Each interface of the schema with its implementations. */
export function implementations(): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const { name } of type.getInterfaces()) found[name] = [...(found[name] ?? []), type.name];
  }
  return found;
}

/** The cost of one request for two spellings: one look-up of the record and one of the agency. */
export const ONE_LOOK_UP = {
  resolve: [{ name: '10.1000/abc', auth: false, cert: false }],
  whichRa: [['10.1000/abc']],
};
