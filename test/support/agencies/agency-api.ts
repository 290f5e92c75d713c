// The types of the fake APIs of the agencies.

import type { IncomingHttpHeaders } from 'node:http';

/** A request as an API understands it. */
export interface AgencyRequest {
  readonly kind: 'list' | 'single';
  /** the names as the request spells them */
  readonly names: readonly string[];
  /** the words of a search; a search has no names */
  readonly words?: string;
  /** members of an entry that are in the response; null: all */
  readonly members: ReadonlySet<string> | null;
  /** the maximum number of entries in the response */
  readonly rows: number;
  /** left out: the API accepts the request */
  readonly refusal?: Refusal;
}

export interface Refusal {
  readonly response: AgencyResponse;
  /** whether the documentation forbids such a request */
  readonly isAvoidable: boolean;
}

export interface AgencyResponse {
  readonly status: number;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** text is sent unchanged, every other value as JSON */
  readonly body: unknown;
}

/** An entry of a list, as it is in the JSON. */
export type Entry = Readonly<Record<string, unknown>>;

export interface Limit {
  readonly pool: string;
  readonly requests: number;
  readonly seconds: number;
  /** requests at the same time */
  readonly concurrency: number;
  /** sent with each response */
  readonly headers: Readonly<Record<string, string>>;
}

export interface AgencyApi {
  readonly name: 'crossref' | 'datacite';
  limit(kind: AgencyRequest['kind'], headers: IncomingHttpHeaders): Limit;
  read(target: string): AgencyRequest;
  entries(request: AgencyRequest): Entry[];
  /** The response to an accepted request. */
  respond(request: AgencyRequest, entries: readonly Entry[]): AgencyResponse;
  /** The refusal of a whole list because of one name. Null: the refusal does not say which name. */
  refusal(name: string | null): AgencyResponse;
  nameOf(entry: Entry): string;
  /** The same entry with a fault; null: this API never has the fault. */
  faulty(entry: Entry, fault: EntryFault, other: string): Entry | null;
}

/**
 * OTHER_NAME: the DOI of the entry is the other name. ABOUT_ANOTHER: the entry describes an update of the other name.
 * COPY: the entry is a copy of another agency. HIDDEN: the state of the entry is not findable.
 */
export type EntryFault = 'OTHER_NAME' | 'ABOUT_ANOTHER' | 'COPY' | 'HIDDEN';

export function isIdentified({ 'user-agent': agent = '' }: IncomingHttpHeaders): boolean {
  return agent.includes('mailto:');
}

export function avoidable(response: AgencyResponse): Refusal {
  return { response, isAvoidable: true };
}

export function html(status: number, text: string): AgencyResponse {
  return { status, type: 'text/html', body: `<html><h1>${text}</h1></html>` };
}
