// MAX_LOOKUPS: the look-ups of one operation, in all its fields, lists and alias chains together.

import { describe, expect, onTestFinished, test } from 'vitest';
import type { Directory, KeptAnswer } from '../../src/directory/directory.ts';
import type { HandleRecord } from '../../src/handle/record.ts';
import { startDirectoryServer } from '../support/directory-server.ts';
import { createFakeDirectory, type FakeDirectoryOptions, urlValue } from '../support/fake-directory.ts';
import { createTestGateway, type GraphqlError } from '../support/gateway.ts';
import { heldForEver, memoryWith } from '../support/held-for-ever.ts';

const VALUES = [urlValue('https://example.org/')];
const FOUND = { status: 'FOUND', agency: 'Crossref' } as const;

function aliasTo(handle: string): readonly unknown[] {
  return [{ index: 1, type: 'HS_ALIAS', data: { format: 'string', value: handle }, ttl: 86_400 }];
}

async function gatewayWith(maxLookups: number, options: FakeDirectoryOptions = {}) {
  const fake = createFakeDirectory(options);
  return { ...(await gatewayOver(fake, maxLookups)), calls: fake.calls };
}

async function gatewayOver(directory: Directory, maxLookups: number) {
  const gateway = await createTestGateway({ directory }, { MAX_LOOKUPS: String(maxLookups) });
  onTestFinished(() => gateway.close());
  return gateway;
}

function brief(errors: readonly GraphqlError[] = []) {
  return errors.map(({ path, message, extensions }) => {
    expect(message).toContain(`more than the ${String(extensions['maxLookups'])} look-ups`);
    return { path, code: extensions['code'], maxLookups: extensions['maxLookups'] };
  });
}

function tooMany(maxLookups: number, ...path: (string | number)[]) {
  return { path, code: 'TOO_MANY_LOOKUPS', maxLookups };
}

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `10.1000/${i}`);

