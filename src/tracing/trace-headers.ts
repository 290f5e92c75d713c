// The headers of W3C Trace Context. The gateway reads `traceparent` and `tracestate` of requests, and sends
// `traceparent` to the directory.

import type { IncomingHttpHeaders } from 'node:http';

/** The headers of a client that let the gateway continue the client's trace. */
export interface TraceHeaders {
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

/** The value of `traceparent` in upstream requests. `01` means that the trace is recorded. */
export function traceparentOf({ traceId, spanId }: { traceId: string; spanId: string }): string {
  return `00-${traceId}-${spanId}-01`;
}
