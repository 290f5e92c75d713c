// The signature of everything that sends a request to a host. Each wrapper adds one rule to the dispatch that it wraps:
// deadline (deadlines.ts), retries, queue (request-queue.ts), circuit (proxy-base.ts), measures, connection (proxy-client.ts).

import type { AbortState } from '../abortable.ts';
import type { Requester } from '../directory/requester.ts';
import type { ReadResponse, ResponseReader } from './response-body.ts';
import type { UpstreamFailure } from './upstream-failure.ts';

/** A request to a proxy, and the reader of its response. */
export interface UpstreamRequest<T> {
  readonly endpoint: 'handles' | 'doiRA' | 'probe' | 'metadata' | 'works';
  /** the path below the base URL, sent unchanged */
  readonly path: string;
  readonly reader: ResponseReader<T>;
  /** The name that the request is about. If many subjects fail, the circuit sends a probe. Default: the path. */
  readonly subject?: string;
  /** Whether the answer reports a failure of the directory. It is returned only if no base has a better answer. */
  reportsFailure?(answer: T): boolean;
  /** True if clients do not need the answer. The circuit then ignores failures, except a 429. Default: false. */
  readonly isOptional?: boolean;
}

/** The abort state of one attempt. */
export interface AttemptAbort extends AbortState {
  /** Called when a complete response has arrived, before its body is parsed. Not called after a failure. */
  onComplete?(): void;
}

/** One attempt to send a request. */
export interface Attempt {
  readonly abort: AttemptAbort;
  /** Null for a probe, which no client waits for. */
  readonly requester: Requester | null;
  readonly traceparent?: string | undefined;
}

export interface AttemptResult<T> extends ReadResponse<T> {
  /** the failure of the directory that the answer reports; null if it reports none */
  readonly failure: UpstreamFailure | null;
}

/** Rejects with an UpstreamFailure, or with the reason of `abort`. */
export type Dispatch<For extends Attempt = Attempt> = <T>(
  request: UpstreamRequest<T>,
  attempt: For,
) => Promise<AttemptResult<T>>;
