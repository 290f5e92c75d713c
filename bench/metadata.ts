// Titles of 1,000 cold names, over a directory and an agency that take 50 ms each: npx tsx bench/metadata.ts

import { builtGateway, endServers, startServer } from './node-process.ts';
import { readUsage } from './process-usage.ts';
import { endAll, names, print, startDirectory } from './stage.ts';

const NAMES = 1_000;
const CONNECTIONS = 64;
const LATENCY_MS = 50;
const WARM_UPS = 3;
const ROUNDS = 7;
/** The directory and the agency have so many connections each, and the agency is asked after the directory. */
const LIMIT_MS = (NAMES / CONNECTIONS) * LATENCY_MS + LATENCY_MS;
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
  const { url, pid } = await startServer({
    file: builtGateway(),
    env: {
      DOI_DIRECTORY_URL: directory.url,
      DIRECTORY_CONNECTIONS: String(CONNECTIONS),
      METADATA: 'yes',
      METADATA_HOSTS: new URL(agency.url).host,
    },
  });
  // What is compiled only after it ran for a while says nothing of a process that lives.
  for (let round = 0; round < WARM_UPS; round += 1) await ask(url, names(`warm-up-${round}`, NAMES));
  const rounds: Readonly<Record<string, number>>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = readUsage(pid)?.cpuMs ?? Number.NaN;
    const cold = await ask(url, names(`cold-${round}`, NAMES));
    const cpuMs = (readUsage(pid)?.cpuMs ?? Number.NaN) - before;
    const warm = await ask(url, names(`cold-${round}`, NAMES));
    rounds.push({
      'cold, ms': Math.round(cold),
      [`× the limit of ${Math.round(LIMIT_MS)} ms`]: Number((cold / LIMIT_MS).toFixed(2)),
      'processor, ms a name': Number((cpuMs / NAMES).toFixed(3)),
      'warm, ms': Math.round(warm),
    });
  }
  print('1,000 cold names with their titles', rounds);
} finally {
  await Promise.all([endServers(), endAll()]);
}
