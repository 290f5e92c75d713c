// Our subgraph composes with others, whatever they have of their own. Apollo's composer is run in
// test/routers.

import { readFileSync } from 'node:fs';
import { composeSchemaContract } from '@theguild/federation-composition';
import {
  buildSchema,
  type GraphQLObjectType,
  type GraphQLSchema,
  isIntrospectionType,
  isSpecifiedScalarType,
  parse,
  printType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { compose, type Other, SETS, sdlOf, subgraphs } from './compose.ts';

function publicSchema(others: readonly Other[]): GraphQLSchema {
  const { publicSdl, errors } = compose(others);
  expect(errors).toBeUndefined();
  return buildSchema(publicSdl ?? '');
}

const fieldsOf = (schema: GraphQLSchema, type: string): readonly string[] =>
  Object.keys((schema.getType(type) as GraphQLObjectType | undefined)?.getFields() ?? {});

function printed(schema: GraphQLSchema, name: string): string {
  const type = schema.getType(name);
  return type ? printType(type) : '';
}

describe('the subgraph composes with', () => {
  test.each(Object.entries(SETS))('%s', (_what, others) => {
    expect(compose(others).errors).toBeUndefined();
  });
});

describe('of a supergraph', () => {
  test('every type and root field with an everyday name stays its owner’s', () => {
    const alone = buildSchema(sdlOf('everyday-names'), { assumeValidSDL: true });
    const composed = publicSchema(['everyday-names', 'catalog-by-ref', 'reviews']);
    const own = Object.values(alone.getTypeMap()).filter(
      ({ name, astNode }) => astNode && !['Query', 'DOI'].includes(name),
    );
    expect(own.length).toBeGreaterThan(10);
    for (const type of own) expect(printed(composed, type.name)).toBe(printed(alone, type.name));
    expect(fieldsOf(composed, 'Query')).toEqual(expect.arrayContaining([...fieldsOf(alone, 'Query')]));
  });

  test('clients see no ref', () => {
    const fields = fieldsOf(publicSchema(['catalog-by-ref']), 'DOI');
    expect(fields).toContain('canonicalName');
    expect(fields).not.toContain('ref');
  });

  test('a field that is not shareable cannot be another’s too', () => {
    const clash = `
      extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
      type Query { other: DOI }
      type DOI @key(fields: "name") { name: String! url: String! @shareable }`;
    const { errors } = compose([], { name: 'clash', url: 'http://clash.test', typeDefs: parse(clash) });
    expect(errors?.map(({ extensions }) => extensions['code'])).toEqual(['INVALID_FIELD_SHARING']);
  });

  test('a variant without what asks the directory is made by its tag', () => {
    const contract = composeSchemaContract(
      [...subgraphs(['catalog-by-ref'])],
      { include: new Set(), exclude: new Set(['directory']) },
      true,
    );
    expect(contract.errors).toBeUndefined();
    const fields = fieldsOf(buildSchema(contract.publicSdl ?? ''), 'DOI');
    expect(fields).toEqual(expect.arrayContaining(['name', 'canonicalName', 'url', 'warnings']));
    for (const asking of ['record', 'exists', 'redirect', 'whichRa', 'registrationAgency'])
      expect(fields).not.toContain(asking);
  });
});

test('docs/federation.md names the types that other subgraphs have to know of', () => {
  const page = readFileSync(new URL('../../docs/federation.md', import.meta.url), 'utf8');
  const [, list = ''] = /are called `DOI…` or `Handle…`, except (.*?)\. Your graph/s.exec(page) ?? [];
  const named = [...list.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  const types = Object.values(buildSchema(sdlOf('doi')).getTypeMap()).filter(
    (type) => !isSpecifiedScalarType(type) && !isIntrospectionType(type),
  );
  const others = types.map(({ name }) => name).filter((name) => !/^(?:DOI|Handle|Query$)/.test(name));
  expect(new Set(named)).toEqual(new Set(others));
});
