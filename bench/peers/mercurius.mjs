// Mercurius with graphql-jit, which compiles a query when a client sends it a second time.

import Fastify from 'fastify';
import mercurius from 'mercurius';
import { createContext, mercuriusResolvers, typeDefs } from './schema.mjs';

const app = Fastify({ bodyLimit: 4 * 2 ** 20 });
app.register(mercurius, { schema: typeDefs, jit: 1, resolvers: mercuriusResolvers, context: createContext });
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
