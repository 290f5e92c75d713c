// The metrics of the gateway, for Prometheus.

import { getHeapStatistics } from 'node:v8';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { createClientUse } from './metrics/client-use.ts';
import { createLatencies } from './metrics/histograms.ts';
import { createJobCounts } from './metrics/job-counts.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const ANSWERED_BY = ['memory', 'shared', 'stale', 'directory'] as const;
const noLookUps = () => ({ memory: 0, shared: 0, stale: 0, directory: 0 });

/** All metrics of one app. A cluster merges the values of its workers by `aggregator`, which is `sum` by default. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  // Look-ups since the metrics were last read. Plain numbers, because a labelled counter is as slow as a look-up.
  const cacheLookupCounts = { record: noLookUps(), agency: noLookUps(), metadata: noLookUps() };
  const httpInFlight = new Map<string, number>();
  new Gauge({
    name: 'doi_gateway_http_requests_in_flight',
    help: 'HTTP requests that run now, including streams, by face.',
    labelNames: ['face'],
    registers,
    collect() {
      for (const [face, count] of httpInFlight) this.set({ face }, count);
    },
  });
  return {
    registry,
    cacheLookupCounts,
    httpSeconds: createLatencies(
      registry,
      'doi_gateway_http_request_seconds',
      'Duration of HTTP requests by face (graphql, handles, doiRA, redirect, other) and class of status (2xx …, none).',
      ['face', 'status'],
    ),
    /** The number of running requests by face. The router updates the numbers, and the gauge above reads them. */
    httpInFlight,
    graphqlSeconds: createLatencies(
      registry,
      'doi_gateway_graphql_operation_seconds',
      'Duration of GraphQL operations by outcome (ok, partial, failed).',
      ['outcome'],
    ),
    directoryRequests: new Counter({
      name: 'doi_gateway_directory_requests_total',
      help: 'Requests sent to the directory, by face (handles, doiRA, metadata, probe) and outcome (ok, or an error code).',
      labelNames: ['face', 'outcome'] as const,
      registers,
    }),
    directorySeconds: new Histogram({
      name: 'doi_gateway_directory_request_seconds',
      help: 'Duration of requests to the directory, including failures.',
      labelNames: ['face'] as const,
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    directoryCircuit: new Gauge({
      name: 'doi_gateway_directory_circuit_open',
      help: '1 while requests to a base URL are held back, else 0. Kinds: directory, service (of an agency, for metadata).',
      labelNames: ['base', 'kind'] as const,
      aggregator: 'max',
      registers,
    }),
    directoryQueue: createDirectoryQueueCounts(registers),
    clientUse: createClientUse(registers),
    jobs: createJobCounts(registers),
    cacheLookups: new Counter({
      name: 'doi_gateway_cache_lookups_total',
      help: 'Look-ups by kind (record, agency, metadata) and by source of the answer (memory, shared, stale, directory).',
      labelNames: ['kind', 'answeredBy'] as const,
      registers,
      collect() {
        for (const [kind, counts] of Object.entries(cacheLookupCounts)) {
          for (const answeredBy of ANSWERED_BY) {
            if (counts[answeredBy] > 0) this.inc({ kind, answeredBy }, counts[answeredBy]);
            counts[answeredBy] = 0;
          }
        }
      },
    }),
    lockWaits: new Counter({
      name: 'doi_gateway_cache_lock_waits_total',
      help: 'Look-ups that waited for the look-up of another replica, by how the wait ended (answered, lost, not kept).',
      labelNames: ['ended'] as const,
      registers,
    }),
    sharedCacheUp: new Gauge({
      name: 'doi_gateway_shared_cache_up',
      help: '1 while the gateway uses the shared cache, 0 while the gateway bypasses it.',
      aggregator: 'min',
      registers,
    }),
    redisProblem: new Gauge({
      name: 'doi_gateway_redis_problem',
      help: '1 while a Redis (jobs, cache) has a problem (full: it refuses writes, evicting: it can lose jobs), else 0.',
      labelNames: ['redis', 'problem'] as const,
      aggregator: 'max',
      registers,
    }),
    sharedCacheErrors: new Counter({
      name: 'doi_gateway_shared_cache_errors_total',
      help: 'Failed operations on the shared cache, by operation (read, write, lock, decode).',
      labelNames: ['operation'] as const,
      registers,
    }),
  };
}

/** Returns counts that the request queue updates. Prometheus reads them as gauges and counters. */
function createDirectoryQueueCounts(registers: Registry[]) {
  const counts = { waiting: 0, running: 0, takenBack: 0, refused: 0 };
  addGauge(
    registers,
    'doi_gateway_directory_waiting',
    'Look-ups that wait until they can be sent to the directory. If two clients wait for one look-up, it is counted twice.',
    () => counts.waiting,
  );
  addGauge(
    registers,
    'doi_gateway_directory_running',
    'Requests to the directory that are running now.',
    () => counts.running,
  );
  const addTotal = (name: string, help: string, read: () => number) => {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  };
  addTotal(
    'doi_gateway_directory_taken_back_total',
    'Requests that the gateway aborted and sends again later, because another client had less than its share.',
    () => counts.takenBack,
  );
  addTotal(
    'doi_gateway_directory_refused_total',
    'Look-ups that failed with GATEWAY_BUSY, because the queue was full or the rate too high.',
    () => counts.refused,
  );
  return counts;
}

/** Memory, CPU and event loop of the process. Call it once in a process. */
export function collectProcessMetrics({ registry }: Pick<Metrics, 'registry'>): void {
  collectDefaultMetrics({ register: registry });
  addGauge(
    [registry],
    'doi_gateway_processes',
    'Number of processes that these metrics add up: the workers of a cluster, or 1.',
    () => 1,
  );
  addGauge(
    [registry],
    'doi_gateway_heap_limit_bytes',
    'The heap limit of all workers together.',
    () => getHeapStatistics().heap_size_limit,
  );
}

/** Adds a gauge of the bytes that all requests have reserved. */
export function watchMemory({ registry }: Metrics, memoryAccount: { readonly reservedBytes: number }): void {
  addGauge(
    [registry],
    'doi_gateway_reserved_bytes',
    'Estimated memory that all running and waiting requests have reserved.',
    () => memoryAccount.reservedBytes,
  );
}

/** Adds gauges of the size of the memory cache. */
export function watchCache(
  { registry }: Metrics,
  memory: { readonly entries: number; readonly bytes: number },
): void {
  addGauge(
    [registry],
    'doi_gateway_cache_bytes',
    'Estimated memory of the cached answers in this process.',
    () => memory.bytes,
  );
  addGauge([registry], 'doi_gateway_cache_entries', 'Answers cached in this process.', () => memory.entries);
}

/** @param read called whenever Prometheus reads the metrics */
function addGauge(registers: Registry[], name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(read());
    },
  });
}
