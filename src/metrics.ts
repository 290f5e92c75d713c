// The metrics of the gateway, for Prometheus.

import { getHeapStatistics } from 'node:v8';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { createDirectoryQueueCounts, createLatencies } from './metrics/histograms.ts';
import { createJobCounts } from './metrics/job-counts.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const CACHE_KINDS = ['record', 'agency', 'metadata'] as const;
const CACHE_ANSWERERS = ['memory', 'shared', 'stale', 'directory'] as const;

/**
 * Look-ups since the metrics were last read. Plain numbers, because a labelled counter is as slow as the look-up
 * itself.
 */
export type CacheLookupCounts = Readonly<
  Record<(typeof CACHE_KINDS)[number], Record<(typeof CACHE_ANSWERERS)[number], number>>
>;

function createCacheLookupCounts(): CacheLookupCounts {
  return {
    record: { memory: 0, shared: 0, stale: 0, directory: 0 },
    agency: { memory: 0, shared: 0, stale: 0, directory: 0 },
    metadata: { memory: 0, shared: 0, stale: 0, directory: 0 },
  };
}

/** All metrics of one app. A cluster merges the values of its workers by `aggregator`, which is `sum` by default. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const cacheLookupCounts = createCacheLookupCounts();
  const httpInFlight = new Map<string, number>();
  const directoryQueue = createDirectoryQueueCounts(registers);
  new Gauge({
    name: 'doi_gateway_http_requests_in_flight',
    help: 'HTTP requests that are being answered now, streams among them, by face.',
    labelNames: ['face'],
    registers,
    collect() {
      for (const [face, count] of httpInFlight) this.set({ face }, count);
    },
  });
  return {
    registry,
    cacheLookupCounts,
    httpSeconds: createLatencies(registry, {
      name: 'doi_gateway_http_request_seconds',
      help: 'Duration of HTTP requests by face (graphql, handles, doiRA, redirect, other) and class of status (2xx …, none).',
      labelNames: ['face', 'status'],
    }),
    /** by face: the observer of requests writes the number, and the gauge above reads it */
    httpInFlight,
    graphqlSeconds: createLatencies(registry, {
      name: 'doi_gateway_graphql_operation_seconds',
      help: 'Duration of GraphQL operations by outcome (ok, partial, failed).',
      labelNames: ['outcome'],
    }),
    directoryRequests: new Counter({
      name: 'doi_gateway_directory_requests_total',
      help: 'Requests sent to the directory, by face (handles, doiRA, metadata, probe) and outcome (ok, or an error code).',
      labelNames: ['face', 'outcome'] as const,
      registers,
    }),
    directorySeconds: new Histogram({
      name: 'doi_gateway_directory_request_seconds',
      help: 'Duration of requests to the directory, failures included.',
      labelNames: ['face'] as const,
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    directoryCircuit: new Gauge({
      name: 'doi_gateway_directory_circuit_open',
      help: '1 while requests to a base URL of the directory, or to the service of an agency, are held back, else 0.',
      labelNames: ['base'] as const,
      aggregator: 'max',
      registers,
    }),
    directoryQueue,
    jobs: createJobCounts(registers),
    cacheLookups: new Counter({
      name: 'doi_gateway_cache_lookups_total',
      help: 'Look-ups by kind (record, agency, metadata) and what answered them (memory, shared, stale, directory).',
      labelNames: ['kind', 'answeredBy'] as const,
      registers,
      collect() {
        for (const kind of CACHE_KINDS) {
          for (const answeredBy of CACHE_ANSWERERS) {
            const count = cacheLookupCounts[kind][answeredBy];
            if (count > 0) this.inc({ kind, answeredBy }, count);
            cacheLookupCounts[kind][answeredBy] = 0;
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
      help: '1 while the shared cache is used, 0 while it is bypassed.',
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

/** Memory, CPU and event loop of the process. Call it once in a process. */
export function collectProcessMetrics({ registry }: Pick<Metrics, 'registry'>): void {
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'doi_gateway_processes',
    help: 'Number of processes that these metrics add up: the workers of a cluster, or 1.',
    registers: [registry],
  }).set(1);
  new Gauge({
    name: 'doi_gateway_heap_limit_bytes',
    help: 'The heap limit of all workers together.',
    registers: [registry],
  }).set(getHeapStatistics().heap_size_limit);
}

/** Adds a gauge of the bytes that all requests have reserved. */
export function watchWork(metrics: Metrics, account: { readonly reservedBytes: number }): void {
  new Gauge({
    name: 'doi_gateway_work_bytes',
    help: 'Memory that all running and waiting requests have reserved, estimated.',
    registers: [metrics.registry],
    collect() {
      this.set(account.reservedBytes);
    },
  });
}

/** Adds gauges of the size of the memory cache. */
export function watchCache(
  metrics: Metrics,
  memory: { readonly entries: number; readonly bytes: number },
): void {
  new Gauge({
    name: 'doi_gateway_cache_bytes',
    help: 'Memory of the cached answers in this process, estimated.',
    registers: [metrics.registry],
    collect() {
      this.set(memory.bytes);
    },
  });
  new Gauge({
    name: 'doi_gateway_cache_entries',
    help: 'Answers cached in this process.',
    registers: [metrics.registry],
    collect() {
      this.set(memory.entries);
    },
  });
}
