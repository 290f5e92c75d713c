// The gateway that clients ask. The supergraph tells it what each subgraph knows, and where it is.
import { getStitchedSchemaFromSupergraphSdl } from '@graphql-tools/federation';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { createYoga } from 'graphql-yoga';
import { listen } from './listen.mjs';
import { CATALOG_PORT, DOI_GATEWAY_PORT, PORT, REVIEWS_PORT, urlAt } from './ports.mjs';
import { fetchFrom } from './subgraph-away.mjs';
import { composeSupergraph } from './supergraph.mjs';

const TITLES = { CATALOG: 'catalog', REVIEWS: 'review service', DOI: 'DOI gateway' };

const supergraphSdl = composeSupergraph({
  doi: urlAt(DOI_GATEWAY_PORT),
  catalog: urlAt(CATALOG_PORT),
  reviews: urlAt(REVIEWS_PORT),
});

const federated = createYoga({
  schema: getStitchedSchemaFromSupergraphSdl({
    supergraphSdl,
    httpExecutorOpts: ({ name }) => ({ fetch: fetchFrom(TITLES[name]) }),
  }),
  // GraphiQL with all its files in the page: it works where nothing but this machine can be reached.
  renderGraphiQL,
  graphiql: { title: 'Federated gateway' },
  landingPage: false,
  logging: false,
});

// Who opens the bare address is sent on to where queries are answered.
listen((request, response) => {
  if (request.url === '/') response.writeHead(302, { location: '/graphql' }).end();
  else federated(request, response);
}, PORT);
