// The port for traces. Only open-telemetry.ts imports OpenTelemetry.

export type SpanKind = 'SERVER' | 'CLIENT' | 'INTERNAL';

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A part of a trace. Call `end` once. */
export interface Span {
  readonly traceId: string;
  /** the header that lets another service continue the trace (W3C Trace Context) */
  readonly traceparent: string;
  child(name: string, kind: SpanKind, attributes?: SpanAttributes): Span;
  set(attributes: SpanAttributes): void;
  /** @param failure the kind of the failure, such as an error code; undefined: the work succeeded */
  end(failure?: string): void;
}

/** The request headers that continue a trace of the client. */
export interface TraceHeaders {
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

export interface Tracer {
  /** Continues the trace of valid headers, else begins a new trace. Undefined: this request is not traced. */
  startRequest(name: string, headers: TraceHeaders, attributes: SpanAttributes): Span | undefined;
  /** Sends the remaining spans, for at most two seconds. Never rejects. */
  close(): Promise<void>;
}
