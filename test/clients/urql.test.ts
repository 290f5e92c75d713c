// The real urql with its normalized cache, which keeps two spellings of one DOI apart.

import * as urql from '@urql/core';
import { type AnyVariables, Client, fetchExchange } from '@urql/core';
import { type CacheExchangeOpts, cacheExchange } from '@urql/exchange-graphcache';
import { isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { createTestGateway } from '../support/gateway.ts';
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
import { runShown, shownBlock } from './shown-code.ts';

const SECTION = '### urql with Graphcache';

interface Rows {
  readonly dois: readonly unknown[];
}

const variables = { inputs: SPELLINGS };
const BAD_AMONG_GOOD = ['10.1000/abc', 'nonsense', '10.1000/ABC'];

/** What the command that docs/clients.md shows writes. */
async function readIntrospection(): Promise<unknown> {
  const [, body = ''] = /-d '(.*)' > introspection\.json$/m.exec(shownBlock(SECTION, 'sh')) ?? [];
  const { query } = JSON.parse(body) as { query: string };
  const gateway = await createTestGateway();
  const answer = await gateway.query(query);
  await gateway.close();
  return answer;
}

/** The client that docs/clients.md shows, the options of its cache, and what that complains of. */
async function createShownClient() {
  const complaints: string[] = [];
  let options: Partial<CacheExchangeOpts> = {};
  const watchedExchange = (given: Partial<CacheExchangeOpts>) => {
    options = given;
    return cacheExchange({ ...given, logger: noteIn(complaints) });
  };
  const { client } = runShown<{ client: Client }>(SECTION, {
    '@urql/core': urql,
    '@urql/exchange-graphcache': { cacheExchange: watchedExchange },
    './introspection.json': await readIntrospection(),
  });
  return { query: queryBy(client), complaints, options };
}

/** One whose cache is told something else, or nothing. */
function createOtherClient(config: Partial<CacheExchangeOpts>) {
  const complaints: string[] = [];
  const cache = cacheExchange({ ...config, logger: noteIn(complaints) });
  const url = 'http://localhost:4000/graphql';
  const client = new Client({ url, exchanges: [cache, fetchExchange], preferGetMethod: false });
  return { query: queryBy(client), complaints };
}

function queryBy(client: Client) {
  return (text: string, given: AnyVariables = variables) => client.query<Rows>(text, given).toPromise();
}

function noteIn(complaints: string[]): NonNullable<CacheExchangeOpts['logger']> {
  return (severity, message) => {
    if (severity !== 'debug') complaints.push(message);
  };
}

describe('urql', () => {
  test('keeps each spelling of a DOI as its own row, with its own record', async () => {
    const catalog = await createCatalog();
    const { query, complaints } = await createShownClient();
    const { data, error } = await query(ROWS_QUERY);
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ dois: SPELLINGS.map(expectedRow) });
    expect(catalog.requests()).toBe(1);
    expect(catalog.calls).toEqual(ONE_LOOK_UP);
    expect(complaints).toEqual([]);
  });

  test('answers a second read from its cache', async () => {
    const catalog = await createCatalog();
    const { query } = await createShownClient();
    const first = await query(ROWS_QUERY);
    const second = await query(ROWS_QUERY);
    expect(second.data).toEqual(first.data);
    expect(second.data).toMatchObject({ dois: SPELLINGS.map(expectedRow) });
    expect(catalog.requests()).toBe(1);
    expect(catalog.calls).toEqual(ONE_LOOK_UP);
  });

  test('keeps what it has when a later query selects other fields', async () => {
    const catalog = await createCatalog();
    const { query, complaints } = await createShownClient();
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
    await createCatalog();
    const { query, complaints } = createOtherClient({});
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

  test.each([PLAIN_QUERY, ROWS_QUERY])(
    'shows the rows that are good beside one that is not: %s',
    async (text) => {
      const catalog = await createCatalog();
      const { query, complaints } = await createShownClient();
      for (const request of [1, 2]) {
        const { data, error } = await query(text, { inputs: BAD_AMONG_GOOD });
        expect(data).toMatchObject({ dois: [{ name: '10.1000/abc' }, null, { name: '10.1000/ABC' }] });
        expect(error?.graphQLErrors).toMatchObject([
          { path: ['dois', 1], extensions: { code: 'INVALID_DOI' } },
        ]);
        // What failed is not kept: it is asked for again.
        expect(catalog.requests()).toBe(request);
      }
      expect(complaints).toEqual([]);
    },
  );

  test('without the schema would show none of them', async () => {
    await createCatalog();
    const { options } = await createShownClient();
    const { query } = createOtherClient({ keys: options.keys ?? {}, possibleTypes: implementations() });
    const { data, error } = await query(PLAIN_QUERY, { inputs: BAD_AMONG_GOOD });
    expect(data).toBeNull();
    expect(error?.graphQLErrors).toHaveLength(1);
  });
});

test('the cache configuration has a key for every type without id', async () => {
  const { options } = await createShownClient();
  const objects = Object.values(schema.getTypeMap()).filter(isObjectType);
  const withoutId = objects.filter(
    (type) => !type.name.startsWith('_') && type !== schema.getQueryType() && !type.getFields()['id'],
  );
  expect(new Set(Object.keys(options.keys ?? {}))).toEqual(new Set(withoutId.map(({ name }) => name)));
});
