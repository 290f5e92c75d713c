// A request whose answer is no JSON of the directory: it is read by whoever asks.

import type { Dispatcher, Pool } from 'undici';
import { GatewayError } from '../../errors.ts';
import { abortable } from '../abortable.ts';
import { LARGE_BYTES, type LargeBodies } from './large-bodies.ts';
import type { Time } from './question-deadline.ts';
import { badResponse, failureOfTransport } from './upstream-failure.ts';

export interface RawResponse extends Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'> {
  /** where a body that turns out to be large waits for its turn */
  readonly large: LargeBodies;
}

export interface RawRequest<T> {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly time: Pick<Time, 'alarm'>;
  readonly signal: AbortSignal | undefined;
  readonly large: LargeBodies;
  /** has to read or to discard the body */
  read(response: RawResponse): Promise<T>;
}

const TIMED_OUT = new Error('the attempt timed out');

/** Rejects with a GatewayError (UPSTREAM_…), or with the signal's reason once it is aborted. */
export async function requestRaw<T>(pool: Pool, request: RawRequest<T>): Promise<T> {
  const { path, headers, timeoutMs, time, signal, large, read } = request;
  const attempt = new AbortController();
  signal?.throwIfAborted();
  const endAlarm = time.alarm(timeoutMs, () => attempt.abort(TIMED_OUT));
  const leave = (): void => attempt.abort(signal?.reason);
  signal?.addEventListener('abort', leave, { once: true });
  try {
    const response = await pool.request({ path, method: 'GET', headers, signal: attempt.signal });
    const { statusCode, body } = response;
    return await abortable(read({ statusCode, headers: response.headers, body, large }), attempt.signal);
  } catch (error) {
    signal?.throwIfAborted();
    const isTimedOut = attempt.signal.reason === TIMED_OUT;
    throw error instanceof GatewayError ? error : failureOfTransport(error, isTimedOut);
  } finally {
    endAlarm();
    signal?.removeEventListener('abort', leave);
  }
}

/** What follows the head of a redirect is a few hundred bytes: a new connection costs more than to read them. */
const MOST_DISCARDED_BYTES = 16_384;

/** Reads on to the end, so that the connection can be used again; where that is far, closes it. */
export async function discard(body: Dispatcher.ResponseData['body']): Promise<void> {
  await body.dump({ limit: MOST_DISCARDED_BYTES });
}

/** Rejects with UPSTREAM_BAD_RESPONSE where there are more. Of what is large, one is read at a time. */
export async function readBytes({ body, large }: RawResponse, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isInside = false;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      // Leaving the loop destroys the body, and with it the connection.
      if (bytes > maxBytes) throw badResponse(`the body is larger than ${maxBytes} bytes`);
      chunks.push(chunk);
      if (bytes <= LARGE_BYTES || isInside) continue;
      await large.enter();
      isInside = true;
    }
    return Buffer.concat(chunks, bytes);
  } finally {
    if (isInside) large.leave();
  }
}

/** @param encoding a label of the Encoding Standard, such as `utf-8` */
export function decodeText(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw badResponse(`the body is not ${encoding}`);
  }
}

export function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