describe('in a list', () => {
  const LIST = 'query ($inputs: [String!]!) { dois(inputs: $inputs) { exists } }';

  test('exactly the limit passes', async () => {
    const { query, calls } = await gatewayWith(20);
    const { data, errors } = await query(LIST, { inputs: names(20) });
    expect(errors).toBeUndefined();
    expect(data['dois']).toEqual(Array(20).fill({ exists: false }));
    expect(calls.resolve).toHaveLength(20);
  });

  test('one name more fails at its own place, with the number, and costs the others nothing', async () => {
    const { query, calls } = await gatewayWith(20);
    const { data, errors } = await query(LIST, { inputs: names(22) });
    expect(brief(errors)).toEqual([tooMany(20, 'dois', 20, 'exists'), tooMany(20, 'dois', 21, 'exists')]);
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

  test('the next operation has its own budget', async () => {
    const { query } = await gatewayWith(2);
    for (let round = 0; round < 3; round += 1) {
      expect((await query(LIST, { inputs: names(2) })).errors).toBeUndefined();
    }
  });
});

describe('over aliases of fields', () => {
  const document = (count: number): string =>
    `{ ${names(count)
      .map((name, i) => `d${i}: doi(input: "${name}") { exists }`)
      .join(' ')} }`;

  test('exactly the limit passes, and one more fails', async () => {
    const { query } = await gatewayWith(5);
    expect((await query(document(5))).errors).toBeUndefined();
    expect(brief((await query(document(6))).errors)).toEqual([tooMany(5, 'd5', 'exists')]);
  });

  test('a name with auth, with cert and with neither counts once for each', async () => {
    const document =
      '{ doi(input: "10.1000/1") { a: record { status } b: record(auth: true) { status } c: record(cert: true) { status } d: record(auth: true) { status } } }';
    const fitting = await gatewayWith(3);
    expect((await fitting.query(document)).errors).toBeUndefined();
    const { query } = await gatewayWith(2);
    expect(brief((await query(document)).errors)).toEqual([tooMany(2, 'doi', 'c')]);
  });
});

describe('along an alias chain', () => {
  const records = {
    '10.1000/0': aliasTo('10.1000/1'),
    '10.1000/1': aliasTo('10.1000/2'),
    '10.1000/2': aliasTo('10.1000/3'),
    '10.1000/3': VALUES,
  };
  const CHAIN = '{ doi(input: "10.1000/0") { redirect { url } } }';

  test('every hop counts', async () => {
    const fitting = await gatewayWith(4, { records });
    expect(await fitting.query(CHAIN)).toEqual({
      data: { doi: { redirect: { url: 'https://example.org/' } } },
    });
    const { query, calls } = await gatewayWith(3, { records });
    const { data, errors } = await query(CHAIN);
    expect(data).toEqual({ doi: { redirect: null } });
    expect(brief(errors)).toEqual([tooMany(3, 'doi', 'redirect')]);
    expect(calls.resolve).toHaveLength(3);
  });

  test('names that chains share count once', async () => {
    const { query } = await gatewayWith(4, { records });
    const { errors } = await query(
      '{ dois(inputs: ["10.1000/0", "10.1000/1", "10.1000/2", "10.1000/3"]) { redirect { url } locations { href } } }',
    );
    expect(errors).toBeUndefined();
  });
});

describe('for suggestions', () => {
  const SUGGESTIONS = '{ doi(input: "10.1000/a.") { suggestions { name } } }';

  test('every candidate counts, and the name itself', async () => {
    const records = { '10.1000/a': VALUES };
    const counting = await gatewayWith(100, { records });
    expect(await counting.query(SUGGESTIONS)).toEqual({
      data: { doi: { suggestions: [{ name: '10.1000/a' }] } },
    });
    const needed = counting.calls.resolve.length;
    expect(needed).toBeGreaterThanOrEqual(2);
    const fitting = await gatewayWith(needed, { records });
    expect((await fitting.query(SUGGESTIONS)).errors).toBeUndefined();
    const { query } = await gatewayWith(needed - 1, { records });
    const { data, errors } = await query(SUGGESTIONS);
    expect(data).toEqual({ doi: { suggestions: null } });
    expect(brief(errors)).toEqual([tooMany(needed - 1, 'doi', 'suggestions')]);
  });
});

describe('for agencies', () => {
  test('a Which RA request counts one, whatever the number of its names', async () => {
    const { query, calls } = await gatewayWith(1, { agencies: { '10.1000/0': FOUND } });
    const document = 'query ($inputs: [String!]!) { dois(inputs: $inputs) { registrationAgency { name } } }';
    const { errors } = await query(document, { inputs: names(50) });
    expect(errors).toBeUndefined();
    expect(calls.whichRa).toHaveLength(1);
  });

  test('it counts besides the record', async () => {
    const document = '{ doi(input: "10.1000/1") { exists whichRa { status } } }';
    const fitting = await gatewayWith(2);
    expect((await fitting.query(document)).errors).toBeUndefined();
    const { query } = await gatewayWith(1);
    expect(brief((await query(document)).errors)).toEqual([tooMany(1, 'doi', 'whichRa')]);
  });
});

describe('an answer from memory', () => {
  /** A directory that knows at once what it was asked before, as a cache does. */
  function createMemory(): Directory {
    const known = new Map<string, KeptAnswer<HandleRecord>>();
    const fake = createFakeDirectory({ records: { '10.1000/a': VALUES } });
    return {
      ...fake,
      memory: memoryWith({ record: (name) => known.get(name) }),
      async resolve(name, options) {
        const record = await fake.resolve(name, options);
        known.set(name, heldForEver(record));
        return record;
      },
    };
  }

  test('counts too, each name once', async () => {
    const { query } = await gatewayOver(createMemory(), 10);
    const document = 'query ($inputs: [String!]!) { dois(inputs: $inputs) { exists record { status } } }';
    await query(document, { inputs: names(10) });
    await query(document, { inputs: ['10.1000/10'] });
    expect((await query(document, { inputs: [...names(10), ...names(10)] })).errors).toBeUndefined();
    const { errors } = await query(document, { inputs: names(11) });
    expect(new Set(brief(errors).map(({ path }) => path?.join('.')))).toEqual(
      new Set(['dois.10.exists', 'dois.10.record']),
    );
  });

  test('does not count again for a name that this very operation has fetched', async () => {
    const { query } = await gatewayOver(createMemory(), 2);
    const { data, errors } = await query('{ doi(input: "10.1000/a.") { suggestions { exists } } }');
    expect(errors).toBeUndefined();
    expect(data).toEqual({ doi: { suggestions: [{ exists: true }] } });
  });
});

describe('Which RA requests', () => {
  test('count one each, however many names are in one', async () => {
    const server = await startDirectoryServer();
    onTestFinished(() => server.close());
    const ask = async (maxLookups: number) => {
      const env = {
        DOI_DIRECTORY_URL: server.url.href,
        MAX_LOOKUPS: String(maxLookups),
      };
      const gateway = await createTestGateway(
        { limits: { whichRa: { maxUrlBytes: 4_000, maxNames: 10 } } },
        env,
      );
      onTestFinished(() => gateway.close());
      const inputs = names(100);
      return gateway.query('query ($inputs: [String!]!) { dois(inputs: $inputs) { whichRa { status } } }', {
        inputs,
      });
    };
    const { errors = [], data } = await ask(9);
    // The names of the tenth request fail, each at its own path, and the other names do not.
    expect(brief(errors)).toEqual(
      Array.from({ length: 10 }, (_, i) => tooMany(9, 'dois', 90 + i, 'whichRa')),
    );
    expect(data['dois']).toEqual([
      ...Array(90).fill({ whichRa: { status: 'DOES_NOT_EXIST' } }),
      ...Array(10).fill({ whichRa: null }),
    ]);
    expect(server.targets.splice(0)).toHaveLength(9);
    expect((await ask(10)).errors).toBeUndefined();
    expect(server.targets).toHaveLength(10);
  });
});
