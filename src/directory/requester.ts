// The request for which the gateway makes look-ups, and the client that sent it.

import type { Span } from '../tracing/tracer.ts';

/** One request of a client. Its look-ups count for the client's share of the directory. */
export interface Requester {
  /** short and plain, for the log */
  readonly requestId: string;
  readonly client: Client;
  /** counts the look-ups of the request; undefined: they are not counted */
  readonly tally?: LookUpTally | undefined;
  /** the parent of the look-ups in a trace; undefined: there is no trace */
  readonly span?: Span | undefined;
  /** the look-ups that share a deadline with this one; left out: none */
  readonly batch?: LookUpBatch | undefined;
}

/** Look-ups that began together. Some are sent later, but all have one deadline. */
export interface LookUpBatch {
  /** when the first look-up began, by the directory's clock; the directory sets it */
  begunAt: number | undefined;
  /** look-ups that have not begun yet */
  toCome: number;
}

export type AnswerOrigin = 'memory' | 'shared' | 'stale' | 'directory';

/** The look-ups of one request, and where their answers came from. */
export interface LookUpTally {
  /** counts look-ups, with any outcome */
  lookedUp(lookUps: number): void;
  /** counts look-ups that did not fail */
  answered(by: AnswerOrigin, lookUps: number): void;
  /** counts a request to the directory, if this request was the first to need it */
  sent(): void;
}

/** The same requester, for the look-ups of a batch. */
export function requesterOfBatch(requester: Requester, span: Span | undefined, toCome = 0): Requester {
  const { requestId, tally } = requester;
  return {
    requestId,
    tally,
    span,
    batch: { begunAt: undefined, toCome },
    // Identified at first use.
    get client() {
      return requester.client;
    },
  };
}

/**
 * For the look-ups of a prefix, which all its names share: they cost the client nothing. They wait in a queue beside
 * the client's own, so that they do not hold back the records of names.
 */
export function requesterOfPrefix({ requestId, span, client }: Requester): Requester {
  return { requestId, span, client: { key: `${client.key} (prefixes)`, budget: null } };
}

export interface Client {
  /** Requests with the same key come from the same client: an address, or an API key. */
  readonly key: string;
  /** null: only its share of the directory limits it */
  readonly budget: ClientBudget | null;
}

/** Clients with such keys yield to all others: they are jobs. No address begins like this. */
const YIELDING = 'job:';
const LARGE = `${YIELDING}much:`;

/** The key of a client that yields. A client with `much` work has a quarter of the share of one with `little`. */
export function yieldingKey(name: string, work: 'little' | 'much'): string {
  return (work === 'much' ? LARGE : YIELDING) + name;
}

export function yieldsToOthers(clientKey: string): boolean {
  return clientKey.startsWith(YIELDING);
}

/** The share of a client relative to one of weight 1. */
export function weightOf(clientKey: string): number {
  return clientKey.startsWith(LARGE) ? 1 / 4 : 1;
}

/** A budget of look-ups that no cache can answer, per period. */
export interface ClientBudget {
  /** Rejects with RATE_LIMITED if fewer look-ups are left. Then it takes none. */
  take(lookUps: number): Promise<void>;
}

/** Look-ups that the gateway makes for itself. */
export const OWN_WORK: Requester = { requestId: 'gateway', client: { key: 'gateway', budget: null } };
