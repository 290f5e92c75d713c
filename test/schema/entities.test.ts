// The queries of federated gateways: entities by the keys of other subgraphs.

import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { urlValue } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';
import { asked, createFakeGateway, NO_CALLS } from './fake-gateway.ts';

const ENTITIES = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) {
    __typename
    ... on DOI { id name canonicalName ref }
    ... on DOIPrefix { name }
    ... on Handle { name uri }
    ... on RegistrationAgency { name title documented }
  }
}`;

async function entities(...representations: readonly unknown[]) {
  const { query, calls } = await createFakeGateway();
  const { data, errors } = await query<{ _entities: readonly unknown[] }>(ENTITIES, { representations });
  expect(calls).toEqual(NO_CALLS);
  return { data, errors };
}

/** The one error that a bad representation gives, which stands between two good ones. */
async function errorOf(representation: unknown) {
  const good = { __typename: 'DOI', name: '10.1000/1' };
  const { data, errors } = await entities(good, representation, good);
  expect(data._entities.map((entity) => entity !== null)).toEqual([true, false, true]);
  expect(errors).toHaveLength(1);
  const error = errors?.[0];
  expect(error?.path).toEqual(['_entities', 1]);
  expect(error?.extensions).toMatchObject({ code: 'BAD_REPRESENTATION', retryable: false });
  return error;
}

describe('a DOI', () => {
  const found = (name: string, ref: string) => ({
    __typename: 'DOI',
    id: `doi:${name}`,
    name,
    canonicalName: '10.123/abc',
    ref,
  });

  test.each([
    ['id, a DOI URI', { id: 'doi:10.123/Abc' }, '10.123/Abc', 'doi:10.123/Abc'],
    ['id, with triplets of its own', { id: 'DOI:10.123/%41bc' }, '10.123/Abc', 'doi:10.123/Abc'],
    ['name, literally', { name: '10.123/Abc' }, '10.123/Abc', 'doi:10.123/Abc'],
    ['canonicalName, literally', { canonicalName: '10.123/abc' }, '10.123/abc', 'doi:10.123/abc'],
    ['ref, a URL', { ref: ' https://doi.org/10.123/Abc' }, '10.123/Abc', ' https://doi.org/10.123/Abc'],
    ['ref, a URN', { ref: 'urn:doi:10.123:Abc' }, '10.123/Abc', 'urn:doi:10.123:Abc'],
    ['ref, a bare name', { ref: '10.123/%41bc' }, '10.123/Abc', '10.123/%41bc'],
    ['name and ref: the ref is echoed', { name: '10.123/ABC', ref: 'x' }, '10.123/ABC', 'x'],
    ['ref, where others have none of the key', { id: null, ref: '10.123/abc' }, '10.123/abc', '10.123/abc'],
  ])('is found by %s', async (_what, key, name, ref) => {
    const { data, errors } = await entities({ __typename: 'DOI', ...key });
    expect(errors).toBeUndefined();
    expect(data._entities).toEqual([found(name, ref)]);
  });

  test('keeps by name what the other keys would decode', async () => {
    const { data } = await entities(
      { __typename: 'DOI', name: '10.1000/a%23b' },
      { __typename: 'DOI', canonicalName: '10.1000/a%23b' },
      { __typename: 'DOI', ref: '10.1000/a%23b' },
      { __typename: 'DOI', id: 'doi:10.1000/a%23b' },
    );
    const names = data._entities.map((entity) => (entity as { name: string }).name);
    expect(names).toEqual(['10.1000/a%23b', '10.1000/a%23b', '10.1000/a#b', '10.1000/a#b']);
  });

  test('has its `uri` as `ref` if no subgraph sent a `ref`', async () => {
    const { query } = await createFakeGateway();
    const { data } = await query('{ doi(input: "https://doi.org/10.1000/456%23789") { ref uri } }');
    expect(data).toEqual({ doi: { ref: 'doi:10.1000/456%23789', uri: 'doi:10.1000/456%23789' } });
  });

  test.each([
    ['no key', {}, null],
    ['a key of another type', { title: 'A work' }, null],
    ['a key that is no string', { name: 10.1 }, null],
    ['a name that is a URL', { name: 'https://doi.org/10.1000/1' }, 'NOT_A_DOI'],
    ['an id that is no URI', { id: '10.1000/1' }, 'NOT_IN_FORM'],
    ['a ref without a suffix', { ref: 'https://doi.org/10.1000/' }, 'MISSING_SUFFIX'],
    ['an empty ref', { ref: '' }, 'EMPTY'],
    ['half a character', { ref: '10.1000/\ud800' }, 'UNPAIRED_SURROGATE'],
  ])('by %s is an error of its own', async (_what, key, reason) => {
    const error = await errorOf({ __typename: 'DOI', ...key });
    expect(error?.extensions['reason'] ?? null).toBe(reason);
    expect(error?.message).toMatch(/^The representation of a DOI .+\.$/);
  });

  test('by a key that cannot be read says where it goes wrong', async () => {
    const error = await errorOf({ __typename: 'DOI', ref: 'https://doi.org/10.1000/a%zz' });
    expect(error?.extensions).toMatchObject({ reason: 'INVALID_PERCENT_ENCODING', position: 25 });
    expect(error?.message).toContain('unusable "ref"');
  });
});

describe('what is said of a key that cannot be read fits a representation, which has no `form`', () => {
  test.each([
    [{ id: '10.1000/182' }, 'NOT_IN_FORM', '"10.1000/182" is not a DOI Name URI. Use the key "ref" for'],
    [{ id: 'doi:10.1000/a/b' }, 'NOT_IN_FORM', 'or the key "name" for a bare name.'],
    [{ id: 'doi:10.1000/%ff' }, 'INVALID_UTF8', 'or use the key "name" for a bare name.'],
    [{ ref: '10.1000/%zz' }, 'INVALID_PERCENT_ENCODING', 'or use the key "name" for a bare name.'],
    [{ ref: '10.1000/%ff' }, 'INVALID_UTF8', 'or use the key "name" for a bare name.'],
  ])('%j', async (key, reason, advice) => {
    const error = await errorOf({ __typename: 'DOI', ...key });
    expect(error?.extensions['reason']).toBe(reason);
    expect(error?.message).toContain(advice);
    expect(error?.message).not.toMatch(/\bform: |"form"/);
  });
});

test('of several keys the first of id, name, canonicalName and ref counts, and no other is read', async () => {
  const ref = '10.1000/4';
  const canonicalName = '10.1000/3';
  const name = '10.1000/2';
  const id = 'doi:10.1000/1';
  const some = [
    { ref, canonicalName, name, id },
    { ref, canonicalName, name },
    { ref, canonicalName },
  ];
  const { data } = await entities(...some.map((keys) => ({ __typename: 'DOI', ...keys })));
  const names = data._entities.map((entity) => (entity as { name: string }).name);
  expect(names).toEqual(['10.1000/1', '10.1000/2', '10.1000/3']);
  expect((await entities({ __typename: 'DOI', name: '10.1000/2', ref: '10.1000/' })).errors).toBeUndefined();
});

describe('a handle', () => {
  test.each([
    ['2381/A', 'hdl:2381/A'],
    ['10.1000/a%23b', 'hdl:10.1000/a%2523b'],
    ['0.NA/10.1000', 'hdl:0.NA/10.1000'],
  ])('is found by its name %j, taken literally', async (name, uri) => {
    const { data, errors } = await entities({ __typename: 'Handle', name });
    expect(errors).toBeUndefined();
    expect(data._entities).toEqual([{ __typename: 'Handle', name, uri }]);
  });

  test.each([
    [{}, 'needs a string as its "name"'],
    [{ name: 2381 }, 'needs a string as its "name"'],
    [{ name: '2381' }, 'has an unusable "name": "2381" is not a handle'],
    [{ name: 'hdl:2381/A' }, 'has an unusable "name": "hdl:2381/A" is not a handle'],
  ])('by %j is an error of its own', async (key, reason) => {
    const error = await errorOf({ __typename: 'Handle', ...key });
    expect(error?.message).toContain(`The representation of a Handle ${reason}`);
  });
});

describe('a prefix', () => {
  test.each(['10.1000', '10.1000.10'])('is found by its name %j', async (name) => {
    const { data, errors } = await entities({ __typename: 'DOIPrefix', name });
    expect(errors).toBeUndefined();
    expect(data._entities).toEqual([{ __typename: 'DOIPrefix', name }]);
  });

  test.each([{}, { name: '' }, { name: '10' }, { name: '10.1000/1' }, { name: 10.1 }, { name: null }])(
    'by %j is an error of its own',
    async (key) => {
      const error = await errorOf({ __typename: 'DOIPrefix', ...key });
      expect(error?.message).toBe(
        'The representation of a DOIPrefix needs a prefix of DOI names as its "name", such as "10.1000".',
      );
    },
  );
});

describe('a registration agency', () => {
  test.each([
    ['Crossref', { name: 'Crossref', title: 'Crossref', documented: true }],
    ['Somebody new', { name: 'Somebody new', title: null, documented: false }],
  ])('is found by its label %j', async (name, agency) => {
    const { data, errors } = await entities({ __typename: 'RegistrationAgency', name });
    expect(errors).toBeUndefined();
    expect(data._entities).toEqual([{ __typename: 'RegistrationAgency', ...agency }]);
  });

  test.each([{}, { name: '' }, { name: 7 }, { name: null }])('by %j is an error of its own', async (key) => {
    const error = await errorOf({ __typename: 'RegistrationAgency', ...key });
    expect(error?.message).toBe('The representation of a RegistrationAgency needs its label as "name".');
  });
});

test.each([
  { __typename: 'Work', id: '1' },
  { __typename: 'constructor', id: '1' },
  { __typename: ['DOI'], name: '10.1000/1' },
  { name: '10.1000/1' },
  JSON.parse('{"__proto__": {"__typename": "DOI", "name": "10.1000/1"}}'),
  'DOI',
  42,
  [],
  [{ __typename: 'DOI', name: '10.1000/1' }],
])('%j costs no other representation anything', async (representation) => {
  const error = await errorOf(representation);
  expect(error?.message).toBe(
    'The representation needs a "__typename" of "DOI", "DOIPrefix", "Handle" or "RegistrationAgency".',
  );
});

test('representations may stand in the query itself', async () => {
  const { query } = await createFakeGateway();
  const result = await query(
    '{ _entities(representations: [{__typename: "DOI", name: "10.1000/1"}]) { ... on DOI { name } } }',
  );
  expect(result).toEqual({ data: { _entities: [{ name: '10.1000/1' }] } });
});

test('null as one of the representations, or in their place, is refused as a variable', async () => {
  const { query } = await createFakeGateway();
  for (const representations of [null, [{ __typename: 'DOI', name: '10.1000/1' }, null]]) {
    const { data, errors } = await query(ENTITIES, { representations });
    expect([data, errors?.map(({ extensions }) => extensions['code'])]).toEqual([
      undefined,
      ['BAD_USER_INPUT'],
    ]);
  }
});

describe('what entities cost', () => {
  const names = Array.from({ length: 1_000 }, (_, i) => `10.1000/${i % 500}`);
  const representations = names.map((name) => ({ __typename: 'DOI', name }));
  const DETAILS = `query ($representations: [_Any!]!) {
    _entities(representations: $representations) {
      ... on DOI { name record { status } registrationAgency { name } }
    }
  }`;

  test('1,000 representations, half of them repeats, make one batch of each kind', async () => {
    const { query, calls } = await createFakeGateway({
      records: { '10.1000/0': [urlValue('https://example.org/')] },
      agencies: { '10.1000/0': { status: 'FOUND', agency: 'Crossref' } },
    });
    const { data, errors } = await query<{ _entities: readonly object[] }>(DETAILS, { representations });
    expect(errors).toBeUndefined();
    const first = {
      name: '10.1000/0',
      record: { status: 'SUCCESS' },
      registrationAgency: { name: 'Crossref' },
    };
    expect(data._entities[0]).toEqual(first);
    expect(data._entities[500]).toEqual(first);
    expect(data._entities.map((entity) => (entity as { name: string }).name)).toEqual(names);
    expect(calls.resolve).toEqual(names.slice(0, 500).map((name) => asked(name)));
    expect(calls.whichRa).toEqual([names.slice(0, 500)]);
  });

  test('one that fails leaves 999 whole', async () => {
    const { query } = await createFakeGateway({
      records: { '10.1000/7': new GatewayError('UPSTREAM_TIMEOUT') },
    });
    const distinct = names.map((_, i) => ({ __typename: 'DOI', name: `10.1000/${i}` }));
    const { data, errors } = await query<{ _entities: readonly { record: object | null }[] }>(DETAILS, {
      representations: distinct,
    });
    expect(data._entities.filter(({ record }) => record !== null)).toHaveLength(999);
    expect(errors).toHaveLength(1);
    expect(errors?.[0]).toMatchObject({
      path: ['_entities', 7, 'record'],
      extensions: { code: 'UPSTREAM_TIMEOUT', retryable: true },
    });
  });

  test('look-ups count towards MAX_LOOKUPS', async () => {
    const gateway = await createTestGateway({}, { MAX_LOOKUPS: '3' });
    const five = representations.slice(0, 5);
    const { data, errors } = await gateway.query<{ _entities: readonly { record: object | null }[] }>(
      'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on DOI { record { status } } } }',
      { representations: five },
    );
    await gateway.close();
    expect(data._entities.map(({ record }) => record !== null)).toEqual([true, true, true, false, false]);
    expect(errors?.map(({ extensions }) => extensions['code'])).toEqual([
      'TOO_MANY_LOOKUPS',
      'TOO_MANY_LOOKUPS',
    ]);
  });

  test('representations count towards the price of the operation, bad ones too', async () => {
    const { query, calls } = await createFakeGateway();
    for (const representation of [{ __typename: 'DOI', name: '10.1000/1' }, { __typename: 'Nothing' }]) {
      const { errors } = await query(DETAILS, { representations: Array(10_000).fill(representation) });
      expect(errors?.map(({ extensions }) => extensions['code'])).toEqual(['LIMIT_EXCEEDED']);
    }
    expect(calls).toEqual(NO_CALLS);
  });
});
