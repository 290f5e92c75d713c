// What the gateway counts, in Prometheus' terms.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** Every metric, on a registry of its own. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    directoryRequests: new Counter({
      name: 'doi_gateway_directory_requests_total',
      help: 'Requests sent to the directory, by face (handles, doiRA) and outcome (ok, or an error code).',
      labelNames: ['face', 'outcome'] as const,
      registers,
    }),
    directorySeconds: new Histogram({
      name: 'doi_gateway_directory_request_seconds',
      help: 'How long requests to the directory took, failures included.',
      labelNames: ['face'] as const,
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    directoryCircuit: new Gauge({
      name: 'doi_gateway_directory_circuit_open',
      help: '1 while requests to a base URL of the directory are held back, else 0.',
      labelNames: ['base'] as const,
      registers,
    }),
    cacheLookups: new Counter({
      name: 'doi_gateway_cache_lookups_total',
      help: 'Look-ups by kind (record, agency) and what answered them (memory, shared, stale, directory).',
      labelNames: ['kind', 'answeredBy'] as const,
      registers,
    }),
    lockWaits: new Counter({
      name: 'doi_gateway_cache_lock_waits_total',
      help: 'Cold names that another replica was asking for, by how the waiting ended (answered, lost).',
      labelNames: ['ended'] as const,
      registers,
    }),
    sharedCacheUp: new Gauge({
      name: 'doi_gateway_shared_cache_up',
      help: '1 while the shared cache is used, 0 while it is bypassed.',
      registers,
    }),
    sharedCacheErrors: new Counter({
      name: 'doi_gateway_shared_cache_errors_total',
      help: 'Operations on the shared cache that failed, by what was done (read, write, lock, decode).',
      labelNames: ['operation'] as const,
      registers,
    }),
  };
}
