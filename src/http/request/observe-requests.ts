// Measures each request until the end of its response: for metrics, for the access log, and for traces.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../log.ts';
import type { Metrics } from '../../metrics.ts';
import { readTraceHeaders } from '../../tracing/trace-headers.ts';
import type { Span, Tracer } from '../../tracing/tracer.ts';
import { AccessLogEntry } from './access-log-entry.ts';
import type { HttpRequester } from './clients/http-requester.ts';

/** The label `face` of metrics: GraphQL, one of the three kinds of paths of the REST API, or `other`. */
export type Face = 'graphql' | 'handles' | 'doiRA' | 'redirect' | 'other';

/** Begins to measure a request. Call the returned function when the response is closed. */
type MeasureRequest = (face: Face) => (response: ServerResponse) => void;

export function createMeasureRequest({
  httpSeconds,
  httpInFlight,
}: Pick<Metrics, 'httpSeconds' | 'httpInFlight'>): MeasureRequest {
  return (face) => {
    const start = performance.now();
    count(face, 1);
    return (response) => {
      httpSeconds.observe((performance.now() - start) / 1000, face, statusClass(response));
      count(face, -1);
    };
  };

  function count(face: Face, more: number): void {
    httpInFlight.set(face, (httpInFlight.get(face) ?? 0) + more);
  }
}

const CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'];

/** `none` if the client left before the gateway sent a status. */
function statusClass({ headersSent, statusCode }: ServerResponse): string {
  return headersSent ? (CLASSES[Math.trunc(statusCode / 100)] ?? 'none') : 'none';
}

export type AccessLog = 'no' | 'yes' | 'addresses';

export interface ObserverOptions {
  readonly accessLog: AccessLog;
  readonly log: Pick<Log, 'info'>;
  readonly tracer: Tracer | null;
}

/** Call it before the handler runs. */
export type RequestObserver = (observed: ObservedRequest) => void;

export interface ObservedRequest {
  readonly requester: HttpRequester;
  readonly method: string;
  readonly path: string;
  readonly route: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** In characters. A path can have 16 kB, so the log and the traces get only its beginning. */
const MAX_PATH = 500;

/** Null if the gateway writes neither an access log nor traces. */
export function createRequestObserver({ accessLog, log, tracer }: ObserverOptions): RequestObserver | null {
  if (accessLog === 'no' && tracer === null) return null;
  const logsAddresses = accessLog === 'addresses';

  return ({ requester, method, path, route, request, response }) => {
    const startMs = performance.now();
    const { socket } = request;
    const writtenBytes = socket.bytesWritten;
    const account = new AccessLogEntry(requester.requestId, method, route, path.slice(0, MAX_PATH));
    const span = tracer ? startSpan(tracer, account, request) : undefined;
    account.traceId = span?.traceId;
    requester.tally = account;
    requester.span = span;
    // Must be read now: after the connection is closed, its address is unknown.
    if (logsAddresses) account.client = requester.client.key;

    response.on('close', () => {
      account.status = response.headersSent ? response.statusCode : undefined;
      if (!response.writableFinished) account.aborted = true;
      account.ms = Math.round((performance.now() - startMs) * 100) / 100;
      account.bytes = socket.bytesWritten - writtenBytes;
      if (!logsAddresses && requester.clients.haveKeys && requester.client.hasKey)
        account.client = requester.client.key;
      if (span) endSpan(span, account);
      if (accessLog !== 'no') log.info(account, 'request');
    });
  };
}

/**
 * Attributes have the names and units of OpenTelemetry's semantic conventions for HTTP, if these define the attribute.
 */
function startSpan(tracer: Tracer, account: AccessLogEntry, { headers }: IncomingMessage): Span | undefined {
  const { method, route, path, requestId } = account;
  return tracer.startRequest(`${method} ${route}`, readTraceHeaders(headers), {
    'http.request.method': method,
    'http.route': route,
    'url.path': path,
    'doi_gateway.request_id': requestId,
  });
}

function endSpan(span: Span, { status, aborted, fieldLookUps, directoryRequests }: AccessLogEntry): void {
  if (status !== undefined) span.set({ 'http.response.status_code': status });
  span.set({
    'doi_gateway.field_look_ups': fieldLookUps,
    'doi_gateway.directory_requests': directoryRequests,
  });
  if (aborted) span.end('aborted');
  else span.end(status !== undefined && status >= 500 ? String(status) : undefined);
}
