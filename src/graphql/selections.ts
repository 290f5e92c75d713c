// What both the price and the plan of an operation go by: its selections, and the fields that they name.

import {
  type DirectiveNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import type { AnyField, ArgumentsReaders } from './arguments.ts';

/** Variables after coercion. */
export type Variables = Readonly<Record<string, unknown>>;

/** What a plan is made from. `variables` are those that `@skip` and `@include` go by. */
export interface PlanSource {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Variables;
  /** shared with the price: what it has read for an operation is not read again */
  readonly readers: ArgumentsReaders;
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
