// What a federated gateway asks first: the schema as a subgraph's SDL.

import type { GraphQLSchema } from 'graphql';
import { builder } from '../builder.ts';
import { priced } from '../field-price.ts';
import { printSubgraph } from './print-subgraph.ts';

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
