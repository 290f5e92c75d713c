// A router's estimate of the cost of an operation, from `@cost` and `@listSize` in an SDL, as Apollo Router does it:
// https://www.apollographql.com/docs/graphos/routing/security/demand-control

import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  getOperationAST,
  isCompositeType,
  isInputObjectType,
  isListType,
  type SelectionNode,
  valueFromASTUntyped,
} from 'graphql';

type Annotated = { readonly astNode?: { readonly directives?: readonly DirectiveNode[] } | null | undefined };

/** @param schema built from the SDL. @param document without named fragments, `@skip` and `@include` */
export function routerEstimate(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>> = {},
): number {
  function argumentOf(directive: string, name: string, { astNode }: Annotated): number | undefined {
    const definition = schema.getDirective(directive);
    const values = definition && astNode && getDirectiveValues(definition, astNode);
    return values?.[name] as number | undefined;
  }
  const weightOf = (of: Annotated, usual: number): number => argumentOf('cost', 'weight', of) ?? usual;

  /** A list adds its weight once, and once for each item. */
  function ofValue(value: unknown, type: GraphQLInputType, definition: Annotated): number {
    const named = getNamedType(type);
    if (value === null || value === undefined) return 0;
    if (Array.isArray(value)) {
      return value.reduce((sum, item) => sum + ofValue(item, named, definition), weightOf(definition, 0));
    }
    if (!isInputObjectType(named)) return weightOf(definition, 0);
    const members = Object.entries(value).map(([name, inner]) => {
      const member = named.getFields()[name];
      return member ? ofValue(inner, member.type, member) : 0;
    });
    return members.reduce((sum, each) => sum + each, weightOf(definition, 1));
  }

  function ofArguments(node: FieldNode, definition: GraphQLField<unknown, unknown>): number {
    return (node.arguments ?? []).reduce((sum, { name, value }) => {
      const argument = definition.args.find((each) => each.name === name.value);
      return argument ? sum + ofValue(valueFromASTUntyped(value, variables), argument.type, argument) : sum;
    }, 0);
  }

  function ofField(node: FieldNode, parent: GraphQLNamedType): number {
    if (node.name.value === '__typename') return 0;
    const definition = (parent as GraphQLObjectType).getFields()[node.name.value];
    if (!definition) throw new Error(`${parent.name} has no field ${node.name.value}.`);
    const type = getNamedType(definition.type);
    const weight = weightOf(definition, weightOf(type, isCompositeType(type) ? 1 : 0));
    const inner = ofSelections(node.selectionSet?.selections ?? [], type);
    const length = isListType(getNullableType(definition.type))
      ? argumentOf('listSize', 'assumedSize', definition)
      : 1;
    if (length === undefined) throw new Error(`${parent.name}.${definition.name} has no @listSize.`);
    return length * (weight + inner) + ofArguments(node, definition);
  }

  /** Fragments of all types count. */
  function ofSelections(selections: readonly SelectionNode[], type: GraphQLNamedType): number {
    return selections.reduce((sum, node) => {
      if (node.kind === 'Field') return sum + ofField(node, type);
      if (node.kind === 'FragmentSpread') throw new Error('Spread fragments are not estimated here.');
      const on = node.typeCondition && schema.getType(node.typeCondition.name.value);
      return sum + ofSelections(node.selectionSet.selections, on ?? type);
    }, 0);
  }

  const { selectionSet } = getOperationAST(document) ?? {};
  return ofSelections(selectionSet?.selections ?? [], schema.getQueryType() as GraphQLObjectType);
}
