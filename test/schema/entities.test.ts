// _entities: federated gateways query objects by the keys of other subgraphs.

import { describe, expect, test } from 'vitest';
import { urlValue } from '../support/fake-directory.ts';
import { createFakeGateway, NO_CALLS, recordCall } from './fake-gateway.ts';

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

/** The only error if a bad representation stands between two good ones. */
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
    id: `doi:${encodeURI(name)}`,
    name,
    canonicalName: name.toLowerCase(),
    ref,
  });

  test.each([
    ['id, a DOI URI', { id: 'doi:10.123/Abc' }, '10.123/Abc', 'doi:10.123/Abc'],
    ['id, with other triplets', { id: 'DOI:10.123/%41bc' }, '10.123/Abc', 'doi:10.123/Abc'],
    ['name, literally', { name: '10.123/Abc' }, '10.123/Abc', 'doi:10.123/Abc'],
    ['canonicalName, literally', { canonicalName: '10.123/abc' }, '10.123/abc', 'doi:10.123/abc'],
    ['name, without decoding', { name: '10.123/abc%23' }, '10.123/abc%23', 'doi:10.123/abc%2523'],
    ['ref, a URL', { ref: ' https://doi.org/10.123/Abc' }, '10.123/Abc', ' https://doi.org/10.123/Abc'],
    ['ref, a URN', { ref: 'urn:doi:10.123:Abc' }, '10.123/Abc', 'urn:doi:10.123:Abc'],
    ['ref, a bare name', { ref: '10.123/%41bc' }, '10.123/Abc', '10.123/%41bc'],
    ['name, and keeps the ref that was sent', { name: '10.123/ABC', ref: 'x' }, '10.123/ABC', 'x'],
    ['ref, if its other keys are null', { id: null, ref: '10.123/abc' }, '10.123/abc', '10.123/abc'],
  ])('is found by its %s', async (_, key, name, ref) => {
    const { data, errors } = await entities({ __typename: 'DOI', ...key });
    expect(errors).toBeUndefined();
    expect(data._entities).toEqual([found(name, ref)]);
  });

  test('has its `uri` as `ref` if no subgraph sent a `ref`', async () => {
    const { query } = await createFakeGateway();
    const { data } = await query('{ doi(input: "https://doi.org/10.1000/456%23789") { ref uri } }');
    expect(data).toEqual({ doi: { ref: 'doi:10.1000/456%23789', uri: 'doi:10.1000/456%23789' } });
  });

  test.each([
    ['no key', {}, null],
    ['only an unknown key', { title: 'A work' }, null],
    ['a key that is no string', { name: 10.1 }, null],
    ['a name that is a URL', { name: 'https://doi.org/10.1000/1' }, 'NOT_A_DOI'],
    ['an id that is no URI', { id: '10.1000/1' }, 'NOT_IN_FORM'],
    ['a ref without a suffix', { ref: 'https://doi.org/10.1000/' }, 'MISSING_SUFFIX'],
    ['an empty ref', { ref: '' }, 'EMPTY'],
    ['an unpaired surrogate', { ref: '10.1000/\ud800' }, 'UNPAIRED_SURROGATE'],
  ])('with %s is an error at its index', async (_, key, reason) => {
    const error = await errorOf({ __typename: 'DOI', ...key });
    expect(error?.extensions['reason'] ?? null).toBe(reason);
    expect(error?.message).toMatch(/^The representation of a DOI .+\.$/);
  });

  test.each([
    [
      { id: '10.1000/182' },
      'NOT_IN_FORM',
      null,
      '"10.1000/182" is not a DOI Name URI. Use the key "ref" for',
    ],
    [{ id: 'doi:10.1000/a/b' }, 'NOT_IN_FORM', 13, 'or the key "name" for a bare name.'],
    [{ id: 'doi:10.1000/%ff' }, 'INVALID_UTF8', 12, 'or use the key "name" for a bare name.'],
    [{ ref: '10.1000/%zz' }, 'INVALID_PERCENT_ENCODING', 8, 'or use the key "name" for a bare name.'],
  ])(
    'with the key %j has an error that advises other keys, never a form',
    async (key, reason, position, advice) => {
      const error = await errorOf({ __typename: 'DOI', ...key });
      expect(error?.extensions).toMatchObject({ reason, position });
      expect(error?.message).toContain(`unusable "${Object.keys(key)[0]}"`);
      expect(error?.message).toContain(advice);
      expect(error?.message).not.toMatch(/\bform: |"form"/);
    },
  );
});

