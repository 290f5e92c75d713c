// HTTP towards one DOI proxy: paths sent as they are, JSON or a failure back, nothing unbounded.

import type { LookupFunction } from 'node:net';
import { Pool } from 'undici';
import { GatewayError } from '../../errors.ts';
import { JsonAnswer, type JsonResponse } from './json-answer.ts';
import { createLargeBodies } from './large-bodies.ts';
import type { Time } from './question-deadline.ts';
import { type RawResponse, requestRaw } from './raw-request.ts';
import { failureOfTransport } from './upstream-failure.ts';

export interface ProxyClientOptions {
  readonly baseUrl: URL;
  readonly userAgent: string;
  /** of one attempt, from sending to the last byte */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  readonly maxConnections: number;
  readonly time: Pick<Time, 'alarm'>;
  /** finds the addresses of the host; left out: as Node does */
  readonly lookup?: LookupFunction;
}

export interface ProxyClient {
  /** `https://doi.org`, without a slash at its end */
  readonly base: string;
  /**
   * GETs a path below the base, exactly as given; redirects are not followed. Rejects with a GatewayError
   * (UPSTREAM_…) for everything that is not a JSON body, or with the signal's reason once it is aborted.
   */
  getJson(path: string, signal?: AbortSignal, traceparent?: string): Promise<JsonResponse>;
  /** The same for what is no JSON of the directory: `read` is given what comes. */
  get<T>(
    path: string,
    accept: string,
    read: (response: RawResponse) => Promise<T>,
    signal?: AbortSignal,
    traceparent?: string,
  ): Promise<T>;
  close(): Promise<void>;
}

const TIMED_OUT = new Error('the attempt timed out');

export function createProxyClient(options: ProxyClientOptions): ProxyClient {
  const { baseUrl, timeoutMs, maxResponseBytes, time } = options;
  // One time-out rules each attempt as a whole, so undici's own are off.
  const pool = new Pool(baseUrl.origin, {
    connections: options.maxConnections,
    connect: { timeout: 0, ...(options.lookup && { lookup: options.lookup }) },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const large = createLargeBodies();
  const basePath = baseUrl.pathname.replace(/\/$/, '');
  const headers = { accept: 'application/json', 'user-agent': options.userAgent };

  async function getJson(path: string, signal?: AbortSignal, traceparent?: string): Promise<JsonResponse> {
    signal?.throwIfAborted();
    const answer = new JsonAnswer(maxResponseBytes, large);
    const leave = (): void => answer.end(signal?.reason);
    const endAlarm = time.alarm(timeoutMs, () => answer.end(TIMED_OUT));
    signal?.addEventListener('abort', leave, { once: true });
    try {
      pool.dispatch(
        {
          path: basePath + path,
          method: 'GET',
          headers: traceparent === undefined ? headers : { ...headers, traceparent },
        },
        answer,
      );
      return await answer.whole;
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof GatewayError ? error : failureOfTransport(error, error === TIMED_OUT);
    } finally {
      endAlarm();
      signal?.removeEventListener('abort', leave);
    }
  }

  return {
    base: baseUrl.origin + basePath,
    getJson,
    get(path, accept, read, signal, traceparent) {
      const sent = { ...headers, accept, ...(traceparent === undefined ? {} : { traceparent }) };
      return requestRaw(pool, { path: basePath + path, headers: sent, timeoutMs, time, signal, large, read });
    },
    close: () => pool.destroy(),
  };
}
