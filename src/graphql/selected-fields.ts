// Collects the fields that a document selects. It follows fragments, merges equal fields, and applies @skip and @include.

import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  type InlineFragmentNode,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import type { AnyField, ArgumentsReaderOf, Variables } from './arguments.ts';

interface SelectionSource {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** for the conditions of `@skip` and `@include` */
  readonly variables: Variables;
}

export interface SelectedOperation extends SelectionSource {
  readonly operation: OperationDefinitionNode;
}

/** The input for the plan and the price of an operation. */
export interface PlanSource extends SelectedOperation {
  /** The plan and the price share the readers, so that arguments are read once. */
  readonly readerOf: ArgumentsReaderOf;
}

/** All nodes of the document that select one field of the response. */
export type Nodes = readonly [FieldNode, ...FieldNode[]];

/**
 * The selected fields of an object (GraphQL, section 6.3.2). The keys are names in the response, in the order of the
 * response.
 * @param type null: the fields for all types
 */
export function collectFields(
  { schema, fragments, variables }: SelectionSource,
  type: GraphQLObjectType | null,
  sets: readonly SelectionSetNode[],
): ReadonlyMap<string, Nodes> {
  const fields = new Map<string, [FieldNode, ...FieldNode[]]>();
  const spread = new Set<string>();
  const applies = (condition: string | undefined): boolean =>
    type === null || appliesTo(type, condition, schema);
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

/** @param condition the type condition of a fragment; undefined: none */
export function appliesTo(
  type: GraphQLObjectType,
  condition: string | undefined,
  schema: GraphQLSchema,
): boolean {
  if (condition === undefined) return true;
  const wanted = schema.getType(condition);
  return wanted === type || (isAbstractType(wanted) && schema.isSubType(wanted, type));
}

type SumOfSelections<Sum> = (set: SelectionSetNode, type: GraphQLNamedType | null | undefined) => Sum;

interface SumRules<Sum> {
  sumOf(parts: readonly Sum[]): Sum;
  ofField(
    node: FieldNode,
    type: GraphQLNamedType | null | undefined,
    ofSelections: SumOfSelections<Sum>,
  ): Sum;
  /** @param inner the sum of the fragment's selections */
  ofFragment(node: InlineFragmentNode | FragmentSpreadNode, inner: Sum): Sum;
}

/**
 * Makes a function that computes a sum over selections, such as their price. The function visits each fragment once per
 * type, even if the fragment is spread in many places. So the time depends only on the size of the document.
 */
export function createSumOfSelections<Sum>(
  { schema, fragments, variables }: SelectionSource,
  { sumOf, ofField, ofFragment }: SumRules<Sum>,
): SumOfSelections<Sum> {
  const known = new Map<SelectionSetNode, Map<string | undefined, Sum>>();
  const nothing = sumOf([]);

  function ofSelections(set: SelectionSetNode, type: GraphQLNamedType | null | undefined): Sum {
    const ofType = known.get(set) ?? new Map<string | undefined, Sum>();
    known.set(set, ofType);
    const sum = ofType.get(type?.name) ?? sumOf(set.selections.map((node) => ofSelection(node, type)));
    ofType.set(type?.name, sum);
    return sum;
  }

  function ofSelection(node: SelectionNode, type: GraphQLNamedType | null | undefined): Sum {
    if (!isIncluded(node, variables)) return nothing;
    if (node.kind === 'Field') return ofField(node, type, ofSelections);
    const fragment = node.kind === 'InlineFragment' ? node : fragments.get(node.name.value);
    if (!fragment) return nothing;
    const condition = fragment.typeCondition?.name.value;
    return ofFragment(
      node,
      ofSelections(fragment.selectionSet, condition ? schema.getType(condition) : type),
    );
  }

  return ofSelections;
}

export function fragmentsIn({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = definitions.filter((node) => node.kind === 'FragmentDefinition');
  return new Map(fragments.map((node) => [node.name.value, node]));
}

export function isIncluded(node: SelectionNode, variables: Variables): boolean {
  const { directives = [] } = node;
  if (directives.length === 0) return true;
  let included = true;
  for (const { name, arguments: nodes = [] } of directives) {
    if (name.value !== 'skip' && name.value !== 'include') continue;
    const value = nodes[0]?.value;
    const constant = value?.kind === 'BooleanValue' ? value.value : null;
    const condition = value?.kind === 'Variable' ? variables[value.name.value] : constant;
    if (typeof condition !== 'boolean') return readIsIncluded(node, variables);
    if (condition === (name.value === 'skip')) included = false;
  }
  return included;
}

/** Like graphql-js, which throws a GraphQLError for a condition without a value, but takes ten times as long. */
function readIsIncluded(node: SelectionNode, variables: Variables): boolean {
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false;
}

/** A field of a type, or a meta field such as `__typename`. Undefined if there is no such field. */
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
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}
