// Counts the size of a plan before the plan is made, so that an operation with a plan that is too large is refused.

import {
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { GatewayError } from '../errors.ts';
import { HEAP_BYTES } from './heap-sizes.ts';
import { appliesTo, fieldDefinition, isIncluded, type SelectedOperation } from './selected-fields.ts';

/** The largest plan: enough for a fragment of 50 fields that a document spreads 900 times. */
export const MAX_PLANNED_FIELDS = 50_000;

/** The maximum size of a plan. */
export interface PlanSize {
  /** the fields of all objects, and the skipped nodes, which planning visits too */
  readonly fields: number;
  readonly heapBytes: number;
}

/**
 * Counts without planning. Fields are not merged, and an object of an abstract type counts once for each possible type.
 * Visits each selection set once per type, so the time depends only on the size of the document.
 */
export function planSizeOf({ schema, operation, fragments, variables }: SelectedOperation): PlanSize {
  const known = new Map<SelectionSetNode, Map<GraphQLObjectType, number>>();
  const readers = new Set<FieldNode>();
  let argumentBytes = 0;

  function ofSelections(set: SelectionSetNode, type: GraphQLObjectType): number {
    const ofType = known.get(set) ?? new Map<GraphQLObjectType, number>();
    known.set(set, ofType);
    const count = ofType.get(type) ?? set.selections.reduce((sum, node) => sum + ofSelection(node, type), 0);
    ofType.set(type, count);
    return count;
  }

  function ofSelection(node: SelectionNode, type: GraphQLObjectType): number {
    if (!isIncluded(node, variables)) return 1;
    if (node.kind === 'Field') return 1 + ofField(node, type);
    const fragment = node.kind === 'InlineFragment' ? node : fragments.get(node.name.value);
    if (!fragment || !appliesTo(type, fragment.typeCondition?.name.value, schema)) return 0;
    return ofSelections(fragment.selectionSet, type);
  }

  function ofField(node: FieldNode, type: GraphQLObjectType): number {
    const { arguments: nodes = [], selectionSet } = node;
    if (nodes.length > 0 && !readers.has(node)) {
      readers.add(node);
      const characters = (nodes.at(-1)?.loc?.end ?? 0) - (nodes[0]?.loc?.start ?? 0);
      argumentBytes += HEAP_BYTES.argumentsReader + characters * HEAP_BYTES.argumentCharacter;
    }
    const definition = selectionSet && fieldDefinition(schema, type, node.name.value);
    if (!definition) return 0;
    const inner = getNamedType(definition.type) as GraphQLObjectType | GraphQLAbstractType;
    const types = isAbstractType(inner) ? schema.getPossibleTypes(inner) : [inner];
    return types.reduce((sum, possible) => sum + ofSelections(selectionSet, possible), 0);
  }

  const fields = ofSelections(operation.selectionSet, schema.getQueryType() as GraphQLObjectType);
  const heapBytes = HEAP_BYTES.operation + fields * HEAP_BYTES.plannedField + argumentBytes;
  return { fields, heapBytes };
}

export class PlanTooLarge extends GatewayError {
  constructor(fields: number) {
    super('LIMIT_EXCEEDED', {
      message: `The operation selects ${fields} fields, counted in each place that spreads their fragment and with the skipped fields. The gateway allows ${MAX_PLANNED_FIELDS}. Pass many DOIs through dois(inputs:) instead of aliases, or spread smaller fragments.`,
    });
  }
}