test('a DOI with several keys is read from the first of id, name, canonicalName and ref', async () => {
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

test.each([
  ['Handle', '2381/A', { uri: 'hdl:2381/A' }],
  ['Handle', '10.1000/a%23b', { uri: 'hdl:10.1000/a%2523b' }],
  ['DOIPrefix', '10.1000.10', {}],
  ['RegistrationAgency', 'Crossref', { title: 'Crossref', documented: true }],
  ['RegistrationAgency', 'A New Agency', { title: null, documented: false }],
])('a %s is found by its literal name %j', async (__typename, name, fields) => {
  const { data, errors } = await entities({ __typename, name });
  expect(errors).toBeUndefined();
  expect(data._entities).toEqual([{ __typename, name, ...fields }]);
});

const BAD_PREFIX = 'a DOIPrefix needs a prefix of DOI names as its "name", such as "10.1000".';
const BAD_AGENCY = 'a RegistrationAgency needs its label as "name".';

test.each<[string, unknown, string]>([
  ['Handle', undefined, 'a Handle needs a string as its "name"'],
  ['Handle', 2381, 'a Handle needs a string as its "name"'],
  ['Handle', '2381', 'a Handle has an unusable "name": "2381" is not a handle'],
  ['Handle', 'hdl:2381/A', 'a Handle has an unusable "name": "hdl:2381/A" is not a handle'],
  ...[undefined, '', '10', '10.1000/1', 10.1, null].map((name): [string, unknown, string] => [
    'DOIPrefix',
    name,
    BAD_PREFIX,
  ]),
  ...[undefined, '', 7, null].map((name): [string, unknown, string] => [
    'RegistrationAgency',
    name,
    BAD_AGENCY,
  ]),
])('a %s with the name %j is an error at its index', async (__typename, name, message) => {
  const error = await errorOf({ __typename, ...(name !== undefined && { name }) });
  expect(error?.message).toContain(`The representation of ${message}`);
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
])('the representation %j is an error at its index', async (representation) => {
  const error = await errorOf(representation);
  expect(error?.message).toBe(
    'The representation needs a "__typename" of "DOI", "DOIPrefix", "Handle" or "RegistrationAgency".',
  );
});

test('representations can be literals of the query', async () => {
  const { query } = await createFakeGateway();
  const result = await query(
    '{ _entities(representations: [{__typename: "DOI", name: "10.1000/1"}]) { ... on DOI { name } } }',
  );
  expect(result).toEqual({ data: { _entities: [{ name: '10.1000/1' }] } });
});

test('null instead of a representation, or instead of the list, is BAD_USER_INPUT', async () => {
  const { query } = await createFakeGateway();
  for (const representations of [null, [{ __typename: 'DOI', name: '10.1000/1' }, null]]) {
    const { data, errors } = await query(ENTITIES, { representations });
    expect([data, errors?.map(({ extensions }) => extensions['code'])]).toEqual([
      undefined,
      ['BAD_USER_INPUT'],
    ]);
  }
});

describe('a list of 1,000 representations', () => {
  const names = Array.from({ length: 1_000 }, (_, i) => `10.1000/${i % 500}`);
  const representations = names.map((name) => ({ __typename: 'DOI', name }));
  const DETAILS = `query ($representations: [_Any!]!) {
    _entities(representations: $representations) {
      ... on DOI { name record { status } registrationAgency { name } }
    }
  }`;

  test('makes one batch of records and one of agencies, and each name is looked up once', async () => {
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
    expect(calls.resolve).toEqual(names.slice(0, 500).map((name) => recordCall(name)));
    expect(calls.whichRa).toEqual([names.slice(0, 500)]);
  });

  test('has a price for each representation, even for an invalid representation', async () => {
    const { query, calls } = await createFakeGateway();
    for (const representation of [{ __typename: 'DOI', name: '10.1000/1' }, { __typename: 'Nothing' }]) {
      const { errors } = await query(DETAILS, { representations: Array(10_000).fill(representation) });
      expect(errors?.map(({ extensions }) => extensions['code'])).toEqual(['LIMIT_EXCEEDED']);
    }
    expect(calls).toEqual(NO_CALLS);
  });
});
