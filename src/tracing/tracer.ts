// The interface for traces, and the headers of W3C Trace Context. Only open-telemetry.ts imports OpenTelemetry.

import type { IncomingHttpHeaders } from 'node:http';

/** The headers of a client that let the gateway continue the client's trace. */
interface TraceHeaders {
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

/** Several `tracestate` headers are one list. Several `traceparent` headers are invalid. */
export function readTraceHeaders({ traceparent, tracestate }: IncomingHttpHeaders): TraceHeaders {
  return {
    traceparent: Array.isArray(traceparent) ? undefined : traceparent,
    tracestate: Array.isArray(tracestate) ? tracestate.join() : tracestate,
  };
}

export type SpanKind = 'SERVER' | 'CLIENT' | 'INTERNAL';

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A timed part of a trace. Call `end` once. */
export interface Span {
  readonly traceId: string;
  /** a header for upstream requests: with it, the upstream service continues this trace */
  readonly traceparent: string;
  child(name: string, kind: SpanKind, attributes?: SpanAttributes): Span;
  set(attributes: SpanAttributes): void;
  /** @param failure the kind of the failure, such as an error code; undefined: the timed part succeeded */
  end(failure?: string): void;
}

export interface Tracer {
  /**
   * Continues the client's trace if the headers are valid, else begins a new trace. Undefined: do not trace this
   * request.
   */
  startRequest(name: string, headers: TraceHeaders, attributes: SpanAttributes): Span | undefined;
  /** Sends the remaining spans. Resolves after at most two seconds. Never rejects. */
  close(): Promise<void>;
}
