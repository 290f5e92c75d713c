// The metrics, for Prometheus to fetch.

import type { Log } from '../../log.ts';
import type { Metrics } from '../../metrics.ts';
import type { Handler } from '../request/exchange.ts';
import { createOpsPage } from './ops-page.ts';

/** The metrics as text: of this process, or in a cluster of all its workers, merged. */
export type ReadMetrics = () => Promise<string>;

/** To render the metrics takes milliseconds, and anyone may fetch them over many connections. */
export const METRICS_AGE_MS = 1_000;

/** `/metrics`: Prometheus' text format, at most a second old, or 503 if the metrics cannot be read. */
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
    // The system clock may also be set back.
    if (latest === undefined || Math.abs(now - latest.at) >= METRICS_AGE_MS)
      latest = { at: now, text: read() };
    return latest.text;
  }

  return createOpsPage('/metrics', log, async () => ({ status: 200, contentType, body: await recent() }));
}
