// A subgraph of another team, in-process.

import { createSchema, createYoga, type YogaServerInstance } from 'graphql-yoga';
import { type Other, sdlOf } from './compose.ts';

type Representation = Readonly<Record<string, unknown>>;

export interface OtherSubgraph {
  /** the value of each root field */
  readonly query?: Readonly<Record<string, unknown>>;
  /** by type: adds fields to a representation */
  readonly entities?: Readonly<Record<string, (representation: Representation) => object>>;
}

export type Subgraph = YogaServerInstance<object, object>;

export function createOtherSubgraph(name: Other, { query = {}, entities = {} }: OtherSubgraph): Subgraph {
  const sdl = sdlOf(name);
  const types = Object.keys(entities);
  const hasQuery = sdl.includes('type Query');
  const entry = `
    ${hasQuery ? 'extend' : ''} type Query { _entities(representations: [_Any!]!): [_Entity]! }
    union _Entity = ${types.join(' | ')}
    scalar _Any`;
  const entityOf = (representation: Representation) => {
    const type = String(representation['__typename']);
    return { ...representation, ...entities[type]?.(representation) };
  };
  const _entities = (_root: unknown, { representations }: { representations: readonly Representation[] }) =>
    representations.map(entityOf);
  const roots = Object.entries(query).map(([field, value]) => [field, () => value]);
  return createYoga({
    schema: createSchema({
      typeDefs: types.length === 0 ? sdl : [sdl, entry],
      resolvers: { Query: { ...Object.fromEntries(roots), ...(types.length === 0 ? {} : { _entities }) } },
      assumeValidSDL: true,
    }),
    logging: false,
  });
}
