// A request and its answer as every face sees them, apart from node:http and fetch.

import type { Soon } from '../../time.ts';
import type { Reservation } from '../../work/reservation.ts';
import type { HttpRequester } from './clients/http-requester.ts';

export interface HttpRequest {
  readonly method: string;
  /** before the first `?`, exactly as it came: nothing is decoded, no dot segment collapsed; without scheme and host */
  readonly path: string;
  /** behind the first `?`; empty where there is none */
  readonly query: string;
  /** a request header by its name in lower case; undefined where there is none */
  header(name: string): string | undefined;
  /** The whole body. Rejects with LIMIT_EXCEEDED as soon as it has more bytes, and with BAD_USER_INPUT where it breaks off. */
  body(maxBytes: number): Promise<Buffer>;
  /**
   * The body as it arrives, instead of `body`. The sender waits for the reader. Throws as `body` rejects. Parts that are
   * not read are thrown away.
   */
  bodyParts(maxBytes: number): AsyncIterable<Uint8Array>;
  /** on whose behalf it asks */
  readonly requester: HttpRequester;
  /** aborted when the client is gone */
  readonly signal: AbortSignal;
  /** what it has in hand */
  readonly work: Reservation;
}

export interface Answer {
  readonly status: number;
  /** one that is undefined is not sent */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /**
   * An array is one whole body in pieces; an iterable is sent part by part, each as soon as it is there; null: no body.
   */
  readonly body: string | Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array> | null;
}

/** Answers one request. Never rejects for anything that a client can send. */
export type Handler = (request: HttpRequest) => Soon<Answer>;

/** @param otherwise what becomes of an error, whether it is thrown or rejected with */
export function attempt<T>(work: () => Soon<T>, otherwise: (error: unknown) => T): Soon<T> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(otherwise) : result;
  } catch (error) {
    return otherwise(error);
  }
}
