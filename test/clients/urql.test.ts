// The real urql with its normalized cache, which keeps two spellings of one DOI apart.

import type { AnyVariables, Client } from '@urql/core';
import * as urql from '@urql/core';
import { type CacheExchangeOpts, cacheExchange } from '@urql/exchange-graphcache';
import { isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { createTestGateway } from '../support/gateway.ts';
import {
  createCatalog,
  expectedRow,
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
const ONE_INVALID = ['10.1000/abc', 'nonsense', '10.1000/ABC'];

/** The output of the command that docs/clients.md shows. */
async function readIntrospection(): Promise<unknown> {
  const [, body = ''] = /-d '(.*)' > introspection\.json$/m.exec(shownBlock(SECTION, 'sh')) ?? [];
  const { query } = JSON.parse(body) as { query: string };
  const gateway = await createTestGateway();
  const result = await gateway.query(query);
  await gateway.close();
  return result;
}

/** The client that docs/clients.md shows, the options of its cache, and the warnings of the cache. */
async function createShownClient() {
  const warnings: string[] = [];
  let options: Partial<CacheExchangeOpts> = {};
  const watchedExchange = (given: Partial<CacheExchangeOpts>) => {
    options = given;
    return cacheExchange({ ...given, logger: noteIn(warnings) });
  };
  const { client } = runShown<{ client: Client }>(SECTION, {
    '@urql/core': urql,
    '@urql/exchange-graphcache': { cacheExchange: watchedExchange },
    './introspection.json': await readIntrospection(),
  });
  return { query: queryBy(client), warnings, options };
}

function queryBy(client: Client) {
  return (text: string, given: AnyVariables = variables) => client.query<Rows>(text, given).toPromise();
}

function noteIn(warnings: string[]): NonNullable<CacheExchangeOpts['logger']> {
  return (severity, message) => {
    if (severity !== 'debug') warnings.push(message);
  };
}

describe('urql', () => {
  test('keeps a row and a record for each spelling of a DOI', async () => {
    const catalog = await createCatalog();
    const { query, warnings } = await createShownClient();
    const { data, error } = await query(ROWS_QUERY);
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ dois: SPELLINGS.map(expectedRow) });
    expect(catalog.requests()).toBe(1);
    expect(catalog.calls).toEqual(ONE_LOOK_UP);
    expect(warnings).toEqual([]);
  });

  test('keeps the fields of an earlier query after a query of other fields', async () => {
    const catalog = await createCatalog();
    const { query, warnings } = await createShownClient();
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
    expect(warnings).toEqual([]);
  });

  test.each([PLAIN_QUERY, ROWS_QUERY])('shows the valid rows beside an invalid row: %s', async (text) => {
    const catalog = await createCatalog();
    const { query, warnings } = await createShownClient();
    for (const request of [1, 2]) {
      const { data, error } = await query(text, { inputs: ONE_INVALID });
      expect(data).toMatchObject({ dois: [{ name: '10.1000/abc' }, null, { name: '10.1000/ABC' }] });
      expect(error?.graphQLErrors).toMatchObject([
        { path: ['dois', 1], extensions: { code: 'INVALID_DOI' } },
      ]);
      // The cache keeps no failed row.
      expect(catalog.requests()).toBe(request);
    }
    expect(warnings).toEqual([]);
  });
});

test('the cache configuration has a key for each type without `id`', async () => {
  const { options } = await createShownClient();
  const objects = Object.values(schema.getTypeMap()).filter(isObjectType);
  const withoutId = objects.filter(
    (type) => !type.name.startsWith('_') && type !== schema.getQueryType() && !type.getFields()['id'],
  );
  expect(new Set(Object.keys(options.keys ?? {}))).toEqual(new Set(withoutId.map(({ name }) => name)));
});
