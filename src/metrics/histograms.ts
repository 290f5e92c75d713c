// Histograms of durations, and counts of the directory's queue.

import { Counter, Gauge, type Histogram, type Registry } from 'prom-client';

/** Seconds: from answers of memory to timeouts of the directory. */
const LATENCY_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Durations by one or two labels. */
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
 * A histogram that counts in plain numbers. prom-client's histogram makes a text of the labels each time, which is slow.
 */
export function createLatencies(registry: Registry, { name, help, labelNames }: LatenciesOptions): Latencies {
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

export function createDirectoryQueueCounts(registers: Registry[]) {
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
