// How long requests and operations took.

import type { Histogram, Registry } from 'prom-client';

/** From what memory answers to what waits for a directory that times out. */
const LATENCY_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

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
