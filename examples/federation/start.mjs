// Starts everything, each part as a process of its own: `npm start`. Ctrl-C ends everything.
import { startDoiGateway, startScript } from './part.mjs';
import { CATALOG_PORT, DOI_GATEWAY_PORT, PORT, REVIEWS_PORT, urlAt } from './ports.mjs';

/** Of what has been started, how to stop it. */
const stops = [];
let stopping = false;

async function stopAll(exitCode) {
  if (stopping) return;
  stopping = true;
  process.exitCode = exitCode;
  await Promise.all(stops.map((stop) => stop()));
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stopAll(0));

/** Gives the port it listens on. When the part ends by itself, that is said, and the others go on. */
async function begin(name, part, commandAt) {
  if (stopping) void part.stop();
  stops.push(part.stop);
  const port = await part.port.catch((error) => {
    throw new Error(`The ${name} cannot be started: ${error.message}.`);
  });
  console.log(`${name.padEnd(17)} ${urlAt(port)}  process ${part.pid}`);
  void part.ended.then((how) => {
    if (stopping) return;
    console.log(`The ${name} ended (${how}). The others go on. To start it again: ${commandAt(port)}`);
  });
  return port;
}

try {
  const [catalog, reviews, doi] = await Promise.all([
    begin(
      'catalog',
      startScript('catalog.mjs', { CATALOG_PORT }),
      (port) => `CATALOG_PORT=${port} node catalog.mjs`,
    ),
    begin(
      'review service',
      startScript('reviews.mjs', { REVIEWS_PORT }),
      (port) => `REVIEWS_PORT=${port} node reviews.mjs`,
    ),
    begin('DOI gateway', startDoiGateway(DOI_GATEWAY_PORT), (port) => `(cd ../.. && PORT=${port} npm start)`),
  ]);
  const ports = { PORT, CATALOG_PORT: catalog, REVIEWS_PORT: reviews, DOI_GATEWAY_PORT: doi };
  const federated = startScript('federated.mjs', ports);
  const subgraphs = `CATALOG_PORT=${catalog} REVIEWS_PORT=${reviews} DOI_GATEWAY_PORT=${doi}`;
  await begin('federated gateway', federated, (port) => `PORT=${port} ${subgraphs} node federated.mjs`);
  federated.output.on('line', (line) => console.log(line));
} catch (error) {
  if (!stopping) console.error(`${error.message} It needs \`npm ci\` in the project’s root, and free ports.`);
  await stopAll(1);
}
