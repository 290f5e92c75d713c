// The schema as a subgraph's SDL, which a federated gateway reads first.

import { getDocumentNodeFromSchema } from '@graphql-tools/utils';
import { type DefinitionNode, type GraphQLSchema, Kind, lexicographicSortSchema, print } from 'graphql';
import { builder } from '../builder.ts';
import { priced } from '../field-price.ts';

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

/** The text is as long as hundreds of DOIs. */
const SDL_PRICE = { field: 1_000, multiplier: 1 };

const printed = new WeakMap<GraphQLSchema, string>();

function sdlOf(schema: GraphQLSchema): string {
  const sdl = printed.get(schema) ?? printSubgraph(schema);
  printed.set(schema, sdl);
  return sdl;
}

const ServiceType = builder.objectRef<GraphQLSchema>('_Service').implement({
  description: 'This gateway as a subgraph.',
  fields: (t) => ({
    sdl: t.string({
      ...priced(SDL_PRICE),
      description: 'The schema with its federation directives, the same as schema.graphql.',
      resolve: sdlOf,
    }),
  }),
});

builder.queryField('_service', (t) =>
  t.field({
    type: ServiceType,
    description: 'For federated gateways: what this subgraph can do.',
    resolve: (_root, _args, _context, { schema }) => schema,
  }),
);
