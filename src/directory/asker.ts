// On whose behalf the directory is asked.

import type { Span } from '../tracing/tracer.ts';

/** One request of a client. What is asked for it comes out of the client's share of the directory. */
export interface Asker {
  /** of the request: short and plain, for the log and for whoever follows it */
  readonly requestId: string;
  readonly client: Client;
  /** counts what the request costs; undefined where nobody wants to know */
  readonly tally?: LookUpTally | undefined;
  /** where what is asked for it stands in a trace; undefined where it is not traced */
  readonly span?: Span | undefined;
  /** what it is asked for together with; left out: it is asked for by itself */
  readonly batch?: LookUpBatch | undefined;
}

/** Look-ups that were asked for together. Some of them begin later, but all of them have one deadline. */
export interface LookUpBatch {
  /** the directory's own: when the first of them began, by its clock */
  begunAt: number | undefined;
}

export type AnsweredBy = 'memory' | 'shared' | 'stale' | 'directory';

/** What one request asked for, and what answered it. */
export interface LookUpTally {
  /** look-ups that were asked for, however they end */
  asked(lookUps: number): void;
  /** Look-ups that fail are answered by nothing. */
  answered(by: AnsweredBy, lookUps: number): void;
  /** a request that was sent to the directory, for this request before others that wait for it as well */
  sent(): void;
}

/** The same asker, for look-ups that are asked for together. */
export function askerOfBatch(asker: Asker, span: Span | undefined): Asker {
  const { requestId, tally } = asker;
  return {
    requestId,
    tally,
    span,
    batch: { begunAt: undefined },
    // Found out when it first matters.
    get client() {
      return asker.client;
    },
  };
}

export interface Client {
  /** Requests with the same key come from the same client: an address, or an API key. */
  readonly key: string;
  /** null: it may ask as much as its share allows */
  readonly budget: ClientBudget | null;
}

/** Clients whose keys begin so give way to all others: nobody waits for their answers. No address begins so. */
const GIVES_WAY = 'job:';
const ASKS_MUCH = `${GIVES_WAY}much:`;

/** The key of a client that gives way. Who asks `much` has a quarter of what another has that gives way. */
export function givingWay(name: string, asks: 'little' | 'much'): string {
  return (asks === 'much' ? ASKS_MUCH : GIVES_WAY) + name;
}

export function givesWay(clientKey: string): boolean {
  return clientKey.startsWith(GIVES_WAY);
}

/** How much a client has beside another of weight 1. */
export function weightOf(clientKey: string): number {
  return clientKey.startsWith(ASKS_MUCH) ? 1 / 4 : 1;
}

/** Look-ups that neither memory nor a shared cache can answer, in a time. */
export interface ClientBudget {
  /** Rejects with RATE_LIMITED, and takes none, where there are not that many left. */
  take(lookUps: number): Promise<void>;
}

/** What the gateway asks for of its own accord. */
export const OWN_WORK: Asker = { requestId: 'gateway', client: { key: 'gateway', budget: null } };
