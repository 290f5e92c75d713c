// A GraphQL server for an SDL file, with what a federated gateway needs of it: _service, and _entities where
// the SDL has keys to be asked by.
import { readFileSync } from 'node:fs';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { Kind, parse } from 'graphql';
import { createSchema, createYoga } from 'graphql-yoga';

export function createSubgraph(file, resolvers) {
  const sdl = readFileSync(new URL(file, import.meta.url), 'utf8');
  const types = parse(sdl).definitions.filter(({ kind }) => kind === Kind.OBJECT_TYPE_DEFINITION);
  const entities = types.filter(hasKey).map(({ name }) => name.value);
  const entry = `
    ${types.some(({ name }) => name.value === 'Query') ? 'extend' : ''} type Query {
      _service: _Service!
      _entities(representations: [_Any!]!): [_Entity]!
    }
    type _Service { sdl: String! }
    union _Entity = ${entities.join(' | ')}
    scalar _Any`;
  return createYoga({
    schema: createSchema({
      typeDefs: [sdl, entry],
      resolvers: {
        ...resolvers,
        Query: {
          ...resolvers.Query,
          _service: () => ({ sdl }),
          // Each is what it was referred to by; the resolvers of its type add the rest.
          _entities: (_root, { representations }) => representations,
        },
      },
      assumeValidSDL: true,
    }),
    renderGraphiQL,
    landingPage: false,
    logging: false,
  });
}

function hasKey({ directives }) {
  return directives.some(({ name }) => name.value === 'key');
}
