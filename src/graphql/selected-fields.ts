// Which fields of an object a document selects: fragments taken in, fields of one name merged, directives heeded.

import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import type { AnyField, ArgumentsReaders, Variables } from './arguments.ts';

export interface SelectionSource {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** those that `@skip` and `@include` go by */
  readonly variables: Variables;
}

/** What the plan and the price of an operation are made from. */
export interface PlanSource extends SelectionSource {
  readonly operation: OperationDefinitionNode;
  /** shared with the price: what it has read for an operation is not read again */
  readonly readers: ArgumentsReaders;
}

/** One field of an answer, wherever the document selects it. */
export type Nodes = readonly [FieldNode, ...FieldNode[]];

/** The fields selected on an object, by their names in the answer and in its order (GraphQL, section 6.3.2). */
export function collectFields(
  { schema, fragments, variables }: SelectionSource,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): ReadonlyMap<string, Nodes> {
  const fields = new Map<string, [FieldNode, ...FieldNode[]]>();
  const spread = new Set<string>();
  const applies = (condition: string | undefined): boolean => {
    if (condition === undefined) return true;
    const wanted = schema.getType(condition);
    return wanted === type || (isAbstractType(wanted) && schema.isSubType(wanted, type));
  };
  const add = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (!isIncluded(node, variables)) continue;
      if (node.kind === 'Field') {
        const key = (node.alias ?? node.name).value;
        const nodes = fields.get(key);
        if (nodes) nodes.push(node);
        else fields.set(key, [node]);
      } else if (node.kind === 'InlineFragment') {
        if (applies(node.typeCondition?.name.value)) add(node.selectionSet);
      } else if (!spread.has(node.name.value)) {
        spread.add(node.name.value);
        const fragment = fragments.get(node.name.value);
        if (fragment && applies(fragment.typeCondition.name.value)) add(fragment.selectionSet);
      }
    }
  };
  for (const set of sets) add(set);
  return fields;
}

/** Whether `@skip` and `@include` leave a selection in. */
export function isIncluded(node: SelectionNode, variables: Variables): boolean {
  if (!node.directives?.length) return true;
  if (valuesOf(GraphQLSkipDirective, node, variables)?.['if'] === true) return false;
  return valuesOf(GraphQLIncludeDirective, node, variables)?.['if'] !== false;
}

function valuesOf(
  directive: Parameters<typeof getDirectiveValues>[0],
  node: { readonly directives?: readonly DirectiveNode[] },
  variables: Variables,
): Variables | undefined {
  return getDirectiveValues(directive, node, variables);
}

/** A field of a type, also of the three that every schema has; undefined for what is none. */
export function fieldDefinition(
  schema: GraphQLSchema,
  type: GraphQLNamedType | null | undefined,
  name: string,
): AnyField | undefined {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  if (type === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  }
  return type && 'getFields' in type && !('parseValue' in type)
    ? (type.getFields()[name] as AnyField | undefined)
    : undefined;
}
