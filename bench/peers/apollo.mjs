// Apollo Server 5 as its documentation starts it.

import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import './keep-alive.mjs';
import { createContext, resolvers, typeDefs } from './schema.mjs';

const server = new ApolloServer({ typeDefs, resolvers });
const listen = { port: Number(process.env.PORT), host: '127.0.0.1' };
await startStandaloneServer(server, { listen, context: async () => createContext() });
