// The HTTP client for one base URL: a DOI proxy or an agency's service. Limits time, bytes and connections.

import { GatewayError } from '../errors.ts';
import type { Clock } from '../time.ts';
import type { Dispatch } from './dispatch.ts';
import { createHostConnections, type HostConnectionsOptions } from './host-connections.ts';
import { failureOfHead, UpstreamResponse } from './response-body.ts';
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
  readonly time: Pick<Clock, 'after'>;
}

const TIMED_OUT = new Error('the attempt timed out');

export function createProxyClient(options: ProxyClientOptions) {
  const { baseUrl, userAgent, timeoutMs, maxResponseBytes: maxBytes, time } = options;
  const { origin } = baseUrl;
  const connections = createHostConnections({ ...options, origin });
  const largeBodies = { last: Promise.resolve() };
  const basePath = baseUrl.pathname.replace(/\/$/, '');

  /**
   * Sends a GET for a path below the base. Sends the path unchanged and does not follow redirects. Rejects with the reason
   * of `abort`, or with a GatewayError (UPSTREAM_…) if the request fails or the reader refuses the response.
   */
  const dispatch: Dispatch = async (request, { abort, traceparent }) => {
    if (abort.isAborted) throw abort.reason;
    const { path, reader } = request;
    const headers = { ...options.headers, accept: reader.accept, 'user-agent': userAgent };
    const onComplete = (): void => abort.onComplete?.();
    const response = new UpstreamResponse({ reader, maxBytes, largeBodies, onComplete });
    const endAlarm = time.after(timeoutMs, () => response.end(TIMED_OUT));
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
      const { head, answer } = await response.outcome;
      return { head, answer, failure: request.reportsFailure?.(answer) ? failureOfHead(head) : null };
    } catch (error) {
      if (abort.isAborted) throw abort.reason;
      throw error instanceof GatewayError ? error : failureOfTransport(error, error === TIMED_OUT);
    } finally {
      endAlarm();
      abort.onAbort(null);
    }
  };

  return {
    /** `https://doi.org`, without a final slash */
    base: origin + basePath,
    /** whether a connection was ever made */
    get hasConnected() {
      return connections.hasConnected;
    },
    dispatch,
    close: () => connections.close(),
  };
}
