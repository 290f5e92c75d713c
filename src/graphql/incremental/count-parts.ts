// Counts the parts of a response: from the document before the execution, and from found lists during the execution.

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

/** The most parts after the first part. Yoga's executor needs time proportional to the square of this number. */
export const MAX_PARTS = 1_000;

export function tooManyParts(parts: number): GatewayError {
  const found = Number.isFinite(parts) ? `${parts}` : 'too many';
  return new GatewayError('LIMIT_EXCEEDED', {
    message: `The answer would have ${found} parts after the first. The limit is ${MAX_PARTS}. Ask for fewer names at once, or defer and stream less.`,
  });
}

/** Counts the parts of found lists, whose length is unknown before the execution. */
export class FoundParts {
  readonly #partsOf: ReturnType<typeof createFoundCounter>;
  #parts = 0;

  constructor(operation: CountedOperation) {
    this.#partsOf = createFoundCounter(operation);
  }

  /**
   * Counts the parts of the items from `from` up to `to`, which is excluded. Call it before the executor begins the parts.
   * Returns their number. Throws LIMIT_EXCEEDED for too many parts.
   */
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

/** The assumed length of a list if no argument determines the length. */
const USUAL_LENGTH = 10;

/**
 * The number of parts after the first part: one for each deferred fragment in each object, and one for each streamed item.
 * The result can be Infinity. Throws BAD_USER_INPUT for a negative `initialCount`, and for @stream inside a list's items.
 */
export function countParts(counted: CountedOperation): number {
  const { schema, operation, variables } = counted;
  return createCounter(counted, (node, field) => {
    const lists = Object.values(getArgumentValues(field, node, variables)).filter(Array.isArray);
    return Math.max(1, ...(lists.length === 0 ? [USUAL_LENGTH] : lists.map(({ length }) => length)));
  }).ofSelections(operation.selectionSet, schema.getRootType(operation.operation));
}

/** Counts the parts of the items of one list. Skips lists inside the items, because they are not found yet. */
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
    // The length of a nested list depends on the record or the name, so it is unknown before the look-up.
    if (type?.name !== schema.getQueryType()?.name) throw streamedInside(node.name.value);
    const { initialCount } = stream;
    if (typeof initialCount === 'number' && initialCount >= 0) return Math.max(0, length - initialCount);
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
