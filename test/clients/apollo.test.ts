// The real Apollo Client: its normalized cache keeps two spellings of one DOI apart.

import * as apollo from '@apollo/client';
import { type ApolloClient, gql, type InMemoryCache, type InMemoryCacheConfig } from '@apollo/client';
import * as incremental from '@apollo/client/incremental';
import { getNamedType, isListType, isNonNullType, isObjectType } from 'graphql';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { startGateway } from '../support/gateway.ts';
import { createHeldDirectory } from '../support/held-directory.ts';
import {
  createCatalog,
  expectedRow,
  implementations,
  ONE_LOOK_UP,
  OTHER_FIELDS_QUERY,
  PLAIN_QUERY,
  ROWS_QUERY,
  SPELLINGS,
} from './catalog.ts';
import { runShown } from './shown-code.ts';

const MODULES = { '@apollo/client': apollo, '@apollo/client/incremental': incremental };

const ROWS = gql(ROWS_QUERY);
const OTHER_FIELDS = gql(OTHER_FIELDS_QUERY);
const variables = { inputs: SPELLINGS };

/** The client that docs/clients.md shows. */
function createClient() {
  const { client } = runShown<{ client: ApolloClient }>('### Apollo Client', MODULES);
  onTestFinished(() => client.stop());
  return client;
}

/** The cache options of this client. */
function cacheOptions(): InMemoryCacheConfig {
  return (createClient().cache as unknown as { config: InMemoryCacheConfig }).config;
}

/** Apollo Client writes its warnings only to the console. */
function watchConsole() {
  const warnings = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')];
  for (const spy of warnings) {
    spy.mockImplementation(() => undefined);
    onTestFinished(() => spy.mockRestore());
  }
  return () => warnings.flatMap((spy) => spy.mock.calls);
}

describe('Apollo Client', () => {
  test('keeps a row and a record for each spelling of a DOI', async () => {
    const warnings = watchConsole();
    const catalog = await createCatalog();
    const client = createClient();
    const { data, error } = await client.query({ query: ROWS, variables });
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ dois: SPELLINGS.map(expectedRow) });
    expect(Object.keys((client.cache as InMemoryCache).extract())).toEqual(
      expect.arrayContaining([
        'DOI:doi:10.1000/abc',
        'DOI:doi:10.1000/ABC',
        'RegistrationAgency:{"name":"Crossref"}',
      ]),
    );
    expect(catalog.requests()).toBe(1);
    expect(catalog.calls).toEqual(ONE_LOOK_UP);
    expect(warnings()).toEqual([]);
  });

  test('keeps the fields of an earlier query after a query of other fields', async () => {
    const warnings = watchConsole();
    const catalog = await createCatalog();
    const client = createClient();
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
    expect(warnings()).toEqual([]);
  });

  test.each([PLAIN_QUERY, ROWS_QUERY])('shows the valid rows beside an invalid row: %s', async (text) => {
    const catalog = await createCatalog();
    const inputs = ['10.1000/abc', 'nonsense', '10.1000/ABC'];
    const { data, error } = await createClient().query({ query: gql(text), variables: { inputs } });
    expect(data).toMatchObject({ dois: [{ name: '10.1000/abc' }, null, { name: '10.1000/ABC' }] });
    expect(error).toMatchObject({ errors: [{ path: ['dois', 1], extensions: { code: 'INVALID_DOI' } }] });
    expect(catalog.calls).toEqual(ONE_LOOK_UP);
  });
});

describe('a list with @defer', () => {
  interface Shown {
    readonly data?: unknown;
    readonly error?: unknown;
    readonly dataState: string;
  }
  const DEFERRED_ROWS = gql`query Rows($inputs: [String!]!) { dois(inputs: $inputs) { id name ... @defer { exists } } }`;

  const row = (name: string, more: object = {}) => ({ __typename: 'DOI', id: `doi:${name}`, name, ...more });
  const error = { errors: [{ path: ['dois', 1], extensions: { code: 'INVALID_DOI' } }] };

  async function watchOverTheNetwork(client: ApolloClient) {
    const directory = createHeldDirectory();
    const gateway = await startGateway({ directory });
    onTestFinished(gateway.close);
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', (input: string, init: RequestInit) =>
      fetch(input.replace('http://localhost:4000', gateway.url), init),
    );
    const inputs = ['10.1000/a', 'nonsense', '10.1000/b'];
    const shown: Shown[] = [];
    const watched = client.watchQuery({ query: DEFERRED_ROWS, variables: { inputs } });
    const watching = watched.subscribe((result) => shown.push(result));
    onTestFinished(() => watching.unsubscribe());
    return { directory, shown };
  }

  test('has each valid row at once, and its deferred fields later', async () => {
    const { directory, shown } = await watchOverTheNetwork(createClient());
    await expect
      .poll(() => shown.at(-1))
      .toMatchObject({
        dataState: 'streaming',
        data: { dois: [row('10.1000/a'), null, row('10.1000/b')] },
        error,
      });
    directory.answer('10.1000/a');
    directory.answer('10.1000/b');
    await expect
      .poll(() => shown.at(-1))
      .toMatchObject({
        dataState: 'complete',
        data: { dois: [row('10.1000/a', { exists: false }), null, row('10.1000/b', { exists: false })] },
        error,
      });
  });
});

describe('the cache configuration', () => {
  test('names every implementation of every interface', () => {
    expect(cacheOptions().possibleTypes).toEqual(implementations());
  });

  test('has a policy for each type without `id` that a field returns as a single object', () => {
    expect(new Set(Object.keys(cacheOptions().typePolicies ?? {}))).toEqual(typesWithoutId());
  });
});

/** The object types without `id` that single fields, and not lists, reach from Query or DOI. */
function typesWithoutId(): Set<string> {
  const found = new Set<string>();
  const pending = ['Query', 'DOI'];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const type = schema.getType(next);
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
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
