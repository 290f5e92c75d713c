// Counts the parts of an answer: before its execution from the document, and during it for lists that it finds.

import { GraphQLDeferDirective, GraphQLStreamDirective } from '@graphql-tools/utils';
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  TypeMetaFieldDef,
} from 'graphql';
import { GatewayError } from '../../errors.ts';
import { createSumOfSelections, fragmentsIn } from '../selected-fields.ts';

// How many parts may follow the first, and what is said where there would be more.

/** The executor checks n² parts to deliver n of them: 40 MB and a quarter of a second for this maximum. */
export const MAX_PARTS = 1_000;

export function tooManyParts(parts: number): GatewayError {
  const found = Number.isFinite(parts) ? `${parts}` : 'more';
  return new GatewayError('LIMIT_EXCEEDED', {
    message: `The answer would come in ${found} parts, of the ${MAX_PARTS} that may follow the first. Ask for fewer names at once, or defer and stream less.`,
  });
}

/**
 * The parts of lists whose length was not known before execution. They are counted when the list is there, before the
 * executor begins a part for each item.
 */
export class FoundParts {
  readonly #partsOf: ReturnType<typeof createFoundCounter>;
  #parts = 0;

  constructor(operation: CountedOperation) {
    this.#partsOf = createFoundCounter(operation);
  }

  /** Counts the parts of items that a list has more now, and returns them. Throws LIMIT_EXCEEDED for too many parts. */
  grow(list: FoundList, from: number, to: number): number {
    const more = this.#partsOf(list, to) - this.#partsOf(list, from);
    this.#parts += more;
    if (this.#parts > MAX_PARTS) throw tooManyParts(this.#parts);
    return more;
  }
}

export interface CountedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** coerced */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What a list is counted for whose length does not follow from an argument. */
const USUAL_LENGTH = 10;

/**
 * How many parts follow the first one: one for each deferred fragment in each of its places, and one for each
 * item that is streamed. 0 where nothing is deferred or streamed with these variables. Fragments multiply, and
 * so do lists: the number may be beyond all bounds, the work for it is not.
 * Throws BAD_USER_INPUT for an `initialCount` that is no count, and for what is streamed inside a list's items.
 */
export function countParts(counted: CountedOperation): number {
  const { schema, operation, variables } = counted;
  return createCounter(counted, (node, field) => {
    const lists = Object.values(getArgumentValues(field, node, variables)).filter(Array.isArray);
    return Math.max(1, ...(lists.length === 0 ? [USUAL_LENGTH] : lists.map(({ length }) => length)));
  }).ofSelections(operation.selectionSet, schema.getRootType(operation.operation));
}

/** The parts that the items of one list bring along. Those of lists in them are not counted: they are not there yet. */
export function createFoundCounter(counted: CountedOperation) {
  const counter = createCounter(counted, () => 0);
  return (list: FoundList, length: number): number =>
    list.fieldNodes.reduce(
      (sum, { selectionSet }) =>
        sum + (selectionSet ? length * counter.ofSelections(selectionSet, getNamedType(list.returnType)) : 0),
      list.fieldNodes[0] ? counter.streamedItems(list.fieldNodes[0], list.parentType, length) : 0,
    );
}

export type FoundList = Pick<GraphQLResolveInfo, 'fieldNodes' | 'parentType' | 'returnType'>;

function createCounter(
  { schema, document, variables }: CountedOperation,
  lengthOfList: (node: FieldNode, field: ListField) => number,
) {
  const ofSelections = createSumOfSelections<number>(
    { schema, fragments: fragmentsIn(document), variables },
    {
      sumOf: (parts) => parts.reduce((sum, part) => sum + part, 0),
      ofField(node, type, ofSelections) {
        const field = fieldOf(node.name.value, type);
        if (!field) return 0;
        const length = lengthOf(node, field);
        const inner = node.selectionSet ? ofSelections(node.selectionSet, getNamedType(field.type)) : 0;
        return length * inner + streamedItems(node, type, length);
      },
      ofFragment: (node, inner) => inner + (isDeferred(node, variables) ? 1 : 0),
    },
  );

  function lengthOf(node: FieldNode, field: ListField): number {
    return isListType(getNullableType(field.type)) ? lengthOfList(node, field) : 1;
  }

  function streamedItems(node: FieldNode, type: GraphQLNamedType | null | undefined, length: number): number {
    const stream = argumentsOf(GraphQLStreamDirective, node, variables);
    if (!stream || stream['if'] === false) return 0;
    // The length of a nested list depends on the record or the name, so it is not known before the look-up.
    if (type?.name !== schema.getQueryType()?.name) throw streamedInside(node.name.value);
    const first = stream['initialCount'];
    if (typeof first === 'number' && first >= 0) return Math.max(0, length - first);
    throw new GatewayError('BAD_USER_INPUT', {
      message: 'The argument "initialCount" of @stream must be 0 or more.',
    });
  }

  return { ofSelections, streamedItems };
}

function streamedInside(field: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', {
    message: `"${field}" cannot be streamed: @stream is for the lists of Query, such as dois(inputs:). Leave it out here, or defer a fragment around the field.`,
  });
}

function isDeferred(node: SelectionNode, variables: CountedOperation['variables']): boolean {
  const defer = argumentsOf(GraphQLDeferDirective, node, variables);
  return defer !== undefined && defer['if'] !== false;
}

function argumentsOf(
  directive: Parameters<typeof getDirectiveValues>[0],
  node: { readonly directives?: readonly DirectiveNode[] },
  variables: CountedOperation['variables'],
): Readonly<Record<string, unknown>> | undefined {
  return node.directives?.length ? getDirectiveValues(directive, node, variables) : undefined;
}

type ListField = Parameters<typeof getArgumentValues>[0] & { readonly type: GraphQLOutputType };

function fieldOf(name: string, type: GraphQLNamedType | null | undefined): ListField | undefined {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}
