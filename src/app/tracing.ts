// Traces, where the configuration names a collector.

import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { VERSION } from './version.ts';

/** OpenTelemetry is loaded only here: without a collector it takes neither time nor memory. */
export async function createTracer(config: Config, log: Log): Promise<Tracer | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  if (endpoint === null) return null;
  const { createOpenTelemetryTracer } = await import('../tracing/open-telemetry.ts');
  return createOpenTelemetryTracer({ endpoint, version: VERSION, log });
}
