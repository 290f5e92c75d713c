// The page /metrics for Prometheus.

import type { Log } from '../../log.ts';
import type { Metrics } from '../../metrics.ts';
import type { Handler } from '../request/exchange.ts';
import { createOpsPage } from './ops-page.ts';

/** Returns the metrics of this process, or of all workers of a cluster together, in the text format of Prometheus. */
export type ReadMetrics = () => Promise<string>;

/** The page is made at most once in this time, because making it takes milliseconds. */
export const METRICS_AGE_MS = 1_000;

/** Status 503 if the metrics cannot be read. */
export function createMetricsPage(
  { registry }: Pick<Metrics, 'registry'>,
  read: ReadMetrics,
  log: Log,
  clock: () => number,
): Handler {
  const { contentType } = registry;
  let latest: { readonly at: number; readonly text: Promise<string> } | undefined;

  function recent(): Promise<string> {
    const now = clock();
    // `Math.abs`, because the system clock can go back.
    if (latest === undefined || Math.abs(now - latest.at) >= METRICS_AGE_MS)
      latest = { at: now, text: read() };
    return latest.text;
  }

  return createOpsPage('/metrics', log, async () => ({ status: 200, contentType, body: await recent() }));
}
