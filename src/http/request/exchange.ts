// A request and its response. These types do not depend on node:http or fetch.

import type { Soon } from '../../time.ts';
import type { Reservation } from '../../work/reservation.ts';
import type { HttpRequester } from './clients/http-requester.ts';

export interface HttpRequest {
  readonly method: string;
  /** The part of the target before the first `?`, without scheme and host. Not decoded, with its dot segments. */
  readonly path: string;
  /** The part after the first `?`. Empty if there is no `?`. */
  readonly query: string;
  /** The value of a request header. The name must be in lower case. Undefined if the header is missing. */
  header(name: string): string | undefined;
  /**
   * The whole body. Rejects with LIMIT_EXCEEDED if the body is longer than `maxBytes`, and with BAD_USER_INPUT if it is
   * incomplete.
   */
  body(maxBytes: number): Promise<Buffer>;
  /**
   * The body as it arrives. Call this or `body`, not both. The sender waits for the reader. Throws the errors with which
   * `body` rejects. Drops parts that the caller does not read.
   */
  bodyParts(maxBytes: number): AsyncIterable<Uint8Array>;
  /** the client that sent the request */
  readonly requester: HttpRequester;
  /** aborted when the client leaves */
  readonly signal: AbortSignal;
  /** the memory that is reserved for this request */
  readonly work: Reservation;
}

export interface Answer {
  readonly status: number;
  /** A header with the value undefined is not sent. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /**
   * An array is a complete body in pieces. An iterable is sent part by part, each part when it is ready. Null: no body.
   */
  readonly body: string | Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array> | null;
}

/** Answers one request. Never rejects for anything that a client can send. */
export type Handler = (request: HttpRequest) => Soon<Answer>;

/** Calls `work`. If it throws or rejects, returns the result of `otherwise`. */
export function attempt<T>(work: () => Soon<T>, otherwise: (error: unknown) => T): Soon<T> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(otherwise) : result;
  } catch (error) {
    return otherwise(error);
  }
}
