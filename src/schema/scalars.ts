import { Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { builder } from './builder.ts';

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
