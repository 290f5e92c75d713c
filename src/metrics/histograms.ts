// Fast histograms of durations.

import type { Histogram, Registry } from 'prom-client';

/** In seconds. The small buckets are for responses from memory, the large buckets for timeouts of the directory. */
const LATENCY_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The counts for one combination of labels. */
interface Series {
  readonly labels: readonly string[];
  readonly counts: number[];
  sum: number;
}

/**
 * A histogram of durations with one or two labels. Counts in plain numbers: the histogram of prom-client is slow, because
 * it makes a string of the labels for each call.
 */
export function createLatencies(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
) {
  const series = new Map<string, Map<string, Series>>();

  function createSeries(firstLabel: string, secondLabel: string): Series {
    const bySecondLabel = series.get(firstLabel) ?? new Map<string, Series>();
    series.set(firstLabel, bySecondLabel);
    const created = {
      labels: [firstLabel, secondLabel],
      counts: new Array<number>(LATENCY_BUCKETS.length + 1).fill(0),
      sum: 0,
    };
    bySecondLabel.set(secondLabel, created);
    return created;
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

  const about = { name, help, type: 'histogram', aggregator: 'sum' };
  const metric = {
    ...about,
    async get() {
      const all = [...series.values()].flatMap((bySecondLabel) => [...bySecondLabel.values()]);
      return { ...about, values: all.flatMap((each) => [...valuesOf(each)]) };
    },
    reset: () => series.clear(),
  };
  registry.registerMetric(metric as unknown as Histogram);

  return {
    observe(seconds: number, firstLabel: string, secondLabel = ''): void {
      const found = series.get(firstLabel)?.get(secondLabel) ?? createSeries(firstLabel, secondLabel);
      let bucket = 0;
      while (seconds > (LATENCY_BUCKETS[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
      found.counts[bucket] = (found.counts[bucket] ?? 0) + 1;
      found.sum += seconds;
    },
  };
}
