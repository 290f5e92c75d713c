// The access log, and the span of each request in traces.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../log.ts';
import type { Metrics } from '../../metrics.ts';
import { readTraceHeaders, type Span, type Tracer } from '../../tracing/tracer.ts';
import { AccessLogEntry } from './clients/http-requester.ts';
import type { HttpRequest } from './exchange.ts';

interface ObserverOptions {
  /** `probes`: probes have lines too */
  readonly accessLog: 'no' | 'yes' | 'probes' | 'addresses';
  readonly log: Pick<Log, 'info'>;
  readonly tracer: Tracer | null;
  /** Counts what clients use, by API key. Null: the gateway has no keys. */
  readonly clientUse: Metrics['clientUse'] | null;
}

/** Begins the log line and the span of a request. Both end when the response is closed. Call it before the handler. */
export type RequestObserver = (
  request: Pick<HttpRequest, 'requester' | 'method' | 'path'>,
  route: { readonly pattern: string; readonly isSecret?: boolean; readonly isProbe?: boolean },
  response: ServerResponse,
) => void;

/** A path can have 16 kB, so the log and the traces get only its beginning. */
const MAX_PATH_CHARACTERS = 500;

/** Null if the gateway writes neither an access log nor traces, and has no API keys. */
export function createRequestObserver(options: ObserverOptions): RequestObserver | null {
  const { accessLog, log, tracer, clientUse } = options;
  if (accessLog === 'no' && tracer === null && clientUse === null) return null;
  const logsAddresses = accessLog === 'addresses';

  return ({ requester, method, path }, { pattern, isSecret, isProbe = false }, response) => {
    const writesLine = accessLog !== 'no' && (!isProbe || accessLog === 'probes');
    if (isProbe && !writesLine && tracer === null) return;
    const startMs = performance.now();
    const { socket } = response.req;
    const writtenBytes = socket.bytesWritten;
    const loggedPath = isSecret ? pattern : path.slice(0, MAX_PATH_CHARACTERS);
    const entry = new AccessLogEntry(requester.requestId, method, pattern, loggedPath);
    const span = tracer ? startSpan(tracer, entry, response.req) : undefined;
    entry.traceId = span?.traceId;
    requester.tally = entry;
    requester.span = span;
    // Reads the client now, because a closed connection has no address.
    if (logsAddresses) entry.client = requester.client.key;

    response.on('close', () => {
      entry.status = response.headersSent ? response.statusCode : undefined;
      if (!response.writableFinished) entry.aborted = true;
      entry.ms = Math.round((performance.now() - startMs) * 100) / 100;
      entry.bytes = socket.bytesWritten - writtenBytes;
      const key = requester.clients.haveKeys && requester.client.hasKey ? requester.client.key : null;
      if (!logsAddresses && key !== null) entry.client = key;
      if (!isProbe) clientUse?.count(key, entry.answeredBy);
      if (span) endSpan(span, entry);
      if (writesLine) log.info(entry, 'request');
    });
  };
}

/** The names outside `doi_gateway` are from OpenTelemetry's semantic conventions for HTTP. */
function startSpan(tracer: Tracer, entry: AccessLogEntry, { headers }: IncomingMessage): Span | undefined {
  const { method, route, path, requestId } = entry;
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
