// graphql-yoga as its documentation starts it.

import { createServer } from 'node:http';
import './keep-alive.mjs';
import { createSchema, createYoga } from 'graphql-yoga';
import { createContext, resolvers, typeDefs } from './schema.mjs';

const yoga = createYoga({ schema: createSchema({ typeDefs, resolvers }), context: createContext });
createServer(yoga).listen(Number(process.env.PORT), '127.0.0.1');
