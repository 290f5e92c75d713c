// HTTP towards one DOI proxy: paths sent as they are, answers or a failure back, nothing unbounded.

import type { EarlyEnd } from '../directory/abortable.ts';
import type { Asker } from '../directory/asker.ts';
import { GatewayError } from '../errors.ts';
import type { Span } from '../tracing/tracer.ts';
import { createHostConnections, type HostConnectionsOptions } from './host-connections.ts';
import { type AnswerReader, HttpAnswer, type ReadAnswer } from './http-answer.ts';
import type { Time } from './question-deadline.ts';
import { createLargeBodies, createReadingTurns } from './reading-turns.ts';
import { failureOfTransport, UpstreamFailure } from './upstream-failure.ts';

// One request to the directory as the request sees it that it is sent for: counted, and a span of its trace.

const ROUTES = {
  handles: '/api/handles/{name}',
  doiRA: '/doiRA/{names}',
  probe: '/api/handles/{name}',
  metadata: '/{name}',
} as const;

const MAX_PATH = 500;

interface Asked {
  readonly face: keyof typeof ROUTES;
  readonly path: string;
}

interface Answered {
  readonly head: { readonly status: number };
  readonly poor: UpstreamFailure | null;
}

/** @param send is given the `traceparent` of the span; undefined where the request is not traced */
export function tracedRequest<Answer extends Answered>(
  base: string,
  { face, path }: Asked,
  asker: Asker,
  send: (traceparent: string | undefined) => Promise<Answer>,
): Promise<Answer> {
  asker.tally?.sent();
  const span = asker.span?.child(`GET ${ROUTES[face]}`, 'CLIENT', {
    'http.request.method': 'GET',
    'url.full': `${base}${path}`.slice(0, MAX_PATH),
    'doi_gateway.request_id': asker.requestId,
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
    failure = answered.poor?.code;
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
  readonly time: Pick<Time, 'alarm'>;
}

/** What a request is sent for. */
export interface SentFor extends EarlyEnd {
  /** Is called when the whole answer is there, which is read after that. Not for one that says that the directory is ill. */
  answered?(): void;
}

export interface ProxyClient {
  /** `https://doi.org`, without a slash at its end */
  readonly base: string;
  /** whether a connection was ever made */
  readonly hasConnected: boolean;
  /**
   * GETs a path below the base, exactly as given; redirects are not followed. Rejects with a GatewayError (UPSTREAM_…)
   * for everything that the reader does not take, or with the reason of `sentFor` once that is aborted.
   */
  get<T>(
    path: string,
    reader: AnswerReader<T>,
    sentFor: SentFor,
    traceparent?: string,
  ): Promise<ReadAnswer<T>>;
  close(): Promise<void>;
}

const TIMED_OUT = new Error('the attempt timed out');

export function createProxyClient(options: ProxyClientOptions): ProxyClient {
  const { baseUrl, userAgent, timeoutMs, maxResponseBytes, time } = options;
  const { origin } = baseUrl;
  const connections = createHostConnections({ ...options, origin, most: options.maxConnections });
  const large = createLargeBodies();
  const readSoon = createReadingTurns();
  const basePath = baseUrl.pathname.replace(/\/$/, '');

  return {
    base: origin + basePath,
    get hasConnected() {
      return connections.hasConnected;
    },
    async get(path, reader, sentFor, traceparent) {
      if (sentFor.isAborted) throw sentFor.reason;
      const { accept } = reader;
      const headers = { accept, 'user-agent': userAgent };
      const onWhole = (): void => sentFor.answered?.();
      const answer = new HttpAnswer({ reader, maxBytes: maxResponseBytes, large, readSoon, onWhole });
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
