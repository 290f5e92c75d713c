// Prints the schema as the SDL of a subgraph. A federated gateway reads this SDL first.

import { getDocumentNodeFromSchema } from '@graphql-tools/utils';
import { type DefinitionNode, type GraphQLSchema, Kind, lexicographicSortSchema, print } from 'graphql';
import { builder } from '../builder.ts';
import { priced } from '../field-price.ts';

/** Directives about the delivery of a response. Other subgraphs do not need them. */
const DELIVERY: ReadonlySet<string> = new Set(['defer', 'stream']);

/**
 * The text of schema.graphql: the schema as a subgraph of Federation 2. The types are sorted, so that a diff shows only
 * real changes. The fields `_service` and `_entities` are left out, because every subgraph has them.
 */
export function printSubgraph(schema: GraphQLSchema): string {
  const { definitions, ...document } = getDocumentNodeFromSchema(lexicographicSortSchema(schema));
  return `${print({ ...document, definitions: definitions.filter(isPrinted).map(withoutGatewayFields) })}\n`;
}

function isPrinted(definition: DefinitionNode): boolean {
  if (definition.kind === Kind.DIRECTIVE_DEFINITION) return !DELIVERY.has(definition.name.value);
  return !('name' in definition && definition.name?.value.startsWith('_'));
}

function withoutGatewayFields(definition: DefinitionNode): DefinitionNode {
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return definition;
  return {
    ...definition,
    fields: (definition.fields ?? []).filter(({ name }) => !name.value.startsWith('_')),
  };
}

/** The price is high, because the text is as long as hundreds of DOIs. */
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
