// The real Apollo Client: its normalized cache keeps two spellings of one DOI apart.

import { ApolloClient, gql, HttpLink, InMemoryCache, type InMemoryCacheConfig } from '@apollo/client';
import { getNamedType, isListType, isNonNullType, isObjectType } from 'graphql';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import {
  type Catalog,
  createCatalog,
  expectedRow,
  ONE_LOOK_UP,
  OTHER_FIELDS_QUERY,
  POSSIBLE_TYPES,
  ROWS_QUERY,
  SPELLINGS,
} from './catalog.ts';

/** As docs/clients.md has it. Everything with an `id` is keyed by it without being told so. */
const CACHE = {
  possibleTypes: POSSIBLE_TYPES,
  typePolicies: {
    // Select `name` wherever you select an agency or a prefix, and `handle` with every shortDOI.
    RegistrationAgency: { keyFields: ['name'] },
    DOIPrefix: { keyFields: ['name'] },
    ShortDOI: { keyFields: ['handle'] },
    // These belong to what they stand in: what a later query selects is added to what is there.
    DOIDirectory: { merge: true },
    DOIEquivalence: { merge: true },
    DOIEquivalenceClasses: { merge: true },
    DOIProblem: { merge: true },
    // A choice is one thing: the parts of two would not fit each other.
    DOILocation: { merge: false },
    DOIRedirect: { merge: false },
    HandleAlias: { merge: true },
    HandleRecord: { merge: true },
    ParsedDOI: { merge: true },
    WhichRA: { merge: true },
  },
} as const satisfies InMemoryCacheConfig;

const ROWS = gql(ROWS_QUERY);
const OTHER_FIELDS = gql(OTHER_FIELDS_QUERY);
const variables = { inputs: SPELLINGS };

function createClient({ fetch }: Catalog, config: InMemoryCacheConfig = CACHE) {
  const cache = new InMemoryCache(config);
  const client = new ApolloClient({
    cache,
    link: new HttpLink({ uri: 'http://gateway.test/graphql', fetch }),
  });
  onTestFinished(() => client.stop());
  return { client, cache };
}

/** Apollo Client complains in the console alone. */
function watchConsole() {
  const complaints = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')];
  for (const spy of complaints) {
    spy.mockImplementation(() => undefined);
    onTestFinished(() => spy.mockRestore());
  }
  return () => complaints.flatMap((spy) => spy.mock.calls);
}

describe('Apollo Client', () => {
  test('keeps each spelling of a DOI as its own row, with its own record', async () => {
    const complaints = watchConsole();
    const catalog = await createCatalog();
    const { client, cache } = createClient(catalog);
    const { data, error } = await client.query({ query: ROWS, variables });
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ dois: SPELLINGS.map(expectedRow) });
    expect(Object.keys(cache.extract())).toEqual(
      expect.arrayContaining([
        'DOI:doi:10.1000/abc',
        'DOI:doi:10.1000/ABC',
        'RegistrationAgency:{"name":"Crossref"}',
      ]),
    );
    expect(catalog.requests()).toBe(1);
    expect(catalog.calls).toEqual(ONE_LOOK_UP);
    expect(complaints()).toEqual([]);
  });

  test('answers a second read from its cache', async () => {
    const catalog = await createCatalog();
    const { client } = createClient(catalog);
    const first = await client.query({ query: ROWS, variables });
    const second = await client.query({ query: ROWS, variables });
    expect(second.data).toEqual(first.data);
    expect(client.readQuery({ query: ROWS, variables })).toEqual(first.data);
    expect(catalog.requests()).toBe(1);
    expect(catalog.calls).toEqual(ONE_LOOK_UP);
  });

  test('keeps what it has when a later query selects other fields', async () => {
    const complaints = watchConsole();
    const catalog = await createCatalog();
    const { client } = createClient(catalog);
    const first = await client.query({ query: ROWS, variables });
    const other = await client.query({ query: OTHER_FIELDS, variables });
    expect(other.data).toMatchObject({
      dois: SPELLINGS.map((name) => ({
        url: `https://doi.org/${name}`,
        record: { urls: [{ text: 'https://example.org/' }] },
      })),
    });
    expect((await client.query({ query: ROWS, variables })).data).toEqual(first.data);
    expect((await client.query({ query: OTHER_FIELDS, variables })).data).toEqual(other.data);
    expect(catalog.requests()).toBe(2);
    expect(complaints()).toEqual([]);
  });

  test('without the merge policies would forget the one record for the other, and say so', async () => {
    const complaints = watchConsole();
    const catalog = await createCatalog();
    const { client } = createClient(catalog, { possibleTypes: CACHE.possibleTypes });
    await client.query({ query: ROWS, variables });
    await client.query({ query: OTHER_FIELDS, variables });
    await client.query({ query: ROWS, variables });
    expect(catalog.requests()).toBe(3);
    expect(complaints()).not.toEqual([]);
  });

  test('shows the rows that are good beside one that is not', async () => {
    const catalog = await createCatalog();
    const { client } = createClient(catalog);
    const { data, error } = await client.query({
      query: ROWS,
      variables: { inputs: ['10.1000/abc', 'nonsense', '10.1000/ABC'] },
      errorPolicy: 'all',
    });
    expect(data).toMatchObject({ dois: [expectedRow('10.1000/abc'), null, expectedRow('10.1000/ABC')] });
    expect(error).toMatchObject({ errors: [{ path: ['dois', 1], extensions: { code: 'INVALID_DOI' } }] });
    expect(catalog.calls).toEqual(ONE_LOOK_UP);
  });
});

describe('the cache configuration', () => {
  test('names every implementation of every interface', () => {
    const possibleTypes: Record<string, string[]> = {};
    for (const type of Object.values(schema.getTypeMap())) {
      if (!isObjectType(type)) continue;
      for (const { name } of type.getInterfaces())
        possibleTypes[name] = [...(possibleTypes[name] ?? []), type.name];
    }
    expect(CACHE.possibleTypes).toEqual(possibleTypes);
  });

  test('has a policy for every type without id of which an object stands alone, not in a list', () => {
    expect(new Set(Object.keys(CACHE.typePolicies))).toEqual(standingAlone());
  });
});

/** Types without `id` that a keyed object, or one that is merged, holds as a single object. */
function standingAlone(): Set<string> {
  const found = new Set<string>();
  const pending = ['Query', 'DOI'];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const type = schema.getType(next);
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      // What federated gateways ask.
      if (field.name.startsWith('_')) continue;
      const bare = isNonNullType(field.type) ? field.type.ofType : field.type;
      const target = getNamedType(bare);
      if (isListType(bare) || !isObjectType(target) || target.getFields()['id'] || found.has(target.name))
        continue;
      found.add(target.name);
      pending.push(target.name);
    }
  }
  return found;
}
