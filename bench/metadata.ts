// Titles of 1,000 cold names, over a directory and an agency that take 50 ms each: npx tsx bench/metadata.ts

import { builtGateway, endServers, startServer } from './node-process.ts';
import { endAll, names, startDirectory } from './stage.ts';

const NAMES = 1_000;
const CONNECTIONS = 64;
const LATENCY_MS = 50;
const ROUNDS = 5;
/** Two requests for each name, as many at a time as there are connections. */
const IDEAL_MS = (NAMES / CONNECTIONS) * 2 * LATENCY_MS;
const QUERY = 'query ($n: [String!]!) { dois(inputs: $n) { name metadata { title } } }';

interface Answer {
  readonly data: { readonly dois: readonly { readonly metadata: { readonly title: string } | null }[] };
}

async function ask(url: string, n: readonly string[]): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: QUERY, variables: { n } }),
  });
  const { data } = (await response.json()) as Answer;
  const ms = performance.now() - start;
  const missing = data.dois.filter(({ metadata }) => metadata === null).length;
  if (missing > 0) throw new Error(`${missing} titles are missing`);
  return ms;
}

try {
  const agency = await startDirectory({ latencyMs: LATENCY_MS });
  const directory = await startDirectory({ latencyMs: LATENCY_MS, agency: agency.url });
  const { url } = await startServer({
    file: builtGateway(),
    env: {
      DOI_DIRECTORY_URL: directory.url,
      DIRECTORY_CONNECTIONS: String(CONNECTIONS),
      METADATA: 'yes',
      METADATA_HOSTS: new URL(agency.url).host,
    },
  });
  await ask(url, names('warm-up', NAMES));
  for (let round = 0; round < ROUNDS; round += 1) {
    const cold = await ask(url, names(`cold-${round}`, NAMES));
    const warm = await ask(url, names(`cold-${round}`, NAMES));
    const ratio = (cold / IDEAL_MS).toFixed(2);
    console.log(
      `cold ${Math.round(cold)} ms, ${ratio} × the ideal ${IDEAL_MS} ms; warm ${Math.round(warm)} ms`,
    );
  }
} finally {
  await Promise.all([endServers(), endAll()]);
}
