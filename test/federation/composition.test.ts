// Our subgraph composes with other subgraphs, also if they have types with everyday names. Apollo's composer runs in
// test/routers.

import { readFileSync } from 'node:fs';
import { composeSchemaContract } from '@theguild/federation-composition';
import {
  buildSchema,
  type GraphQLObjectType,
  type GraphQLSchema,
  isIntrospectionType,
  isSpecifiedScalarType,
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

describe('in a supergraph', () => {
  test('types and root fields of other subgraphs with everyday names stay unchanged', () => {
    const alone = buildSchema(sdlOf('everyday-names'), { assumeValidSDL: true });
    const composed = publicSchema(['everyday-names', 'catalog-by-ref', 'reviews']);
    const own = Object.values(alone.getTypeMap()).filter(
      ({ name, astNode }) => astNode && !['Query', 'DOI'].includes(name),
    );
    expect(own.length).toBeGreaterThan(10);
    for (const type of own) expect(printed(composed, type.name)).toBe(printed(alone, type.name));
    expect(fieldsOf(composed, 'Query')).toEqual(expect.arrayContaining([...fieldsOf(alone, 'Query')]));
  });

  test('the tag `directory` makes a variant without look-ups', () => {
    const contract = composeSchemaContract(
      [...subgraphs(['catalog-by-ref'])],
      { include: new Set(), exclude: new Set(['directory']) },
      true,
    );
    expect(contract.errors).toBeUndefined();
    const fields = fieldsOf(buildSchema(contract.publicSdl ?? ''), 'DOI');
    expect(fields).toEqual(expect.arrayContaining(['name', 'canonicalName', 'url', 'warnings']));
    for (const lookUp of ['record', 'exists', 'redirect', 'whichRa', 'registrationAgency'])
      expect(fields).not.toContain(lookUp);
  });
});

test('docs/federation.md names each type whose name does not begin with DOI or Handle', () => {
  const page = readFileSync(new URL('../../docs/federation.md', import.meta.url), 'utf8');
  const [, list = ''] = /are called `DOI…` or `Handle…`, except (.*?)\. Your graph/s.exec(page) ?? [];
  const named = [...list.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  const types = Object.values(buildSchema(sdlOf('doi')).getTypeMap()).filter(
    (type) => !isSpecifiedScalarType(type) && !isIntrospectionType(type),
  );
  const others = types.map(({ name }) => name).filter((name) => !/^(?:DOI|Handle|Query$)/.test(name));
  expect(new Set(named)).toEqual(new Set(others));
});
