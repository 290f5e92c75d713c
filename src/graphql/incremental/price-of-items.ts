// The cost of list items that the price of the operation does not include.

import { collectSubFields } from '@graphql-tools/utils';
import type { GraphQLNamedType, GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import { createArgumentsReaders } from '../arguments.ts';
import { createSelectionsPrice, priceIn } from '../price.ts';

export function costOfFound(type: GraphQLNamedType, info: GraphQLResolveInfo): number {
  const { schema, fieldNodes, fragments, variableValues: variables } = info;
  const price = createSelectionsPrice({
    schema,
    fragments: new Map(Object.entries(fragments)),
    variables,
    readers: createArgumentsReaders(),
  })(
    fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? []),
    type,
  );
  return priceIn(price, { number: 1, variables, read: [], variableReads: 0 });
}

/** The number of fields selected on each item, with fragments and deferred fields. */
export function selectedFieldsOf(type: GraphQLObjectType, info: GraphQLResolveInfo): number {
  const { schema, fragments, fieldNodes } = info;
  const variables = { coerced: info.variableValues, sources: {} };
  const { fields, patches } = collectSubFields(schema, fragments, variables, type, [...fieldNodes]);
  return patches.reduce((count, patch) => count + patch.fields.size, fields.size);
}
