// Sends traces to a collector, with the SDK of OpenTelemetry. Imported only if a collector is configured.

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
import { traceparentOf } from './trace-headers.ts';
import type { Span, SpanAttributes, SpanKind, Tracer } from './tracer.ts';

export interface OpenTelemetryOptions {
  /** the base URL of the collector, without `/v1/traces` */
  readonly endpoint: URL;
  readonly version: string;
  readonly log: Pick<Log, 'warn' | 'info'>;
}

const SERVICE = 'doi-gateway';
const FLUSH_MS = 2_000;
const MAX_REASON = 200;

/** The SDK also reads variables from the environment. docs/operating.md lists them. */
export function createOpenTelemetryTracer({ endpoint, version, log }: OpenTelemetryOptions): Tracer {
  const own = resourceFromAttributes({ 'service.name': SERVICE, 'service.version': version });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor(
        withLoggedFailures(new OTLPTraceExporter({ url: tracesUrl(endpoint) }), endpoint, log),
      ),
    ],
  });
  const tracer = provider.getTracer(SERVICE, version);
  const propagator = new W3CTraceContextPropagator();

  return {
    startRequest(name, headers, attributes) {
      const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      const span = tracer.startSpan(name, { kind: OtelSpanKind.SERVER, attributes }, parent);
      return span.isRecording() ? new RecordedSpan(tracer, span, parent) : undefined;
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const timeIsUp = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, FLUSH_MS);
      });
      // A failure to send has already been logged.
      await Promise.race([provider.shutdown().catch(() => {}), timeIsUp]);
      clearTimeout(timer);
    },
  };
}

function tracesUrl({ href }: URL): string {
  return `${href.replace(/\/$/, '')}/v1/traces`;
}

class RecordedSpan implements Span {
  readonly #tracer: OtelTracer;
  readonly #span: OtelSpan;
  readonly #parent: Context;

  constructor(tracer: OtelTracer, span: OtelSpan, parent: Context) {
    this.#tracer = tracer;
    this.#span = span;
    this.#parent = parent;
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  get traceparent(): string {
    return traceparentOf(this.#span.spanContext());
  }

  child(name: string, kind: SpanKind, attributes: SpanAttributes = {}): Span {
    const parent = trace.setSpan(this.#parent, this.#span);
    const span = this.#tracer.startSpan(name, { kind: OtelSpanKind[kind], attributes }, parent);
    return new RecordedSpan(this.#tracer, span, parent);
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  end(failure?: string): void {
    if (failure !== undefined) {
      this.#span.setAttribute('error.type', failure);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}

/** Logs when the collector begins to refuse spans, and when it accepts spans again. Does not log each failure. */
function withLoggedFailures(
  exporter: SpanExporter,
  { host }: URL,
  log: OpenTelemetryOptions['log'],
): SpanExporter {
  let isFailing = false;
  return {
    export(spans, onResult) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS;
        if (hasFailed && !isFailing) {
          const reason = result.error?.message.slice(0, MAX_REASON);
          log.warn({ collector: host, reason }, 'Traces are lost: the collector does not accept them.');
        } else if (!hasFailed && isFailing) {
          log.info({ collector: host }, 'The collector accepts traces again.');
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
