// schema.graphql as a subgraph. test/federation composes it with other subgraphs.

import { readFileSync } from 'node:fs';
import { buildSchema, type DirectiveNode, Kind, type ObjectTypeDefinitionNode, parse } from 'graphql';
import { expect, test } from 'vitest';

const committed = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');

test('schema.graphql defines every directive that it uses', () => {
  expect(() => buildSchema(committed)).not.toThrow();
});

test('schema.graphql lacks the fields for federated gateways, @defer and @stream', () => {
  expect(committed).not.toMatch(/_entities|_service|_Any|_Entity|@defer|@stream/);
});

const types = parse(committed).definitions.filter(
  (definition): definition is ObjectTypeDefinitionNode => definition.kind === Kind.OBJECT_TYPE_DEFINITION,
);

/** `@key(fields: "id")` as `@key(id)` */
function shown({ name, arguments: args = [] }: DirectiveNode): string {
  const values = args.map(({ value }) => (value.kind === Kind.STRING ? value.value : value.kind));
  return `@${name.value}${values.length > 0 ? `(${values.join()})` : ''}`;
}

function fieldsWith(directive: string): string[] {
  return types.flatMap(({ name, fields = [] }) =>
    fields
      .filter(({ directives = [] }) => directives.some((node) => shown(node) === directive))
      .map((field) => `${name.value}.${field.name.value}`),
  );
}

test('DOI has four keys. DOIPrefix, Handle and RegistrationAgency have one key. Other types have no key', () => {
  const keys = types
    .filter(({ directives = [] }) => directives.length > 0)
    .map(({ name, directives = [] }) => [name.value, ...directives.map(shown)]);
  expect(keys).toEqual([
    ['DOI', '@key(id)', '@key(name)', '@key(canonicalName)', '@key(ref)'],
    ['DOIPrefix', '@key(name)'],
    ['Handle', '@key(name)'],
    ['RegistrationAgency', '@key(name)'],
  ]);
});

test('other subgraphs may resolve only fields that follow from the name', () => {
  expect(fieldsWith('@shareable')).toEqual(
    ['canonicalName', 'display', 'prefix', 'suffix', 'uri', 'urn'].map((field) => `DOI.${field}`),
  );
});

test('only `ref` is hidden from clients', () => {
  expect(fieldsWith('@inaccessible')).toEqual(['DOI.ref']);
});

test('each field with a look-up has the tag directory', () => {
  expect(fieldsWith('@tag(directory)')).toEqual([
    'DOI.alias',
    'DOI.bibtex',
    'DOI.citation',
    'DOI.exists',
    'DOI.locations',
    'DOI.metadata',
    'DOI.record',
    'DOI.redirect',
    'DOI.references',
    'DOI.registrationAgency',
    'DOI.relations',
    'DOI.ris',
    'DOI.suggestions',
    'DOI.updates',
    'DOI.whichRa',
    'DOIEquivalence.sameAliasTarget',
    'DOIMatch.referenceFit',
    'DOIMetadata.language',
    'DOIPrefix.record',
    'DOIPrefix.registrationAgency',
    'Handle.alias',
    'Handle.exists',
    'Handle.locations',
    'Handle.record',
    'Handle.redirect',
    'Query.matchReference',
    'Query.matchReferences',
    'ShortDOI.doi',
    'ShortDOI.exists',
  ]);
});
