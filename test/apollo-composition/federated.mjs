// Apollo's gateway in front of the DOI gateway, which listens, and of other subgraphs, which are in-process.
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { buildASTSchema, execute, parse } from 'graphql';
import { compose, sdlOf } from './compose.mjs';

const QUIET = { debug() {}, info() {}, warn: console.warn, error: console.error };

/** A subgraph whose root fields have these values, and which knows more of these entities. */
function localSubgraph(name, { query = {}, entities = {} }) {
  const types = Object.keys(entities);
  const entry = `
    ${sdlOf(name).includes('type Query') ? 'extend' : ''} type Query { _entities(representations: [_Any!]!): [_Entity]! }
    union _Entity = ${types.join(' | ')}
    scalar _Any`;
  const document = parse(types.length === 0 ? sdlOf(name) : sdlOf(name) + entry);
  const schema = buildASTSchema(document, { assumeValidSDL: true });
  const _entities = ({ representations }) =>
    representations.map((entity) => ({ ...entity, ...entities[entity.__typename]?.(entity) }));
  return {
    process: async ({ request }) =>
      execute({
        schema,
        document: parse(request.query),
        variableValues: request.variables,
        rootValue: { ...query, _entities },
      }),
  };
}

/** Answers queries; `requests` are what the DOI gateway was asked. */
export async function createFederatedGateway(doiUrl, others) {
  const requests = [];
  const gateway = new ApolloGateway({
    supergraphSdl: compose(Object.keys(others)),
    logger: QUIET,
    buildService: ({ name }) =>
      name === 'doi'
        ? new RemoteGraphQLDataSource({
            url: doiUrl,
            willSendRequest: ({ request }) => requests.push(request),
          })
        : localSubgraph(name, others[name]),
  });
  const { schema, executor } = await gateway.load();
  return {
    requests,
    schema,
    async query(text) {
      const answer = await executor({
        request: { query: text, variables: {} },
        document: parse(text),
        queryHash: text,
        operationName: null,
        context: {},
        schema,
        logger: QUIET,
        metrics: {},
        cache: new Map(),
      });
      return JSON.parse(JSON.stringify(answer));
    },
    stop: () => gateway.stop(),
  };
}
