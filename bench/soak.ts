// Mixed load for a while, and whether memory stays where it was: npx tsx bench/soak.ts [minutes]

import { askRecords, endAll, names, print, startDirectory, startGateway } from './stage.ts';

const minutes = Number(process.argv[2] ?? 30);
const CACHE_MAX_BYTES = 5_000_000;
const PAUSE_MS = 150;

const SERIES = {
  heapMB: 'nodejs_heap_size_used_bytes',
  rssMB: 'process_resident_memory_bytes',
  cacheMB: 'doi_gateway_cache_bytes',
} as const;

async function readSeries(url: string): Promise<Record<keyof typeof SERIES, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const read = (metric: string): number => Number(new RegExp(`^${metric} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  const entries = Object.entries(SERIES).map(([name, metric]) => [name, Math.round(read(metric) / 1e5) / 10]);
  return Object.fromEntries(entries) as Record<keyof typeof SERIES, number>;
}

/** Known names, new names, names that are none, the REST face, and a query that is too large. */
async function load(url: string, round: number): Promise<void> {
  await Promise.all([
    askRecords(url, names('known', 50), true),
    askRecords(url, names(`new-${round}`, 20), true),
    askRecords(url, ['10.1000/', 'x', '10.1000/%zz']),
    fetch(`${url}/api/handles/10.5555/known-${round % 50}`).then((response) => response.text()),
    fetch(`${url}/10.5555/known-${round % 50}`, { redirect: 'manual' }).then((response) => response.text()),
    askRecords(url, names('many', 20_000)),
  ]);
}

try {
  const directory = await startDirectory({ latencyMs: 5 });
  const gateway = await startGateway({
    DOI_DIRECTORY_URL: directory.url,
    CACHE_MAX_BYTES: String(CACHE_MAX_BYTES),
  });
  const start = performance.now();
  const rows: Record<string, number>[] = [];
  let rounds = 0;
  let failures = 0;
  for (let nextRow = 0; performance.now() - start < minutes * 60_000; rounds += 1) {
    await load(gateway.url, rounds).catch(() => {
      failures += 1;
    });
    const elapsed = (performance.now() - start) / 60_000;
    if (elapsed >= nextRow) {
      rows.push({
        minute: Math.round(elapsed * 10) / 10,
        rounds,
        failures,
        ...(await readSeries(gateway.url)),
      });
      nextRow += Math.max(0.25, minutes / 30);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  print(`${minutes} minutes of mixed load, a cache of ${CACHE_MAX_BYTES / 1e6} MB`, rows);
} finally {
  await endAll();
}
