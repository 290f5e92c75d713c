// The arguments of a field: read once an operation, not once for each object that has the field.

import {
  type FieldNode,
  type GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  Kind,
  type ListTypeNode,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type TypeNode,
  visit,
} from 'graphql';

// The variables of an operation, read as its definitions say.

/** After coercion. */
export type Variables = Readonly<Record<string, unknown>>;

type ReadVariables =
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

export type ArgumentValues = Readonly<Record<string, unknown>>;
export type AnyField = GraphQLField<unknown, unknown>;

/** What one execution has read so far. */
export interface ArgumentsRead {
  /** another one for each execution, never 0 */
  readonly number: number;
  /** after coercion */
  readonly variables: Readonly<Record<string, unknown>>;
  /** by the readers' places: what was read, or why it could not be */
  readonly read: (ArgumentValues | Error | undefined)[];
  /** how often something was read that depends on variables */
  variableReads: number;
}

export interface ArgumentsReader {
  /** the same whatever the variables are */
  readonly isConstant: boolean;
  /** Throws a GraphQLError for a value that is none of its type. */
  readonly valuesIn: (execution: ArgumentsRead) => ArgumentValues;
}

/** The reader of a field at a place in the document: always the same one. */
export type ArgumentsReaders = (definition: AnyField, node: FieldNode) => ArgumentsReader;

const NO_ARGUMENTS: ArgumentValues = Object.freeze({});
const NONE: ArgumentsReader = { isConstant: true, valuesIn: () => NO_ARGUMENTS };

/** Readers for one document. */
export function createArgumentsReaders(): ArgumentsReaders {
  const readers = new Map<AnyField, Map<FieldNode, ArgumentsReader>>();
  let places = 0;

  return (definition, node) => {
    if (definition.args.length === 0) return NONE;
    const ofField = readers.get(definition) ?? new Map<FieldNode, ArgumentsReader>();
    readers.set(definition, ofField);
    const reader =
      ofField.get(node) ?? (usesVariables(node) ? variable(definition, node) : constant(definition, node));
    ofField.set(node, reader);
    return reader;
  };

  function variable(definition: AnyField, node: FieldNode): ArgumentsReader {
    const place = places;
    places += 1;
    const plain = plainReader(definition, node);
    return {
      isConstant: false,
      valuesIn(execution) {
        const { variables, read } = execution;
        execution.variableReads += 1;
        let values = read[place];
        if (values === undefined) {
          values = plain?.(variables) ?? valuesOrError(definition, node, variables);
          read[place] = values;
        }
        if (values instanceof Error) throw values;
        return values;
      },
    };
  }
}

/** An error looks for its line: it is made once, not for each object that has the field. */
function valuesOrError(
  definition: AnyField,
  node: FieldNode,
  variables: ArgumentValues,
): ArgumentValues | Error {
  try {
    return getArgumentValues(definition, node, variables);
  } catch (error) {
    return error as Error;
  }
}

function constant(definition: AnyField, node: FieldNode): ArgumentsReader {
  let values: ArgumentValues | Error | undefined;
  return {
    isConstant: true,
    valuesIn() {
      values ??= valuesOrError(definition, node, {});
      if (values instanceof Error) throw values;
      return values;
    },
  };
}

/**
 * For arguments that are all variables with values: graphql-js would check each definition again, which takes as long
 * as resolving several fields. Undefined if graphql-js must check: an argument has a default, or a value is missing.
 */
function plainReader(
  definition: AnyField,
  { arguments: nodes = [] }: FieldNode,
): ((variables: ArgumentValues) => ArgumentValues | undefined) | undefined {
  const names: (readonly [argument: string, variable: string])[] = [];
  for (const { name, value } of nodes) {
    if (value.kind !== Kind.VARIABLE) return undefined;
    names.push([name.value, value.name.value]);
  }
  const isLeftOut = (name: string): boolean => !names.some(([argument]) => argument === name);
  if (definition.args.some(({ name, defaultValue }) => defaultValue !== undefined && isLeftOut(name))) {
    return undefined;
  }
  return (variables) => {
    const values: Record<string, unknown> = {};
    for (const [argument, variable] of names) {
      const value = variables[variable];
      if (value === undefined || value === null) return undefined;
      values[argument] = value;
    }
    return values;
  };
}

function usesVariables({ arguments: nodes = [] }: FieldNode): boolean {
  let found = false;
  for (const node of nodes) {
    visit(node, {
      Variable() {
        found = true;
      },
    });
  }
  return found;
}
