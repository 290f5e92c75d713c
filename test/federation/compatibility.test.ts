// The requirements of a subgraph, feature by feature.

import { buildSchema, type GraphQLObjectType, parse } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFakeDirectory, type FakeDirectory, urlValue } from '../support/fake-directory.ts';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';
import { compose, sdlOf, supergraphOf } from './compose.ts';

let gateway: TestGateway;
let directory: FakeDirectory;
beforeAll(async () => {
  directory = createFakeDirectory({
    records: { '10.123/abc': [urlValue('https://example.org/abc')] },
    agencies: {
      '10.123': { status: 'FOUND', agency: 'Crossref' },
      '10.123/abc': { status: 'FOUND', agency: 'Crossref' },
    },
  });
  gateway = await createTestGateway({ directory });
});
afterAll(() => gateway.close());

/** The query of a federated gateway. */
function entities(representations: readonly object[], fieldsOfDoi = 'name') {
  return gateway.query<{ _entities: unknown[] }>(
    `query ($representations: [_Any!]!) { _entities(representations: $representations) {
      __typename ... on DOI { ${fieldsOfDoi} } ... on RegistrationAgency { label: name title }
    } }`,
    { representations },
  );
}

/** The fields of DOI that carry a directive in schema.graphql. */
function fieldsWith(directive: string): readonly string[] {
  const type = buildSchema(sdlOf('doi')).getType('DOI') as GraphQLObjectType;
  const fields = Object.values(type.getFields());
  return fields.flatMap(({ name, astNode }) =>
    astNode?.directives?.some(({ name: { value } }) => value === directive) ? [name] : [],
  );
}

test('_service returns the SDL', async () => {
  const { data } = await gateway.query<{ _service: { sdl: string } }>('{ _service { sdl } }');
  expect(data._service.sdl).toBe(sdlOf('doi'));
});

test('@link names the version, and imports only the used directives', () => {
  const document = parse(sdlOf('doi'));
  const [link = ''] = /@link\(.*\)/.exec(sdlOf('doi')) ?? [];
  expect(link).toContain('https://specs.apollo.dev/federation/v2.6');
  const imported = [...link.matchAll(/"(@\w+)"/g)].map(([, name]) => name);
  const rest = document.definitions.map((definition) => JSON.stringify(definition)).join();
  const used = [...rest.matchAll(/"kind":"Directive","name":\{"kind":"Name","value":"(\w+)"/g)];
  const federation = used.map(([, name]) => `@${name}`).filter((name) => imported.includes(name));
  expect(new Set(imported)).toEqual(new Set(federation));
  expect(new Set(used.map(([, name]) => name))).toEqual(
    new Set(['inaccessible', 'key', 'link', 'shareable', 'specifiedBy', 'tag']),
  );
});

test.each([
  [
    { __typename: 'RegistrationAgency', name: 'JaLC' },
    '... on RegistrationAgency { name title }',
    { name: 'JaLC', title: 'Japan Link Center' },
  ],
  [
    { __typename: 'DOIPrefix', name: '10.123' },
    '... on DOIPrefix { name registrationAgency { label: name } record { handle } }',
    { name: '10.123', registrationAgency: { label: 'Crossref' }, record: { handle: '0.NA/10.123' } },
  ],
  [
    { __typename: 'Handle', name: '2381/A' },
    '... on Handle { name url record { handle } }',
    { name: '2381/A', url: 'https://hdl.handle.net/2381/A', record: { handle: '2381/A' } },
  ],
])('an object with a single @key is found by this key: %j', async (representation, fields, expected) => {
  const { data, errors } = await gateway.query(
    `query ($r: [_Any!]!) { _entities(representations: $r) { ${fields} } }`,
    { r: [representation] },
  );
  expect(errors).toBeUndefined();
  expect(data).toEqual({ _entities: [expected] });
});

test('@key can be repeated: a DOI is found by each of its four keys', async () => {
  const representations = [
    { id: 'doi:10.123/ABC' },
    { name: '10.123/ABC' },
    { canonicalName: '10.123/abc' },
    { ref: 'https://dx.doi.org/10.123/ABC' },
  ].map((key) => ({ __typename: 'DOI', ...key }));
  expect(await entities(representations, 'name ref')).toEqual({
    data: {
      _entities: [
        { __typename: 'DOI', name: '10.123/ABC', ref: 'doi:10.123/ABC' },
        { __typename: 'DOI', name: '10.123/ABC', ref: 'doi:10.123/ABC' },
        { __typename: 'DOI', name: '10.123/abc', ref: 'doi:10.123/abc' },
        { __typename: 'DOI', name: '10.123/ABC', ref: 'https://dx.doi.org/10.123/ABC' },
      ],
    },
  });
});

test('_entities keeps order and duplicates of mixed types', async () => {
  const doi = { __typename: 'DOI', name: '10.123/b' };
  const agency = { __typename: 'RegistrationAgency', name: 'Crossref' };
  const { data } = await entities([agency, doi, agency, { ...doi, name: '10.123/a' }, doi]);
  expect(data._entities).toMatchObject([
    { label: 'Crossref' },
    { name: '10.123/b' },
    { label: 'Crossref' },
    { name: '10.123/a' },
    { name: '10.123/b' },
  ]);
});

test('an invalid representation is null, with an error at its index', async () => {
  const { data, errors } = await entities([
    { __typename: 'DOI', name: '10.123/a' },
    { __typename: 'DOI', name: 'doi:10.123/a' },
    { __typename: 'Book', isbn: '1' },
  ]);
  expect(data._entities).toEqual([{ __typename: 'DOI', name: '10.123/a' }, null, null]);
  expect(errors).toMatchObject([
    { path: ['_entities', 1], extensions: { code: 'BAD_REPRESENTATION', reason: 'NOT_A_DOI' } },
    { path: ['_entities', 2], extensions: { code: 'BAD_REPRESENTATION' } },
  ]);
});

test('@shareable is only on fields that follow from the name by a published rule', () => {
  expect(fieldsWith('shareable')).toEqual(['canonicalName', 'display', 'prefix', 'suffix', 'uri', 'urn']);
  expect(compose(['shared-fields']).errors).toBeUndefined();
});

test('@inaccessible hides ref from clients', () => {
  expect(fieldsWith('inaccessible')).toEqual(['ref']);
  const { publicSdl = '' } = compose(['catalog-by-ref']);
  const type = buildSchema(publicSdl).getType('DOI') as GraphQLObjectType;
  expect(Object.keys(type.getFields())).not.toContain('ref');
});

test('a supergraph keeps @tag', () => {
  expect(fieldsWith('tag')).toContain('record');
  const supergraph = parse(supergraphOf(['catalog-by-ref']));
  const doi = supergraph.definitions.find(
    (definition) => definition.kind === 'ObjectTypeDefinition' && definition.name.value === 'DOI',
  );
  const fields = doi && 'fields' in doi ? (doi.fields ?? []) : [];
  const tagged = fields.filter(({ directives = [] }) => directives.some(({ name }) => name.value === 'tag'));
  expect(new Set(tagged.map(({ name }) => name.value))).toEqual(new Set(fieldsWith('tag')));
});
