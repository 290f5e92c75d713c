// MAX_LOOKUPS limits the look-ups of one operation: those of all fields, lists and alias chains together.

import { describe, expect, onTestFinished, test } from 'vitest';
import type { Directory, KeptAnswer } from '../../src/directory/directory.ts';
import type { HandleRecord } from '../../src/handle/record.ts';
import { keptForever, memoryWith } from '../support/directory-memory.ts';
import { startDirectoryServer } from '../support/directory-server.ts';
import { createFakeDirectory, type FakeDirectoryOptions, urlValue } from '../support/fake-directory.ts';
import { createTestGateway, type GraphqlError } from '../support/gateway.ts';

const VALUES = [urlValue('https://example.org/')];
const aliasTo = (handle: string) => [urlValue(handle, { type: 'HS_ALIAS' })];

async function gatewayWith(maxLookups: number, options: FakeDirectoryOptions = {}) {
  const fake = createFakeDirectory(options);
  return { ...(await gatewayOver(fake, maxLookups)), calls: fake.calls };
}

async function gatewayOver(directory: Directory, maxLookups: number) {
  const gateway = await createTestGateway({ directory }, { MAX_LOOKUPS: String(maxLookups) });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** The paths at which the look-ups were too many. */
function refusedPaths(errors: readonly GraphqlError[] = [], maxLookups: number) {
  return errors.map(({ path, message, extensions }) => {
    expect(extensions).toMatchObject({ code: 'TOO_MANY_LOOKUPS', maxLookups });
    expect(message).toContain(`more than the ${maxLookups} look-ups`);
    return path?.join('.');
  });
}

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `10.1000/${i}`);
const EXISTS = 'query ($inputs: [String!]!) { dois(inputs: $inputs) { exists } }';

describe('in a list', () => {
  test('the names within the limit are answered, and each further name has an error at its path', async () => {
    const { query, calls } = await gatewayWith(20);
    expect((await query(EXISTS, { inputs: names(20) })).errors).toBeUndefined();
    expect(calls.resolve.splice(0)).toHaveLength(20);
    const { data, errors } = await query(EXISTS, { inputs: names(22) });
    expect(refusedPaths(errors, 20)).toEqual(['dois.20.exists', 'dois.21.exists']);
    expect(data['dois']).toEqual([...Array(20).fill({ exists: false }), { exists: null }, { exists: null }]);
    expect(calls.resolve).toHaveLength(20);
  });

  test('a name counts once, in any number of spellings and fields', async () => {
    const { query, calls } = await gatewayWith(2, { records: { '10.1000/a': VALUES, '10.1000/b': VALUES } });
    const { errors } = await query(
      `query ($inputs: [String!]!) {
        dois(inputs: $inputs) { exists record { status } alias { handle } redirect { url } locations { href } }
        again: dois(inputs: $inputs) { exists }
      }`,
      { inputs: ['10.1000/a', '10.1000/A', 'doi:10.1000/b', 'https://doi.org/10.1000/B', '10.1000/a'] },
    );
    expect(errors).toBeUndefined();
    expect(calls.resolve).toHaveLength(2);
  });

  test('a Which RA request counts once, whatever the number of its names', async () => {
    const server = await startDirectoryServer();
    onTestFinished(() => server.close());
    const queryWith = async (maxLookups: number) => {
      const gateway = await createTestGateway(
        { limits: { whichRa: { maxUrlBytes: 4_000, maxNames: 10 } } },
        { DOI_DIRECTORY_URL: server.url.href, MAX_LOOKUPS: String(maxLookups) },
      );
      onTestFinished(() => gateway.close());
      return gateway.query('query ($inputs: [String!]!) { dois(inputs: $inputs) { whichRa { status } } }', {
        inputs: names(100),
      });
    };
    const { errors, data } = await queryWith(9);
    // Only the names of the tenth request fail.
    expect(refusedPaths(errors, 9)).toEqual(Array.from({ length: 10 }, (_, i) => `dois.${90 + i}.whichRa`));
    expect(data['dois']).toEqual([
      ...Array(90).fill({ whichRa: { status: 'DOES_NOT_EXIST' } }),
      ...Array(10).fill({ whichRa: null }),
    ]);
    expect(server.targets.splice(0)).toHaveLength(9);
    expect((await queryWith(10)).errors).toBeUndefined();
    expect(server.targets).toHaveLength(10);
  });
});

