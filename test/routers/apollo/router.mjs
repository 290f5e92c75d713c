// Apollo's gateway as a process: `node router.mjs PORT URLS`. URLS is JSON with the URL of each subgraph by its name.
import { argv } from 'node:process';
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { composeSupergraph } from './compose.mjs';

const [, , port, urls] = argv;
const supergraphSdl = composeSupergraph(JSON.parse(urls));

const gateway = new ApolloGateway({
  supergraphSdl,
  buildService: ({ url }) =>
    new RemoteGraphQLDataSource({
      url,
      willSendRequest({ request, context: { headers = {} } }) {
        for (const name of ['authorization', 'x-request-id'])
          if (headers[name]) request.http.headers.set(name, headers[name]);
      },
    }),
});
const context = async ({ req }) => ({ headers: req.headers });

const listen = { host: '127.0.0.1', port: Number(port) };
const { url } = await startStandaloneServer(new ApolloServer({ gateway }), { context, listen });
console.log(url);
