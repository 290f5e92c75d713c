// The metrics, for Prometheus to fetch.

import type { Log } from '../../log.ts';
import type { Metrics } from '../../metrics.ts';
import type { Handler } from '../exchange.ts';
import { createOpsPage } from './ops-page.ts';

/** The metrics as text: this process's, or in a cluster those of all its workers, merged. */
export type ReadMetrics = () => Promise<string>;

/** `/metrics`: Prometheus' text format, or 503 where the metrics cannot be had. */
export function createMetricsPage(
  { registry }: Pick<Metrics, 'registry'>,
  read: ReadMetrics,
  log: Log,
): Handler {
  const { contentType } = registry;
  return createOpsPage('/metrics', log, async () => ({ status: 200, contentType, body: await read() }));
}
