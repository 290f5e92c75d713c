// Prints TypeScript types of the variables and the data of queries, from a schema. The queries may have inline fragments,
// aliases, @include and @skip, but no named fragments.

import {
  buildSchema,
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  parse,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';

const SCALARS: Readonly<Record<string, string>> = {
  ID: 'string',
  String: 'string',
  Int: 'number',
  Float: 'number',
  Boolean: 'boolean',
  DateTime: 'string',
  JSON: 'unknown',
};

/** A field of a response, and whether a directive can leave it out. */
interface Selected {
  readonly nodes: FieldNode[];
  readonly isOptional: boolean;
}

/**
 * @param schemaText the schema in the schema definition language
 * @param queries documents with one operation each, by the name of the operation
 * @returns a module with the interface `Operations`, and with types of enums and inputs
 */
export function queryTypes(schemaText: string, queries: Readonly<Record<string, string>>): string {
  const schema = buildSchema(schemaText);
  const named = new Map<string, string>();
  const operations = Object.entries(queries).map(([name, text]) => {
    const { variables, data } = operationTypes(schema, named, name, parse(text));
    return `  readonly ${name}: {\n    readonly variables: ${variables};\n    readonly data: ${data};\n  };`;
  });
  const types = [...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return [
    '// Written by `npm run tables`.',
    `export interface Operations {\n${operations.join('\n')}\n}`,
    ...types,
  ]
    .join('\n\n')
    .concat('\n');
}

function operationTypes(
  schema: GraphQLSchema,
  named: Map<string, string>,
  name: string,
  { definitions }: DocumentNode,
) {
  const [operation] = definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION || definitions.length !== 1) {
    throw new Error(`${name} must be a document with one operation.`);
  }
  if (operation.name?.value !== name) throw new Error(`The operation of ${name} must have this name.`);
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`The schema has no ${operation.operation}.`);
  const variables = (operation.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => {
    const input = typeFromAST(schema, type) as GraphQLInputType;
    const isRequired = isNonNullType(input) && !defaultValue;
    return property(variable.name.value, inputType(input, named), !isRequired);
  });
  return {
    variables: objectType(variables, '    '),
    data: selectionType(schema, named, root, [operation.selectionSet], '    '),
  };
}

const property = (name: string, type: string, isOptional: boolean) =>
  `readonly ${name}${isOptional ? '?' : ''}: ${type};`;

function objectType(properties: readonly string[], indent: string): string {
  return `{\n${properties.map((text) => `${indent}  ${text}\n`).join('')}${indent}}`;
}

/** The type of a leaf. Keeps the types of enums and inputs in `named`. */
function leafType(type: GraphQLNamedType, named: Map<string, string>): string {
  if (isEnumType(type)) {
    const values = type.getValues().map(({ name }) => `\n  | '${name}'`);
    named.set(type.name, `export type ${type.name} =${values.join('')};`);
    return type.name;
  }
  const scalar = SCALARS[type.name];
  if (scalar === undefined) throw new Error(`Add the scalar ${type.name} to the table of scalars.`);
  return scalar;
}

function inputType(type: GraphQLInputType, named: Map<string, string>): string {
  if (isNonNullType(type)) return nonNullInput(type.ofType, named);
  return `${nonNullInput(type, named)} | null`;
}

function nonNullInput(type: GraphQLInputType, named: Map<string, string>): string {
  if (isNonNullType(type)) return nonNullInput(type.ofType, named);
  if (isListType(type)) return `readonly ${inList(inputType(type.ofType, named))}[]`;
  if (!isInputObjectType(type)) return leafType(type, named);
  const fields = Object.values(type.getFields()).map((field) =>
    property(field.name, inputType(field.type, named), !isRequiredInputField(field)),
  );
  named.set(type.name, `export interface ${type.name} ${objectType(fields, '')}`);
  return type.name;
}

const inList = (type: string) => (type.includes(' | ') ? `(${type})` : type);

function selectionType(
  schema: GraphQLSchema,
  named: Map<string, string>,
  parent: GraphQLCompositeType,
  selections: readonly SelectionSetNode[],
  indent: string,
): string {
  const outputType = (type: GraphQLOutputType, nodes: readonly FieldNode[], fieldIndent: string): string => {
    if (isNonNullType(type)) return nonNullOutput(type.ofType, nodes, fieldIndent);
    return `${nonNullOutput(type, nodes, fieldIndent)} | null`;
  };
  const nonNullOutput = (
    type: GraphQLOutputType,
    nodes: readonly FieldNode[],
    fieldIndent: string,
  ): string => {
    if (isNonNullType(type)) return nonNullOutput(type.ofType, nodes, fieldIndent);
    if (isListType(type)) return `readonly ${inList(outputType(type.ofType, nodes, fieldIndent))}[]`;
    if (!isCompositeType(type)) return leafType(type, named);
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    return selectionType(schema, named, type, sets, fieldIndent);
  };
  const members = isAbstractType(parent) ? schema.getPossibleTypes(parent) : [parent];
  return members
    .map((member) => {
      const fields = new Map<string, Selected>();
      for (const selection of selections) collect(schema, member, selection, fields, false);
      const properties = [...fields].map(([name, { nodes, isOptional }]) => {
        const field = nodes[0]?.name.value ?? '';
        if (field === '__typename') return property(name, `'${member.name}'`, isOptional);
        const type = member.getFields()[field]?.type;
        if (!type) throw new Error(`${member.name} has no field ${field}.`);
        return property(name, outputType(type, nodes, `${indent}  `), isOptional);
      });
      return objectType(properties, indent);
    })
    .join(' | ');
}

/** Adds the fields that a selection selects of an object of the type. */
function collect(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  { selections }: SelectionSetNode,
  fields: Map<string, Selected>,
  isInOptional: boolean,
): void {
  for (const node of selections) {
    const isOptional =
      isInOptional || (node.directives ?? []).some(({ name }) => ['include', 'skip'].includes(name.value));
    if (node.kind === Kind.FIELD) {
      const name = node.alias?.value ?? node.name.value;
      const known = fields.get(name);
      fields.set(name, {
        nodes: [...(known?.nodes ?? []), node],
        isOptional: isOptional && (known?.isOptional ?? true),
      });
    } else if (node.kind === Kind.INLINE_FRAGMENT) {
      const condition = node.typeCondition ? schema.getType(node.typeCondition.name.value) : type;
      const matches = condition === type || (isAbstractType(condition) && schema.isSubType(condition, type));
      if (matches) collect(schema, type, node.selectionSet, fields, isOptional);
    } else {
      throw new Error(`Named fragments are not supported: ${node.name.value}.`);
    }
  }
}
