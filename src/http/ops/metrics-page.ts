// The metrics, for Prometheus to fetch.

import type { Plugin } from 'graphql-yoga';
import type { Log } from '../../log.ts';
import type { Metrics } from '../../metrics.ts';
import { useEndpoint } from './endpoint.ts';

/** The metrics as text: this process's, or in a cluster those of all its workers, merged. */
export type ReadMetrics = () => Promise<string>;

/** `GET /metrics`: Prometheus' text format, or 503 where the metrics cannot be had. */
export function useMetrics({ registry }: Metrics, read: ReadMetrics, log: Log): Plugin {
  const { contentType } = registry;
  return useEndpoint('/metrics', log, async () => ({ status: 200, contentType, body: await read() }));
}
