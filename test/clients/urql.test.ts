// The real urql with its normalized cache, which keeps two spellings of one DOI apart.

import { type AnyVariables, Client, fetchExchange } from '@urql/core';
import { type CacheExchangeOpts, cacheExchange } from '@urql/exchange-graphcache';
import { isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
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

const embedded = () => null;

/** As docs/clients.md has it. Everything with an `id` is keyed by it without being told so. */
const CACHE = {
  possibleTypes: POSSIBLE_TYPES,
  keys: {
    // Select `name` wherever you select an agency or a prefix, and `handle` with every shortDOI.
    RegistrationAgency: ({ name }) => (typeof name === 'string' ? name : null),
    DOIPrefix: ({ name }) => (typeof name === 'string' ? name : null),
    ShortDOI: ({ handle }) => (typeof handle === 'string' ? handle : null),
    // These have no id: they belong to what they stand in.
    DOICharacter: embedded,
    DOIDirectory: embedded,
    DOIEncoding: embedded,
    DOIEquivalence: embedded,
    DOIEquivalenceClass: embedded,
    DOIEquivalenceClassMember: embedded,
    DOIEquivalenceClasses: embedded,
    DOILocation: embedded,
    DOILocationAttribute: embedded,
    DOIMatch: embedded,
    DOIProblem: embedded,
    DOIRedirect: embedded,
    DOIWarning: embedded,
    HandleAdminData: embedded,
    HandleAlias: embedded,
    HandleBinaryData: embedded,
    HandleKeyData: embedded,
    HandleOtherData: embedded,
    HandleRecord: embedded,
    HandleReference: embedded,
    HandleSiteData: embedded,
    HandleStringData: embedded,
    HandleValue: embedded,
    HandleValueListData: embedded,
    ParsedDOI: embedded,
    ProxyParameter: embedded,
    RedirectWarning: embedded,
    UnreadableDOI: embedded,
    WhichRA: embedded,
  },
} as const satisfies Partial<CacheExchangeOpts>;

interface Rows {
  readonly dois: readonly unknown[];
}

const variables = { inputs: SPELLINGS };

/**
 * A client, and what its cache complains of. Where values of several formats stand in one list, it says in
 * development that the fields of each fragment are undefined in the others: that is so, and harmless.
 */
function createClient({ fetch }: Catalog, config: Partial<CacheExchangeOpts> = CACHE) {
  const complaints: string[] = [];
  const logger: CacheExchangeOpts['logger'] = (severity, message) => {
    if (severity !== 'debug' && !message.startsWith('Invalid undefined')) complaints.push(message);
  };
  const client = new Client({
    url: 'http://gateway.test/graphql',
    exchanges: [cacheExchange({ ...config, logger }), fetchExchange],
    preferGetMethod: false,
    fetch,
  });
  const query = (text: string, given: AnyVariables = variables) =>
    client.query<Rows>(text, given).toPromise();
  return { query, complaints };
}

describe('urql', () => {
  test('keeps each spelling of a DOI as its own row, with its own record', async () => {
    const catalog = await createCatalog();
    const { query, complaints } = createClient(catalog);
    const { data, error } = await query(ROWS_QUERY);
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ dois: SPELLINGS.map(expectedRow) });
    expect(catalog.requests()).toBe(1);
    expect(catalog.calls).toEqual(ONE_LOOK_UP);
    expect(complaints).toEqual([]);
  });

  test('answers a second read from its cache', async () => {
    const catalog = await createCatalog();
    const { query } = createClient(catalog);
    const first = await query(ROWS_QUERY);
    const second = await query(ROWS_QUERY);
    expect(second.data).toEqual(first.data);
    expect(second.data).toMatchObject({ dois: SPELLINGS.map(expectedRow) });
    expect(catalog.requests()).toBe(1);
    expect(catalog.calls).toEqual(ONE_LOOK_UP);
  });

  test('keeps what it has when a later query selects other fields', async () => {
    const catalog = await createCatalog();
    const { query, complaints } = createClient(catalog);
    const first = await query(ROWS_QUERY);
    const other = await query(OTHER_FIELDS_QUERY);
    expect(other.data).toMatchObject({
      dois: SPELLINGS.map((name) => ({
        url: `https://doi.org/${name}`,
        record: { urls: [{ text: 'https://example.org/' }] },
      })),
    });
    expect((await query(ROWS_QUERY)).data).toEqual(first.data);
    expect((await query(OTHER_FIELDS_QUERY)).data).toEqual(other.data);
    expect(catalog.requests()).toBe(2);
    expect(complaints).toEqual([]);
  });

  test('without the configuration complains of every type that has no id', async () => {
    const catalog = await createCatalog();
    const { query, complaints } = createClient(catalog, {});
    await query(ROWS_QUERY);
    const named = [
      'HandleRecord',
      'HandleValue',
      'HandleStringData',
      'HandleAdminData',
      'WhichRA',
      'RegistrationAgency',
    ];
    for (const type of named) expect(complaints.join('\n')).toContain(`\`${type}\``);
  });

  test('shows the rows that are good beside one that is not', async () => {
    const catalog = await createCatalog();
    const { query } = createClient(catalog);
    const { data, error } = await query(ROWS_QUERY, { inputs: ['10.1000/abc', 'nonsense', '10.1000/ABC'] });
    expect(data).toMatchObject({ dois: [expectedRow('10.1000/abc'), null, expectedRow('10.1000/ABC')] });
    expect(error?.graphQLErrors).toMatchObject([{ path: ['dois', 1], extensions: { code: 'INVALID_DOI' } }]);
    expect(catalog.calls).toEqual(ONE_LOOK_UP);
  });
});

describe('the cache configuration', () => {
  const objects = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !type.name.startsWith('_') && type !== schema.getQueryType(),
  );

  test('has a key for every type without id', () => {
    const withoutId = objects.filter((type) => isObjectType(type) && !type.getFields()['id']);
    expect(new Set(Object.keys(CACHE.keys))).toEqual(new Set(withoutId.map(({ name }) => name)));
  });

  test('names every implementation of every interface', () => {
    const possibleTypes: Record<string, string[]> = {};
    for (const type of objects) {
      for (const { name } of isObjectType(type) ? type.getInterfaces() : []) {
        possibleTypes[name] = [...(possibleTypes[name] ?? []), type.name];
      }
    }
    expect(CACHE.possibleTypes).toEqual(possibleTypes);
  });
});