const CHAIN = {
  '10.1000/0': aliasTo('10.1000/1'),
  '10.1000/1': aliasTo('10.1000/2'),
  '10.1000/2': aliasTo('10.1000/3'),
  '10.1000/3': VALUES,
};

describe('an operation passes with exactly as many look-ups as it needs, and fails with one look-up less', () => {
  test.each<[string, number, string, string, FakeDirectoryOptions?]>([
    [
      'fields under aliases',
      5,
      `{ ${names(5)
        .map((name, i) => `d${i}: doi(input: "${name}") { exists }`)
        .join(' ')} }`,
      'd4.exists',
    ],
    [
      'each combination of auth and cert',
      3,
      '{ doi(input: "10.1000/1") { a: record { status } b: record(auth: true) { status } c: record(cert: true) { status } d: record(auth: true) { status } } }',
      'doi.c',
    ],
    [
      'each hop of an alias chain',
      4,
      '{ doi(input: "10.1000/0") { redirect { url } } }',
      'doi.redirect',
      { records: CHAIN },
    ],
    [
      'the name and its suggestions',
      2,
      '{ doi(input: "10.1000/a.") { suggestions { name } } }',
      'doi.suggestions',
      { records: { '10.1000/a': VALUES } },
    ],
    [
      'the record and the agency',
      2,
      '{ doi(input: "10.1000/1") { exists whichRa { status } } }',
      'doi.whichRa',
    ],
  ])('%s: %i', async (_, needed, document, path, options) => {
    const enough = await gatewayWith(needed, options);
    // The next operation has its own budget.
    for (let operation = 0; operation < 2; operation += 1)
      expect((await enough.query(document)).errors).toBeUndefined();
    const { query, calls } = await gatewayWith(needed - 1, options);
    expect(refusedPaths((await query(document)).errors, needed - 1)).toEqual([path]);
    expect(calls.resolve.length + calls.whichRa.length).toBeLessThanOrEqual(needed - 1);
  });
});

test('names that alias chains share count once', async () => {
  const { query } = await gatewayWith(4, { records: CHAIN });
  const { errors } = await query(
    `{ dois(inputs: ${JSON.stringify(Object.keys(CHAIN))}) { redirect { url } locations { href } } }`,
  );
  expect(errors).toBeUndefined();
});

describe('an answer from memory', () => {
  /** A directory that has the earlier answers in memory, as a cache does. */
  function createMemory(): Directory {
    const known = new Map<string, KeptAnswer<HandleRecord>>();
    const fake = createFakeDirectory({ records: { '10.1000/a': VALUES } });
    return {
      ...fake,
      memory: memoryWith({ record: (name) => known.get(name) }),
      async resolve(name, options) {
        const record = await fake.resolve(name, options);
        known.set(name, keptForever(record));
        return record;
      },
    };
  }

  test('counts too, and each name counts once', async () => {
    const { query } = await gatewayOver(createMemory(), 10);
    await query(EXISTS, { inputs: names(10) });
    await query(EXISTS, { inputs: ['10.1000/10'] });
    expect((await query(EXISTS, { inputs: [...names(10), ...names(10)] })).errors).toBeUndefined();
    const { errors } = await query(EXISTS, { inputs: names(11) });
    expect(refusedPaths(errors, 10)).toEqual(['dois.10.exists']);
  });

  test('does not count again for a name that the same operation looked up', async () => {
    const { query } = await gatewayOver(createMemory(), 2);
    const { data, errors } = await query('{ doi(input: "10.1000/a.") { suggestions { exists } } }');
    expect(errors).toBeUndefined();
    expect(data).toEqual({ doi: { suggestions: [{ exists: true }] } });
  });
});
