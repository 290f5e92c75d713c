// Counts the parts of a response: from the document before the execution, and from found lists during the execution.

import { GraphQLDeferDirective, GraphQLStreamDirective } from '@graphql-tools/utils';
import {
  type DirectiveNode,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  isListType,
} from 'graphql';
import { GatewayError } from '../../errors.ts';
import type { AnyField, Variables } from '../arguments.ts';
import { createSumOfSelections, fieldDefinition, type SelectedOperation } from '../selected-fields.ts';

/** At most this many parts follow the first part. Yoga's executor needs time proportional to the square of this number. */
export const MAX_PARTS = 1_000;

export function tooManyParts(parts: number): GatewayError {
  const count = Number.isFinite(parts) ? `${parts}` : 'too many';
  return new GatewayError('LIMIT_EXCEEDED', {
    message: `The response would have ${count} parts after the first. The limit is ${MAX_PARTS}. Ask for fewer names at once, or defer and stream less.`,
  });
}

/** Counts the parts of found lists, whose length is unknown before the execution. */
export class FoundParts {
  readonly #counter: ReturnType<typeof createCounter>;
  #parts = 0;

  constructor(operation: SelectedOperation) {
    // Skips lists inside the items, because they are not found yet.
    this.#counter = createCounter(operation, () => 0);
  }

  /**
   * Counts the parts of the items with the indexes `from` to `to - 1`, and returns their number. The caller must call
   * `grow` before the executor begins these parts. Throws LIMIT_EXCEEDED for too many parts.
   */
  grow(list: FoundList, from: number, to: number): number {
    const more = this.#partsOf(list, to) - this.#partsOf(list, from);
    this.#parts += more;
    if (this.#parts > MAX_PARTS) throw tooManyParts(this.#parts);
    return more;
  }

  #partsOf({ fieldNodes, parentType, returnType }: FoundList, length: number): number {
    const { ofSelections, streamedItems } = this.#counter;
    return fieldNodes.reduce(
      (sum, { selectionSet }) =>
        sum + (selectionSet ? length * ofSelections(selectionSet, getNamedType(returnType)) : 0),
      fieldNodes[0] ? streamedItems(fieldNodes[0], parentType, length) : 0,
    );
  }
}

type FoundList = Pick<GraphQLResolveInfo, 'fieldNodes' | 'parentType' | 'returnType'>;

/** The assumed length of a list if no argument determines the length. */
const USUAL_LENGTH = 10;

/**
 * The number of parts after the first part: one for each deferred fragment in each object, and one for each streamed item.
 * The result can be Infinity. Throws BAD_USER_INPUT for a negative `initialCount`, and for @stream inside a list's items.
 */
export function countParts(selected: SelectedOperation): number {
  const { schema, operation, variables } = selected;
  return createCounter(selected, (node, field) => {
    const lists = Object.values(getArgumentValues(field, node, variables)).filter(Array.isArray);
    return Math.max(1, ...(lists.length === 0 ? [USUAL_LENGTH] : lists.map(({ length }) => length)));
  }).ofSelections(operation.selectionSet, schema.getQueryType());
}

function createCounter(
  operation: SelectedOperation,
  lengthOfList: (node: FieldNode, field: AnyField) => number,
) {
  const { schema, variables } = operation;
  const ofSelections = createSumOfSelections<number>(operation, {
    sumOf: (parts) => parts.reduce((sum, part) => sum + part, 0),
    ofField(node, type, ofSelections) {
      const field = fieldDefinition(schema, type, node.name.value);
      if (!field) return 0;
      const length = isListType(getNullableType(field.type)) ? lengthOfList(node, field) : 1;
      const inner = node.selectionSet ? ofSelections(node.selectionSet, getNamedType(field.type)) : 0;
      return length * inner + streamedItems(node, type, length);
    },
    ofFragment(node, inner) {
      const defer = argumentsOf(GraphQLDeferDirective, node, variables);
      return inner + (defer && defer['if'] !== false ? 1 : 0);
    },
  });

  function streamedItems(node: FieldNode, type: GraphQLNamedType | null | undefined, length: number): number {
    const stream = argumentsOf(GraphQLStreamDirective, node, variables);
    if (!stream || stream['if'] === false) return 0;
    // The length of a nested list depends on the record or the name, so it is unknown before the look-up.
    if (type?.name !== schema.getQueryType()?.name) {
      throw badStream(
        `"${node.name.value}" cannot be streamed: @stream is for the lists of Query, such as dois(inputs:). Remove @stream here, or defer a fragment around the field.`,
      );
    }
    const { initialCount } = stream;
    if (typeof initialCount === 'number' && initialCount >= 0) return Math.max(0, length - initialCount);
    throw badStream('The argument "initialCount" of @stream must be 0 or more.');
  }

  return { ofSelections, streamedItems };
}

function badStream(message: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', { message });
}

function argumentsOf(
  directive: Parameters<typeof getDirectiveValues>[0],
  node: { readonly directives?: readonly DirectiveNode[] },
  variables: Variables,
): Readonly<Record<string, unknown>> | undefined {
  return node.directives?.length ? getDirectiveValues(directive, node, variables) : undefined;
}
