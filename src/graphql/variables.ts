// The variables of an operation, read as its definitions say.

import {
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type ListTypeNode,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type TypeNode,
} from 'graphql';

/** After coercion. */
export type Variables = Readonly<Record<string, unknown>>;

export type ReadVariables =
  | { readonly coerced: Variables; readonly errors?: undefined }
  | { readonly errors: readonly GraphQLError[]; readonly coerced?: undefined };

/** Reads what a client sent as `variables`. */
export type VariablesReader = (sent: Variables) => ReadVariables;

/** Each error looks for its line in the document. */
const MAX_ERRORS = 10;

/**
 * graphql-js reads everything, and says what is wrong. But lists of strings and of representations, the most common,
 * need only a look at each item: a copy with a place for each item takes longer than the rest of a request.
 */
export function variablesReader(schema: GraphQLSchema, operation: OperationDefinitionNode): VariablesReader {
  const definitions = operation.variableDefinitions ?? [];
  const read: VariablesReader = (sent) =>
    getVariableValues(schema, definitions, sent, { maxErrors: MAX_ERRORS }) as ReadVariables;
  const names: string[] = [];
  const checks: Check[] = [];
  for (const { variable, type, defaultValue } of definitions) {
    const check = defaultValue ? undefined : plainCheck(type);
    if (!check) return read;
    names.push(variable.name.value);
    checks.push(check);
  }
  return (sent) => {
    // Without a prototype: a variable may be called __proto__.
    const coerced: Record<string, unknown> = Object.create(null);
    for (let at = 0; at < names.length; at += 1) {
      const name = names[at] as string;
      const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
      if (!checks[at]?.(value)) return read(sent);
      coerced[name] = value;
    }
    return { coerced };
  };
}

type Check = (value: unknown) => boolean;

/** Scalars whose values are taken as they are sent. */
const PLAIN_SCALARS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['String', (value) => typeof value === 'string'],
  ['Boolean', (value) => typeof value === 'boolean'],
  ['_Any', (value) => value !== null && value !== undefined],
]);

/** Of a type whose values are taken as they are sent, or of a list of it. */
function plainCheck(type: TypeNode): Check | undefined {
  const given = nullable(type);
  if (given.kind === Kind.NAMED_TYPE) return PLAIN_SCALARS.get(given.name.value);
  const item = nullable(given.type);
  const check = item.kind === Kind.NAMED_TYPE && PLAIN_SCALARS.get(item.name.value);
  return check ? (value) => Array.isArray(value) && value.every(check) : undefined;
}

function nullable(type: TypeNode): NamedTypeNode | ListTypeNode {
  return type.kind === Kind.NON_NULL_TYPE ? type.type : type;
}
