// The client request for which the gateway makes look-ups.

import type { HandleName } from 'doi-names';
import type { Span } from '../tracing/tracer.ts';

/** A client request. Its look-ups use the client's share of the directory. */
export interface Requester {
  /** a short text for the log */
  readonly requestId: string;
  readonly client: Client;
  /** Counts the look-ups of the request. Default: they are not counted. */
  readonly tally?: LookUpTally | undefined;
  /** The parent of the look-ups in a trace. Default: no trace. */
  readonly span?: Span | undefined;
  /** The batch whose look-ups share one deadline. Default: each look-up has its own deadline. */
  readonly batch?: LookUpBatch | undefined;
  /** The names for which this operation has taken a look-up from the budget. Default: each look-up takes one. */
  readonly countedNames?: CountedNames | undefined;
}

/** By canonical name: rejects if the budget refused the look-up. */
export type CountedNames = Map<HandleName, Promise<void>>;

/** Look-ups that belong together. Some are sent later, but all have the deadline of the first look-up. */
export interface LookUpBatch {
  /** The time when the first look-up began. The directory sets it with its own clock. */
  begunAt: number | undefined;
  /** number of look-ups that have not begun yet */
  toCome: number;
}

/** The origin of an answer. `stale`: an expired answer from memory. `shared`: Redis. */
export type AnswerOrigin = 'memory' | 'shared' | 'stale' | 'directory';

/** Counts the look-ups of one client request, and the origins of their answers. */
export interface LookUpTally {
  /** Counts look-ups, also failed look-ups. */
  lookedUp(lookUps: number): void;
  /** Counts look-ups that did not fail. */
  answered(by: AnswerOrigin, lookUps: number): void;
  /** Counts a request to the directory. If several client requests share it, only the first of them counts it. */
  sent(): void;
}

/** Returns a copy of the requester, for the look-ups of one batch. */
export function requesterOfBatch(
  requester: Requester,
  span: Span | undefined,
  toCome = 0,
  countedNames: CountedNames | undefined = requester.countedNames,
): Requester {
  const { requestId, tally } = requester;
  return {
    requestId,
    tally,
    span,
    batch: { begunAt: undefined, toCome },
    countedNames,
    // A getter, because the gateway identifies a client at the first use of `client`.
    get client() {
      return requester.client;
    },
  };
}

/**
 * Makes the requester for look-ups of prefixes. They use no budget: many names share a prefix. They have their
 * own queue, so that they do not delay the client's look-ups of names.
 */
export function requesterOfPrefix({ requestId, span, client }: Requester): Requester {
  return { requestId, span, client: { ...client, key: `${client.key} (prefixes)`, budget: null } };
}

export interface Client {
  /** Identifies the client by its address or its API key. */
  readonly key: string;
  /** Null: only the client's share of the directory limits the client's look-ups. */
  readonly budget: ClientBudget | null;
  /**
   * The look-ups of a job yield to all other clients. After the first chunk of a job (`much`), its share of the directory is
   * a quarter of the share of other jobs. Default: the client is no job.
   */
  readonly job?: 'little' | 'much';
}

/** Limits the uncached look-ups of a client in a period. */
export interface ClientBudget {
  /** Takes look-ups from the budget. If too few are left, takes none and rejects with RATE_LIMITED. */
  take(lookUps: number): Promise<void>;
}

/** The requester of look-ups that the gateway makes for itself. */
export const GATEWAY_ITSELF: Requester = { requestId: 'gateway', client: { key: 'gateway', budget: null } };
