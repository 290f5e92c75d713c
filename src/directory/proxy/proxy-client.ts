// HTTP towards one DOI proxy: paths sent as they are, JSON or a failure back, nothing unbounded.

import type { LookupFunction } from 'node:net';
import { type Dispatcher, Pool } from 'undici';
import { GatewayError } from '../../errors.ts';
import { MalformedRecordError, parseJson } from '../../handle/json.ts';
import { onAbort } from '../abortable.ts';
import { createLargeBodies, LARGE_BYTES, type LargeBodies } from './large-bodies.ts';
import type { Time } from './question-deadline.ts';
import { badResponse, failureOfStatus, failureOfTransport } from './upstream-failure.ts';

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

export type RawResponse = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

export interface JsonResponse {
  readonly status: number;
  /** the header as it came */
  readonly retryAfter: string | undefined;
  readonly json: unknown;
}

export interface ProxyClient {
  /** `https://doi.org`, without a slash at its end */
  readonly base: string;
  /**
   * GETs a path below the base, exactly as given; redirects are not followed. Rejects with a GatewayError
   * (UPSTREAM_…) for everything that is not a JSON body, or with the signal's reason once it is aborted.
   */
  getJson(path: string, signal?: AbortSignal, traceparent?: string): Promise<JsonResponse>;
  /** The same for what is no JSON: `read` is given what comes, and has to read or to discard its body. */
  get<T>(
    path: string,
    accept: string,
    read: (response: RawResponse, signal: AbortSignal) => Promise<T>,
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
  const common = { accept: 'application/json', 'user-agent': options.userAgent };

  async function get<T>(
    path: string,
    accept: string,
    read: (response: RawResponse, signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
    traceparent?: string,
  ): Promise<T> {
    const headers = accept === common.accept ? common : { ...common, accept };
    // AbortSignal.any and .timeout cost the collector of garbage as much as the rest of the request.
    const attempt = new AbortController();
    const endAlarm = time.alarm(timeoutMs, () => attempt.abort(TIMED_OUT));
    const forget = signal && onAbort(signal, () => attempt.abort(signal.reason));
    try {
      const response = await pool.request({
        path: basePath + path,
        method: 'GET',
        headers: traceparent === undefined ? headers : { ...headers, traceparent },
        signal: attempt.signal,
      });
      return await read(response, attempt.signal);
    } catch (error) {
      signal?.throwIfAborted();
      const isTimedOut = attempt.signal.reason === TIMED_OUT;
      throw error instanceof GatewayError ? error : failureOfTransport(error, isTimedOut);
    } finally {
      endAlarm();
      forget?.();
    }
  }

  const readJsonOf = (response: RawResponse, signal: AbortSignal) =>
    readJson(response, maxResponseBytes, large, signal);
  return {
    base: baseUrl.origin + basePath,
    getJson: (path, signal, traceparent) => get(path, common.accept, readJsonOf, signal, traceparent),
    get,
    close: () => pool.destroy(),
  };
}

/** @param large where a body that turns out to be large waits for its turn */
export async function readJson(
  response: RawResponse,
  maxBytes: number,
  large: LargeBodies,
  signal: AbortSignal,
): Promise<JsonResponse> {
  const { statusCode: status, headers, body } = response;
  const retryAfter = single(headers['retry-after']);
  if (!isJson(headers['content-type'])) {
    discard(body);
    throw failureOfStatus(status, retryAfter);
  }
  const turn = createTurn(large);
  try {
    const bytes = await readBytes(body, maxBytes, async () => {
      await turn.take();
      signal.throwIfAborted();
    });
    const text = decodeText(bytes, 'UTF-8');
    await turn.rest();
    const json = parseJson(text);
    await turn.rest();
    return { status, retryAfter, json };
  } catch (error) {
    if (!(error instanceof MalformedRecordError)) throw error;
    throw isSuccess(status) ? badResponse(error) : failureOfStatus(status, retryAfter);
  } finally {
    turn.end();
  }
}

/** The place of one body among the large ones, once it has turned out to be large. */
function createTurn(large: LargeBodies) {
  let isTaken = false;
  return {
    async take() {
      await large.enter();
      isTaken = true;
    },
    /** Between two steps that take long: lets others go first. */
    async rest() {
      if (isTaken) await new Promise((resolve) => setImmediate(resolve));
    },
    end() {
      if (isTaken) large.leave();
    },
  };
}

/** Closes the connection without reading on. That the body then ends early is no error to anyone. */
export function discard(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => {});
  body.destroy();
}

/** HTML error pages come with any status, so the content type decides whether a body is looked at. */
function isJson(contentType: string | string[] | undefined): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(single(contentType) ?? '');
}

/** @param beforeLarge is waited for before more of a body is read that turns out to be large */
export async function readBytes(
  body: Dispatcher.ResponseData['body'],
  maxBytes: number,
  beforeLarge: () => Promise<void>,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop destroys the body, and with it the connection.
    if (bytes > maxBytes) throw badResponse(`the body is larger than ${maxBytes} bytes`);
    // What has not been read yet stays with the directory.
    if (bytes > LARGE_BYTES && bytes - chunk.length <= LARGE_BYTES) await beforeLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/** @param encoding a label of the Encoding Standard, such as `utf-8` */
export function decodeText(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw badResponse(`the body is not ${encoding}`);
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
