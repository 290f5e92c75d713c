// The types of a request, a response and a handler. They do not depend on node:http or fetch.

import type { Reservation } from '../../memory/reservation.ts';
import type { Soon } from '../../time.ts';
import type { HttpRequester } from './clients/http-requester.ts';

export interface HttpRequest {
  readonly method: string;
  /** The URL between the host and the first `?`. Not decoded, and with its dot segments. */
  readonly path: string;
  /** The URL after the first `?`. Empty if there is no `?`. */
  readonly query: string;
  /** @param name in lower case */
  header(name: string): string | undefined;
  /**
   * Reads the whole body. Rejects with LIMIT_EXCEEDED if the body is longer than `maxBytes`, and with BAD_USER_INPUT if
   * the client aborted before the end of the body.
   */
  body(maxBytes: number): Promise<Buffer>;
  /**
   * Reads the body in parts, as fast as the caller takes them. Throws the errors with which `body` rejects. If the
   * caller stops early, the remaining parts are dropped. Call either `bodyParts` or `body`.
   */
  bodyParts(maxBytes: number): AsyncIterable<Uint8Array>;
  /** the client, its budget, and the counts for the access log */
  readonly requester: HttpRequester;
  /** aborted when the client aborts the request */
  readonly signal: AbortSignal;
  /** the memory that is reserved for this request */
  readonly reservation: Reservation;
}

export interface HttpResponse {
  readonly status: number;
  /** A header with the value undefined is not sent. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** An array is a complete body in pieces. Each part of an async iterable is sent when it is ready. Null: no body. */
  readonly body: string | Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array> | null;
}

/** May throw or reject with a GatewayError, which becomes the response. Any other error is a fault of the gateway. */
export type Handler = (request: HttpRequest) => Soon<HttpResponse>;

/** Returns the result of `action`. If `action` throws or rejects, returns the result of `otherwise`. */
export function attempt<T>(action: () => Soon<T>, otherwise: (error: unknown) => Soon<T>): Soon<T> {
  try {
    const result = action();
    return result instanceof Promise ? result.catch(otherwise) : result;
  } catch (error) {
    return otherwise(error);
  }
}
