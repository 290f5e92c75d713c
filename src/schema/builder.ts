// The schema builder with the scalars and the empty type Query, and the context that every resolver gets.

import SchemaBuilder from '@pothos/core';
import DirectivesPlugin from '@pothos/plugin-directives';
import { Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import type { DirectoryDescription } from '../directory/directory.ts';
import type { RandomSource } from '../handle/choose-location.ts';
import type { AnswerExpiry } from '../loaders/answer-expiry.ts';
import type { Loaders } from '../loaders/loaders.ts';
import type { followAliases, resolveName } from '../loaders/resolve-name.ts';
import type { FederationDirectives } from './federation/federation-directives.ts';
import type { BytesAsText } from './handle/bytes-as-text.ts';

export interface GatewayContext {
  readonly loaders: Loaders;
  /** These two functions are in the context, because the schema imports only types of loaders/. */
  readonly followAliases: typeof followAliases;
  readonly resolveName: typeof resolveName;
  /** when the response expires: loaders report each value to it, and resolvers report everything else */
  readonly expiry: AnswerExpiry;
  readonly directory: DirectoryDescription;
  /** for the choice among weighted locations */
  readonly random: RandomSource;
}

export const builder = new SchemaBuilder<{
  Context: GatewayContext;
  Directives: FederationDirectives;
  DefaultFieldNullability: false;
  DefaultInputFieldRequiredness: false;
  Scalars: {
    ID: { Input: string; Output: string };
    String: { Input: string; Output: string | BytesAsText };
    DateTime: { Input: string; Output: string };
    JSON: { Input: unknown; Output: unknown };
    _Any: { Input: unknown; Output: unknown };
  };
}>({
  plugins: [DirectivesPlugin],
  // The format that @graphql-tools/utils expects when it prints directives.
  directives: { useGraphQLToolsUnorderedDirectives: true },
  defaultFieldNullability: false,
});

builder.queryType({
  description:
    'All queries about DOI names. A field that is computed from the name never fails. A field with a look-up can fail. Every query can be null, because behind a federated gateway this gateway can be away.',
});

const CAN_GROW = 'The list can grow: clients need a default branch.';

/** An enum from a table: each value with its description. Every enum can get more values in a minor release. */
export function describedEnum<Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
) {
  const described = Object.entries<string>(values).map(([value, text]) => [value, { description: text }]);
  return builder.enumType(name, {
    description: `${description} ${CAN_GROW}`,
    values: Object.fromEntries(described) as Record<Value, { description: string }>,
  });
}

/** The extensions of an object type. graphql/remembered-items.ts reads them. */
export interface RememberedExtensions {
  readonly rememberBy?: (source: never) => string | null;
}

/**
 * Options of an object type whose fields depend only on a key, and on the directory's data for this key.
 * @param keyOf returns the key of an object; null if the object must not be remembered
 */
export function remembered<Source>(keyOf: (source: Source) => string | null) {
  return { extensions: { rememberBy: keyOf } };
}

/** The text stays unchanged: a Date would change the text of a time from the directory. */
builder.scalarType('DateTime', {
  description:
    'A moment in RFC 3339, such as "2020-07-29T04:52:30Z". The text of a time from the directory is unchanged.',
  serialize: (time) => time,
});

export function toDateTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

builder.scalarType('JSON', {
  description: 'Any JSON value. Used only for data that the directory or an agency defines.',
  specifiedByURL: 'http://www.ecma-international.org/publications/files/ECMA-ST/ECMA-404.pdf',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: jsonOf,
});

type Variables = Parameters<typeof valueFromASTUntyped>[1];

/** The value of a literal. Undefined for an enum value, so that graphql-js refuses it: JSON has no enums. */
function jsonOf(literal: ValueNode, variables: Variables): unknown {
  switch (literal.kind) {
    case Kind.ENUM:
      return undefined;
    case Kind.LIST:
      return literal.values.map((item) => jsonOf(item, variables));
    case Kind.OBJECT: {
      const value: Record<string, unknown> = Object.create(null);
      for (const field of literal.fields) value[field.name.value] = jsonOf(field.value, variables);
      return value;
    }
    default:
      return valueFromASTUntyped(literal, variables);
  }
}
