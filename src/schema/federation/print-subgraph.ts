import { getDocumentNodeFromSchema } from '@graphql-tools/utils';
import { type DefinitionNode, type GraphQLSchema, Kind, lexicographicSortSchema, print } from 'graphql';

/** Directives about how an answer is delivered, which are a matter between a client and this server alone. */
const DELIVERY: ReadonlySet<string> = new Set(['defer', 'stream']);

/**
 * The schema as a Federation 2 subgraph, as schema.graphql holds it: sorted, so that a change shows as a
 * change, and without the entry for gateways (`_service`, `_entities`), which they take for granted.
 */
export function printSubgraph(schema: GraphQLSchema): string {
  const { definitions, ...document } = getDocumentNodeFromSchema(lexicographicSortSchema(schema));
  return `${print({ ...document, definitions: definitions.filter(isPrinted).map(withoutEntry) })}\n`;
}

function isPrinted(definition: DefinitionNode): boolean {
  if (definition.kind === Kind.DIRECTIVE_DEFINITION) return !DELIVERY.has(definition.name.value);
  return !('name' in definition && definition.name?.value.startsWith('_'));
}

function withoutEntry(definition: DefinitionNode): DefinitionNode {
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return definition;
  return {
    ...definition,
    fields: (definition.fields ?? []).filter(({ name }) => !name.value.startsWith('_')),
  };
}
