// What the gateway counts, in Prometheus' terms.

import { getHeapStatistics } from 'node:v8';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** From what memory answers to what waits for a directory that times out. */
const LATENCY_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const CACHE_KINDS = ['record', 'agency'] as const;
const CACHE_ANSWERERS = ['memory', 'shared', 'stale', 'directory'] as const;

/**
 * Look-ups since the metrics were last read: a counter with labels costs a third of a microsecond each time, as
 * much as the look-up itself.
 */
export type CacheLookupCounts = Readonly<
  Record<(typeof CACHE_KINDS)[number], Record<(typeof CACHE_ANSWERERS)[number], number>>
>;

function createCacheLookupCounts(): CacheLookupCounts {
  return {
    record: { memory: 0, shared: 0, stale: 0, directory: 0 },
    agency: { memory: 0, shared: 0, stale: 0, directory: 0 },
  };
}

/** What waits for the directory and runs there, and what was taken back or refused. */
function createDirectoryQueueCounts(registers: Registry[]) {
  const counts = { waiting: 0, running: 0, takenBack: 0, refused: 0 };
  const gauges = [
    ['waiting', 'Look-ups that wait for their turn to be sent to the directory, counted for each client.'],
    ['running', 'Requests that the directory is answering now.'],
  ] as const;
  for (const [what, help] of gauges) {
    new Gauge({
      name: `doi_gateway_directory_${what}`,
      help,
      registers,
      collect() {
        this.set(counts[what]);
      },
    });
  }
  const counters = [
    [
      'taken_back',
      'takenBack',
      'Requests that were ended, to be sent again, because another client had less than its share.',
    ],
    ['refused', 'refused', 'Look-ups that found no room in the queue or under the rate: GATEWAY_BUSY.'],
  ] as const;
  for (const [name, what, help] of counters) {
    new Counter({
      name: `doi_gateway_directory_${name}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(counts[what]);
      },
    });
  }
  return counts;
}

/** How long things took, by the values of their one or two labels. */
export interface Latencies {
  observe(seconds: number, label: string, second?: string): void;
}

interface Series {
  readonly labels: readonly string[];
  readonly counts: number[];
  sum: number;
}

interface LatenciesOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

/**
 * A histogram that counts in plain numbers. prom-client's own makes a text of the labels each time, which takes as
 * long as a twentieth of a request.
 */
function createLatencies(registry: Registry, { name, help, labelNames }: LatenciesOptions): Latencies {
  const series = new Map<string, Map<string, Series>>();

  function seriesOf(label: string, second: string): Series {
    const bySecond = series.get(label) ?? new Map<string, Series>();
    series.set(label, bySecond);
    const one = {
      labels: [label, second],
      counts: new Array<number>(LATENCY_BUCKETS.length + 1).fill(0),
      sum: 0,
    };
    bySecond.set(second, one);
    return one;
  }

  function* valuesOf({ labels, counts, sum }: Series) {
    const named = Object.fromEntries(labelNames.map((label, at) => [label, labels[at]]));
    let count = 0;
    for (const [at, bucket] of counts.entries()) {
      count += bucket;
      yield {
        metricName: `${name}_bucket`,
        labels: { le: LATENCY_BUCKETS[at] ?? '+Inf', ...named },
        value: count,
      };
    }
    yield { metricName: `${name}_sum`, labels: named, value: sum };
    yield { metricName: `${name}_count`, labels: named, value: count };
  }

  const metric = {
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    async get() {
      const all = [...series.values()].flatMap((bySecond) => [...bySecond.values()]);
      const values = all.flatMap((one) => [...valuesOf(one)]);
      return { name, help, type: 'histogram', aggregator: 'sum', values };
    },
    reset: () => series.clear(),
  };
  registry.registerMetric(metric as unknown as Histogram);

  return {
    observe(seconds, label, second = '') {
      const one = series.get(label)?.get(second) ?? seriesOf(label, second);
      let bucket = 0;
      while (seconds > (LATENCY_BUCKETS[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
      one.counts[bucket] = (one.counts[bucket] ?? 0) + 1;
      one.sum += seconds;
    },
  };
}

/** Every metric of one app, on a registry of its own. What has an `aggregator` is merged so in a cluster; the rest is summed. */
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
      help: 'HTTP requests by face (graphql, handles, doiRA, redirect, other) and class of status (2xx …, none), and how long they took.',
      labelNames: ['face', 'status'],
    }),
    /** by face; read when the metrics are */
    httpInFlight,
    graphqlSeconds: createLatencies(registry, {
      name: 'doi_gateway_graphql_operation_seconds',
      help: 'GraphQL operations by outcome (ok, partial, failed), and how long they took.',
      labelNames: ['outcome'],
    }),
    directoryRequests: new Counter({
      name: 'doi_gateway_directory_requests_total',
      help: 'Requests sent to the directory, by face (handles, doiRA, probe) and outcome (ok, or an error code).',
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
      aggregator: 'max',
      registers,
    }),
    directoryQueue,
    cacheLookups: new Counter({
      name: 'doi_gateway_cache_lookups_total',
      help: 'Look-ups by kind (record, agency) and what answered them (memory, shared, stale, directory).',
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
      help: 'Cold names that another replica was asking for, by how the waiting ended (answered, lost, not kept).',
      labelNames: ['ended'] as const,
      registers,
    }),
    sharedCacheUp: new Gauge({
      name: 'doi_gateway_shared_cache_up',
      help: '1 while the shared cache is used, 0 while it is bypassed.',
      aggregator: 'min',
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

/** Memory, CPU and event loop of the process itself, which has one app: call it once. */
export function collectProcessMetrics({ registry }: Pick<Metrics, 'registry'>): void {
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'doi_gateway_processes',
    help: 'Processes whose metrics these are: the workers of a cluster, or 1.',
    registers: [registry],
  }).set(1);
  new Gauge({
    name: 'doi_gateway_heap_limit_bytes',
    help: 'How large the heap may become: of all workers together.',
    registers: [registry],
  }).set(getHeapStatistics().heap_size_limit);
}

/** What the memory tier says of itself whenever the metrics are read. */
export function watchCache(
  metrics: Metrics,
  memory: { readonly entries: number; readonly bytes: number },
): void {
  new Gauge({
    name: 'doi_gateway_cache_bytes',
    help: 'Memory that cached answers take in this process, estimated.',
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
