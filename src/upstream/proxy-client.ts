// HTTP to one DOI proxy. It sends paths unchanged and bounds time, bytes and connections.

import type { AbortState } from '../directory/abortable.ts';
import type { Requester } from '../directory/requester.ts';
import { GatewayError } from '../errors.ts';
import type { Span } from '../tracing/tracer.ts';
import type { Time } from './deadlines.ts';
import { createHostConnections, type HostConnectionsOptions } from './host-connections.ts';
import { createLargeBodyLock, createReadingSlices } from './reading-slices.ts';
import { failureOfTransport, UpstreamFailure } from './upstream-failure.ts';
import { type ReadResponse, type ResponseReader, UpstreamResponse } from './upstream-response.ts';

const ROUTES = {
  handles: '/api/handles/{name}',
  doiRA: '/doiRA/{names}',
  probe: '/api/handles/{name}',
  metadata: '/{name}',
  works: '/works',
} as const;

const MAX_PATH = 500;

interface Asked {
  readonly endpoint: keyof typeof ROUTES;
  readonly path: string;
}

interface Answered {
  readonly head: { readonly status: number };
  readonly failure: UpstreamFailure | null;
}

/**
 * Counts a request for the client's request that needs it, and adds a span to its trace.
 * @param send gets the `traceparent` of the span; undefined if there is no trace
 */
export function tracedRequest<Answer extends Answered>(
  base: string,
  { endpoint, path }: Asked,
  requester: Requester,
  send: (traceparent: string | undefined) => Promise<Answer>,
): Promise<Answer> {
  requester.tally?.sent();
  const span = requester.span?.child(`GET ${ROUTES[endpoint]}`, 'CLIENT', {
    'http.request.method': 'GET',
    'url.full': `${base}${path}`.slice(0, MAX_PATH),
    'doi_gateway.request_id': requester.requestId,
  });
  return span === undefined ? send(undefined) : inSpan(span, send);
}

async function inSpan<Answer extends Answered>(
  span: Span,
  send: (traceparent: string | undefined) => Promise<Answer>,
): Promise<Answer> {
  let failure: string | undefined = 'aborted';
  try {
    const answered = await send(span.traceparent);
    span.set({ 'http.response.status_code': answered.head.status });
    failure = answered.failure?.code;
    return answered;
  } catch (error) {
    if (error instanceof UpstreamFailure) failure = error.code;
    throw error;
  } finally {
    span.end(failure);
  }
}

export interface ProxyClientOptions extends Pick<HostConnectionsOptions, 'lookup' | 'httpsProxy'> {
  readonly baseUrl: URL;
  readonly userAgent: string;
  /** of one attempt, from sending to the last byte */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  readonly maxConnections: number;
  /** of every request, beside `accept` and `user-agent` */
  readonly headers?: Readonly<Record<string, string>>;
  readonly time: Pick<Time, 'alarm'>;
}

/** Ends a request early, and hears of its response. */
export interface AttemptAbort extends AbortState {
  /** called before reading, when the response is complete and does not report a failure of the directory */
  onComplete?(): void;
}

export interface ProxyClient {
  /** `https://doi.org`, without a final slash */
  readonly base: string;
  /** whether a connection was ever made */
  readonly hasConnected: boolean;
  /**
   * GETs a path below the base, exactly as given, and follows no redirects. Rejects with a GatewayError (UPSTREAM_…) if
   * the reader does not accept the response, or with the reason of `sentFor` when that is aborted.
   */
  get<T>(
    path: string,
    reader: ResponseReader<T>,
    sentFor: AttemptAbort,
    traceparent?: string,
  ): Promise<ReadResponse<T>>;
  close(): Promise<void>;
}

const TIMED_OUT = new Error('the attempt timed out');

export function createProxyClient(options: ProxyClientOptions): ProxyClient {
  const { baseUrl, userAgent, timeoutMs, maxResponseBytes, time } = options;
  const { origin } = baseUrl;
  const connections = createHostConnections({ ...options, origin, maxConnections: options.maxConnections });
  const large = createLargeBodyLock();
  const readSoon = createReadingSlices();
  const basePath = baseUrl.pathname.replace(/\/$/, '');

  return {
    base: origin + basePath,
    get hasConnected() {
      return connections.hasConnected;
    },
    async get(path, reader, sentFor, traceparent) {
      if (sentFor.isAborted) throw sentFor.reason;
      const { accept } = reader;
      const headers = { ...options.headers, accept, 'user-agent': userAgent };
      const onComplete = (): void => sentFor.onComplete?.();
      const answer = new UpstreamResponse({
        reader,
        maxBytes: maxResponseBytes,
        large,
        readSoon,
        onComplete,
      });
      const endAlarm = time.alarm(timeoutMs, () => answer.end(TIMED_OUT));
      sentFor.onAbort(() => answer.end(sentFor.reason as Error));
      try {
        connections.send(
          {
            origin,
            path: basePath + path,
            method: 'GET',
            headers: traceparent === undefined ? headers : { ...headers, traceparent },
          },
          answer,
        );
        return await answer.outcome;
      } catch (error) {
        if (sentFor.isAborted) throw sentFor.reason;
        throw error instanceof GatewayError ? error : failureOfTransport(error, error === TIMED_OUT);
      } finally {
        endAlarm();
        sentFor.onAbort(null);
      }
    },
    close: () => connections.close(),
  };
}
