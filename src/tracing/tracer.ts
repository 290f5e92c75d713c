// The port for traces. Only open-telemetry.ts imports OpenTelemetry.

export type SpanKind = 'SERVER' | 'CLIENT' | 'INTERNAL';

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** Some work as part of a trace. It has to be ended, once. */
export interface Span {
  readonly traceId: string;
  /** the header that lets another service continue the trace (W3C Trace Context) */
  readonly traceparent: string;
  child(name: string, kind: SpanKind, attributes?: SpanAttributes): Span;
  set(attributes: SpanAttributes): void;
  /** @param failure what kind of failure ended the work, such as the code of an error */
  end(failure?: string): void;
}

/** Where a trace that began elsewhere is to be continued: headers as they came. */
export interface TraceHeaders {
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

export interface Tracer {
  /** Continues the trace of the headers if they are valid, else begins one. Undefined: this request is not traced. */
  startRequest(name: string, headers: TraceHeaders, attributes: SpanAttributes): Span | undefined;
  /** Sends the remaining spans, for at most two seconds. Never rejects. */
  close(): Promise<void>;
}
