// The schema that the code builds has exactly the types of the public contract.

import { readFileSync } from 'node:fs';
import {
  astFromValue,
  buildASTSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  isUnionType,
  parse,
  print,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';

const contract = buildASTSchema(
  parse(readFileSync(new URL('../fixtures/contract.graphql', import.meta.url), 'utf8')),
);

/** Parts of the schema that only federated gateways use. The contract leaves them out. */
const FOR_FEDERATION = {
  '@link': '(import: [String],url: String!) repeatable on SCHEMA',
  '@shareable': '() on FIELD_DEFINITION',
  '@tag': '(name: String!) repeatable on FIELD_DEFINITION',
  'Query._entities': '[_Entity]!',
  'Query._entities(representations:)': '[_Any!]!',
  'Query._service': '_Service!',
  _Any: 'scalar',
  _Entity: 'union of DOI, DOIPrefix, Handle, RegistrationAgency',
  _Service: 'type',
  '_Service.sdl': 'String!',
};

/** Parts of the schema that are newer than the contract: the headers of a reader, and the fit of a reference. */
const NEWER_THAN_CONTRACT = {
  'RedirectInput.accept': 'String',
  'RedirectInput.acceptLanguage': 'String',
  'RedirectInput.userAgent': 'String',
  'DOIMatch.referenceFit': 'ReferenceFit',
  ReferenceFit: 'enum',
  'ReferenceFit.FITS': 'value',
  'ReferenceFit.DOES_NOT_FIT': 'value',
  'ReferenceFit.CANNOT_TELL': 'value',
};

/** A shorter description only repeats the name. */
const MIN_DESCRIPTION_CHARACTERS = 10;

describe('the contract', () => {
  test('has every part of the schema, with the same types, nullability and defaults', () => {
    const promised = new Map([
      ...entriesOf(contract).map(({ path, signature }) => [path, signature] as const),
      ...Object.entries(FOR_FEDERATION),
      ...Object.entries(NEWER_THAN_CONTRACT),
    ]);
    const ours = entriesOf(schema);
    const same = ours.map(({ path }) => ({ path, signature: promised.get(path) ?? 'not in the contract' }));
    expect(ours.map(({ path, signature }) => ({ path, signature }))).toEqual(same);
  });

  test('has no part that the schema lacks', () => {
    const ours = new Set(entriesOf(schema).map(({ path }) => path));
    const missing = entriesOf(contract)
      .filter(({ path, parent }) => !ours.has(path) && (parent === null || ours.has(parent)))
      .map(({ path }) => path);
    expect(missing).toEqual([]);
  });
});

describe('the schema', () => {
  test('says in the description of each enum that its list can grow', () => {
    const enums = Object.values(schema.getTypeMap()).filter(
      (type) => isEnumType(type) && !isIntrospectionType(type),
    );
    const silent = enums.filter(({ description }) => !description?.includes('The list can grow'));
    expect([enums.length > 15, silent]).toEqual([true, []]);
  });

  test('describes every type, field, argument, input field and enum value', () => {
    const undescribed = entriesOf(schema)
      .filter(({ description }) => (description?.trim().length ?? 0) < MIN_DESCRIPTION_CHARACTERS)
      .map(({ path }) => path);
    expect(undescribed).toEqual([]);
  });
});

interface Entry {
  /** `DOI`, `DOI.url`, `DOI.url(encoding:)`, `DOIForm.NAME`, `HandleKeyData implements HandleData`, `@key` */
  readonly path: string;
  /** the part that must be equal: a kind, a type with its default, locations */
  readonly signature: string;
  /** the path of the type or field that holds this entry */
  readonly parent: string | null;
  /** null if it is missing */
  readonly description: string | null;
}

function entriesOf(of: GraphQLSchema): Entry[] {
  const types = Object.values(of.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
    .flatMap(entriesOfType);
  const directives = of
    .getDirectives()
    .filter((directive) => !isSpecifiedDirective(directive))
    .map(({ name, args, locations, isRepeatable, description = null }) => ({
      path: `@${name}`,
      signature: `(${args.map((arg) => `${arg.name}: ${signatureOf(arg)}`)}) ${isRepeatable ? 'repeatable ' : ''}on ${locations}`,
      parent: null,
      description: description ?? null,
    }));
  return [...directives, ...types];
}

function entriesOfType(type: GraphQLNamedType): Entry[] {
  const { name, description = null } = type;
  const itself = { path: name, signature: kindOf(type), parent: null, description: description ?? null };
  if (isEnumType(type)) {
    return [itself, ...type.getValues().map((value) => entry(`${name}.${value.name}`, 'value', name, value))];
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    return [
      itself,
      ...fields.map((field) => entry(`${name}.${field.name}`, signatureOf(field), name, field)),
    ];
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [itself];
  const interfaces = type.getInterfaces().map(({ name: implemented }) => ({
    path: `${name} implements ${implemented}`,
    signature: 'implements',
    parent: name,
    description: 'An interface needs no description here.',
  }));
  return [itself, ...interfaces, ...Object.values(type.getFields()).flatMap(entriesOfField(name))];
}

function entriesOfField(typeName: string): (field: GraphQLField<unknown, unknown>) => Entry[] {
  return (field) => {
    const path = `${typeName}.${field.name}`;
    const args = field.args.map((arg) => entry(`${path}(${arg.name}:)`, signatureOf(arg), path, arg));
    return [entry(path, String(field.type), typeName, field), ...args];
  };
}

function entry(
  path: string,
  signature: string,
  parent: string,
  { description }: { readonly description?: string | null | undefined },
): Entry {
  return { path, signature, parent, description: description || null };
}

function signatureOf({ type, defaultValue }: GraphQLArgument | GraphQLInputField): string {
  const value = defaultValue === undefined ? null : astFromValue(defaultValue, type);
  return value ? `${type} = ${print(value)}` : String(type);
}

function kindOf(type: GraphQLNamedType): string {
  if (isEnumType(type)) return 'enum';
  if (isInputObjectType(type)) return 'input';
  if (isInterfaceType(type)) return 'interface';
  if (isUnionType(type)) return `union of ${type.getTypes().join(', ')}`;
  return isObjectType(type) ? 'type' : 'scalar';
}
