// Reads variables and the arguments of fields. The arguments of a field are read once per operation, not once per object.

import {
  type FieldNode,
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

/** The variables after coercion. */
export type Variables = Readonly<Record<string, unknown>>;

/** Coerces the `variables` of a request. */
export type VariablesReader = (sent: Variables) => ReturnType<typeof getVariableValues>;

/** At most this many errors of one request, because graphql-js searches the document for the line of each error. */
export const MAX_ERRORS = 10;

/**
 * Makes the reader of an operation's variables. If each type has a check, the reader only checks the values, because
 * graphql-js would copy each list item by item. Without a check, or if a check fails, graphql-js reads the variables.
 */
export function createVariablesReader(schema: GraphQLSchema, node: OperationDefinitionNode): VariablesReader {
  const definitions = node.variableDefinitions ?? [];
  const read: VariablesReader = (sent) =>
    getVariableValues(schema, definitions, sent, { maxErrors: MAX_ERRORS });
  const names: string[] = [];
  const checks: Check[] = [];
  for (const { variable, type, defaultValue } of definitions) {
    const check = defaultValue ? undefined : checkFor(type);
    if (!check) return read;
    names.push(variable.name.value);
    checks.push(check);
  }
  return (sent) => {
    // The object has no prototype, because a variable can have the name __proto__.
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

/** A check for each scalar whose coercion does not change the value. */
const PLAIN_SCALARS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['String', (value) => typeof value === 'string'],
  ['Boolean', (value) => typeof value === 'boolean'],
  ['_Any', (value) => value !== null && value !== undefined],
]);

function checkFor(type: TypeNode): Check | undefined {
  const outer = withoutNonNull(type);
  if (outer.kind === Kind.NAMED_TYPE) return PLAIN_SCALARS.get(outer.name.value);
  const item = withoutNonNull(outer.type);
  const check = item.kind === Kind.NAMED_TYPE && PLAIN_SCALARS.get(item.name.value);
  return check ? (value) => Array.isArray(value) && value.every(check) : undefined;
}

function withoutNonNull(type: TypeNode): NamedTypeNode | ListTypeNode {
  return type.kind === Kind.NON_NULL_TYPE ? type.type : type;
}

export type ArgumentValues = Readonly<Record<string, unknown>>;
export type AnyField = GraphQLField<unknown, unknown>;

/** The arguments that one execution has read so far. */
export interface ExecutionArguments {
  /** different for each execution, never 0 */
  readonly number: number;
  readonly variables: Variables;
  /** index: the number of a reader; item: the values that the reader returned, or its error */
  readonly valuesByReader: (ArgumentValues | Error | undefined)[];
  /** the number of reads of arguments with variables */
  variableReads: number;
}

export interface ArgumentsReader {
  /** true if the arguments use no variables */
  readonly isConstant: boolean;
  /** Throws a GraphQLError if a value does not fit its type. */
  readonly valuesIn: (execution: ExecutionArguments) => ArgumentValues;
}

/** Returns the reader of a field node, always the same reader for one node. */
export type ArgumentsReaderOf = (definition: AnyField, node: FieldNode) => ArgumentsReader;

const NO_ARGUMENTS: ArgumentValues = Object.freeze({});
const EMPTY_READER: ArgumentsReader = { isConstant: true, valuesIn: () => NO_ARGUMENTS };

export function createArgumentsReaderOf(): ArgumentsReaderOf {
  const readers = new Map<AnyField, Map<FieldNode, ArgumentsReader>>();
  let count = 0;

  return (definition, node) => {
    if (definition.args.length === 0) return EMPTY_READER;
    const ofField = readers.get(definition) ?? new Map<FieldNode, ArgumentsReader>();
    readers.set(definition, ofField);
    const reader = ofField.get(node) ?? createReader(definition, node);
    ofField.set(node, reader);
    return reader;
  };

  function createReader(definition: AnyField, node: FieldNode): ArgumentsReader {
    if (!usesVariables(node)) return createConstantReader(definition, node);
    const number = count;
    count += 1;
    const readFast = createFastReader(definition, node);
    return {
      isConstant: false,
      valuesIn(execution) {
        const { variables, valuesByReader } = execution;
        execution.variableReads += 1;
        let values = valuesByReader[number];
        if (values === undefined) {
          values = readFast?.(variables) ?? valuesOrError(definition, node, variables);
          valuesByReader[number] = values;
        }
        if (values instanceof Error) throw values;
        return values;
      },
    };
  }
}

/** Returns an error, so that the reader can keep it. Otherwise graphql-js would make it again and search for its line. */
function valuesOrError(definition: AnyField, node: FieldNode, variables: Variables): ArgumentValues | Error {
  try {
    return getArgumentValues(definition, node, variables);
  } catch (error) {
    return error as Error;
  }
}

function createConstantReader(definition: AnyField, node: FieldNode): ArgumentsReader {
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
 * Makes a reader for arguments that are all variables, because graphql-js would check each definition again. Undefined if
 * an argument is not a variable, or if a missing argument has a default. The reader returns undefined for a null variable.
 */
function createFastReader(
  definition: AnyField,
  { arguments: nodes = [] }: FieldNode,
): ((variables: Variables) => ArgumentValues | undefined) | undefined {
  const names: (readonly [argument: string, variable: string])[] = [];
  for (const { name, value } of nodes) {
    if (value.kind !== Kind.VARIABLE) return undefined;
    names.push([name.value, value.name.value]);
  }
  const isMissing = (name: string): boolean => !names.some(([argument]) => argument === name);
  if (definition.args.some(({ name, defaultValue }) => defaultValue !== undefined && isMissing(name))) {
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
  const noteVariable = (): void => {
    found = true;
  };
  for (const node of nodes) visit(node, { Variable: noteVariable });
  return found;
}
