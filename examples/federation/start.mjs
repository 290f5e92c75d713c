// Starts everything: `npm start`. Ctrl-C ends everything.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createCatalog } from './catalog.mjs';
import { startDoiGateway } from './doi-gateway.mjs';
import { createFederatedGateway } from './federated.mjs';
import { createReviews } from './reviews.mjs';
import { composeSupergraph } from './supergraph.mjs';

const { PORT = 4010, CATALOG_PORT = 4011, REVIEWS_PORT = 4012, DOI_GATEWAY_PORT = 4013 } = process.env;

/** Of what has been started, how to stop it. */
const stops = [];
let stopping = false;

function started(stopOne) {
  stops.push(stopOne);
  if (stopping) void stopOne();
}

async function stopAll(exitCode) {
  if (stopping) return;
  stopping = true;
  process.exitCode = exitCode;
  await Promise.all(stops.map((stopOne) => stopOne()));
}

/** Listens on loopback; 0 is any free port. */
async function listen(handler, port) {
  const server = createServer(handler).listen(Number(port), '127.0.0.1');
  await once(server, 'listening');
  started(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${server.address().port}/graphql`;
}

/** Sends who opens the bare address on to where queries are answered. */
function fromRoot(handler) {
  return (request, response) =>
    request.url === '/'
      ? response.writeHead(302, { location: '/graphql' }).end()
      : handler(request, response);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stopAll(0));

try {
  const catalog = await listen(createCatalog(), CATALOG_PORT);
  const reviews = await listen(createReviews(), REVIEWS_PORT);
  const doiGateway = startDoiGateway(DOI_GATEWAY_PORT);
  started(doiGateway.stop);
  void doiGateway.ended.then(() => stopAll(1));
  const doi = await doiGateway.url;
  const supergraph = composeSupergraph({ doi, catalog, reviews });
  const federated = await listen(fromRoot(createFederatedGateway(supergraph)), PORT);
  console.log(`catalog           ${catalog}`);
  console.log(`reviews           ${reviews}`);
  console.log(`DOI gateway       ${doi}`);
  console.log(`federated gateway ${federated}`);
} catch (error) {
  if (!stopping) console.error(error.message);
  await stopAll(1);
}
