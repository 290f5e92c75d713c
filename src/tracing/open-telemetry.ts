// Sends traces to a collector, with the SDK of OpenTelemetry. Imported only if a collector is configured.

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Context,
  defaultTextMapGetter,
  type Span as OtelSpan,
  SpanKind as OtelSpanKind,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Log } from '../log.ts';
import type { Span, Tracer } from './tracer.ts';

export interface OpenTelemetryOptions {
  /** the base URL of the collector, without `/v1/traces` */
  readonly endpoint: URL;
  readonly version: string;
  readonly log: Pick<Log, 'warn' | 'info'>;
}

const SERVICE = 'doi-gateway';
const FLUSH_MS = 2_000;
const MAX_REASON_LENGTH = 200;

/** The SDK also reads variables from the environment. docs/operating.md lists them. */
export function createOpenTelemetryTracer({ endpoint, version, log }: OpenTelemetryOptions): Tracer {
  const url = `${endpoint.href.replace(/\/$/, '')}/v1/traces`;
  const ownResource = resourceFromAttributes({ 'service.name': SERVICE, 'service.version': version });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(ownResource)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor(withLoggedFailures(new OTLPTraceExporter({ url }), endpoint.host, log)),
    ],
  });
  const tracer = provider.getTracer(SERVICE, version);
  const propagator = new W3CTraceContextPropagator();

  return {
    startRequest(name, headers, attributes) {
      const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      const span = tracer.startSpan(name, { kind: OtelSpanKind.SERVER, attributes }, parent);
      return span.isRecording() ? recordedSpan(tracer, span, parent) : undefined;
    },
    close() {
      // A failure to send has already been logged.
      const shutDown = provider.shutdown().catch(() => {});
      return Promise.race([shutDown, sleep(FLUSH_MS, undefined, { ref: false })]);
    },
  };
}

function recordedSpan(tracer: OtelTracer, span: OtelSpan, parent: Context): Span {
  const { traceId, spanId } = span.spanContext();
  return {
    traceId,
    // `01` means that the trace is recorded.
    traceparent: `00-${traceId}-${spanId}-01`,
    child(name, kind, attributes = {}) {
      const context = trace.setSpan(parent, span);
      const child = tracer.startSpan(name, { kind: OtelSpanKind[kind], attributes }, context);
      return recordedSpan(tracer, child, context);
    },
    set: (attributes) => void span.setAttributes(attributes),
    end(failure) {
      if (failure !== undefined) {
        span.setAttribute('error.type', failure);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

/** Logs when the collector begins to refuse spans, and when it accepts spans again. Does not log each failure. */
function withLoggedFailures(
  exporter: SpanExporter,
  collector: string,
  log: OpenTelemetryOptions['log'],
): SpanExporter {
  let isFailing = false;
  return {
    export(spans, onResult) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS;
        if (hasFailed && !isFailing) {
          log.warn(
            { collector, reason: reasonOf(result.error) },
            'Traces are lost: the collector does not accept them.',
          );
        } else if (!hasFailed && isFailing) {
          log.info({ collector }, 'The collector accepts traces again.');
        }
        isFailing = hasFailed;
        // Always SUCCESS, because the SDK would log each failure.
        onResult({ code: ExportResultCode.SUCCESS });
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

/** The collector writes the message of an error with a status. It can repeat the headers of the request. */
function reasonOf(error: (Error & { readonly code?: unknown }) | undefined): string | undefined {
  if (typeof error?.code === 'number') return `HTTP status ${error.code}`;
  return error?.message.slice(0, MAX_REASON_LENGTH);
}
