// The HTTP client for one base URL: a DOI proxy or an agency's service. Limits time, bytes and connections.

import type { AbortState } from '../directory/abortable.ts';
import { GatewayError } from '../errors.ts';
import type { Time } from './deadlines.ts';
import { createHostConnections, type HostConnectionsOptions } from './host-connections.ts';
import { type ReadResponse, type ResponseReader, UpstreamResponse } from './response-body.ts';
import { failureOfTransport } from './upstream-failure.ts';

export interface ProxyClientOptions extends Pick<HostConnectionsOptions, 'lookup' | 'httpsProxy'> {
  readonly baseUrl: URL;
  readonly userAgent: string;
  /** maximum time of one attempt, from its start to the last byte of the response */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  readonly maxConnections: number;
  /** headers of every request, in addition to `accept` and `user-agent` */
  readonly headers?: Readonly<Record<string, string>>;
  readonly time: Pick<Time, 'alarm'>;
}

/** The abort state of one attempt. */
export interface AttemptAbort extends AbortState {
  /** Called when a complete response has arrived, before its body is parsed. Not called after a failure. */
  onComplete?(): void;
}

const TIMED_OUT = new Error('the attempt timed out');

export function createProxyClient(options: ProxyClientOptions) {
  const { baseUrl, userAgent, timeoutMs, maxResponseBytes: maxBytes, time } = options;
  const { origin } = baseUrl;
  const connections = createHostConnections({ ...options, origin });
  const largeBodies = { last: Promise.resolve() };
  const basePath = baseUrl.pathname.replace(/\/$/, '');

  return {
    /** `https://doi.org`, without a final slash */
    base: origin + basePath,
    /** whether a connection was ever made */
    get hasConnected() {
      return connections.hasConnected;
    },
    /**
     * Sends a GET for a path below the base. Sends the path unchanged and does not follow redirects. Rejects with the
     * reason of `abort`, or with a GatewayError (UPSTREAM_…) if the request fails or the reader refuses the response.
     */
    async get<T>(
      path: string,
      reader: ResponseReader<T>,
      abort: AttemptAbort,
      traceparent?: string,
    ): Promise<ReadResponse<T>> {
      if (abort.isAborted) throw abort.reason;
      const { accept } = reader;
      const headers = { ...options.headers, accept, 'user-agent': userAgent };
      const onComplete = (): void => abort.onComplete?.();
      const response = new UpstreamResponse({ reader, maxBytes, largeBodies, onComplete });
      const endAlarm = time.alarm(timeoutMs, () => response.end(TIMED_OUT));
      abort.onAbort(() => response.end(abort.reason as Error));
      try {
        connections.send(
          {
            origin,
            path: basePath + path,
            method: 'GET',
            headers: traceparent === undefined ? headers : { ...headers, traceparent },
          },
          response,
        );
        return await response.outcome;
      } catch (error) {
        if (abort.isAborted) throw abort.reason;
        throw error instanceof GatewayError ? error : failureOfTransport(error, error === TIMED_OUT);
      } finally {
        endAlarm();
        abort.onAbort(null);
      }
    },
    close: () => connections.close(),
  };
}
