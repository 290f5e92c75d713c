// A request of a client, for which the gateway makes look-ups.

import type { Span } from '../tracing/tracer.ts';

/** A request of a client. Its look-ups count for the client's share of the directory. */
export interface Requester {
  /** short and plain, for the log */
  readonly requestId: string;
  readonly client: Client;
  /** Counts the look-ups of the request. Default: they are not counted. */
  readonly tally?: LookUpTally | undefined;
  /** The parent of the look-ups in a trace. Default: no trace. */
  readonly span?: Span | undefined;
  /** The batch whose look-ups share one deadline. Default: each look-up has its own deadline. */
  readonly batch?: LookUpBatch | undefined;
}

/** Look-ups that belong together. Some are sent later, but all have the deadline of the first. */
export interface LookUpBatch {
  /** When the first look-up began. The directory sets it, by its own clock. */
  begunAt: number | undefined;
  /** look-ups that have not begun yet */
  toCome: number;
}

/** Where an answer came from. `stale`: from memory, after its fresh time. `shared`: from Redis. */
export type AnswerOrigin = 'memory' | 'shared' | 'stale' | 'directory';

/** The look-ups of one request, and where their answers came from. */
export interface LookUpTally {
  /** Counts look-ups with any outcome. */
  lookedUp(lookUps: number): void;
  /** Counts look-ups that did not fail. */
  answered(by: AnswerOrigin, lookUps: number): void;
  /** Counts a request to the directory that this client request caused first. */
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
    // A getter, because the gateway identifies a client only at first use.
    get client() {
      return requester.client;
    },
  };
}

/**
 * The requester of look-ups of a prefix. Many names share a prefix, so these look-ups use no budget. They have their own
 * queue, so that they do not delay the client's look-ups of names.
 */
export function requesterOfPrefix({ requestId, span, client }: Requester): Requester {
  return { requestId, span, client: { key: `${client.key} (prefixes)`, budget: null } };
}

export interface Client {
  /** Requests with the same key come from the same client: an address, or an API key. */
  readonly key: string;
  /** Null: only the client's share of the directory limits its look-ups. */
  readonly budget: ClientBudget | null;
}

/** Clients with these keys are jobs. They yield to all other clients. No address begins like this. */
const YIELDING = 'job:';
const LARGE_JOB = `${YIELDING}much:`;

/**
 * The key of a client that yields. The share of a client with `much` work is a quarter of the share with `little` work.
 */
export function yieldingKey(name: string, work: 'little' | 'much'): string {
  return (work === 'much' ? LARGE_JOB : YIELDING) + name;
}

export function yieldsToOthers(clientKey: string): boolean {
  return clientKey.startsWith(YIELDING);
}

/** The share of a client, relative to a client of weight 1. */
export function weightOf(clientKey: string): number {
  return clientKey.startsWith(LARGE_JOB) ? 1 / 4 : 1;
}

/** How many look-ups without a cached answer a client may make in a period. */
export interface ClientBudget {
  /** Takes look-ups from the budget. If fewer are left, takes none and rejects with RATE_LIMITED. */
  take(lookUps: number): Promise<void>;
}

/** Look-ups that the gateway makes for itself. */
export const OWN_WORK: Requester = { requestId: 'gateway', client: { key: 'gateway', budget: null } };
