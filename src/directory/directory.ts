// The port: handle records, agencies and metadata by name.

import type { HandleName } from '../doi/name.ts';
import type { HandleRecord } from '../handle/record.ts';
import { ABSENT_LIFE_MS, LONGEST_LIFE_MS } from '../handle/value.ts';
import type { MetadataFormat } from '../metadata/metadata-format.ts';
import type { CslItem } from '../metadata/work.ts';
import type { WorkHistory } from '../metadata/work-history.ts';
import type { Requester } from './requester.ts';
import type { Waiters } from './waiters.ts';

const lastSpelled = new WeakMap<HandleRecord, HandleRecord>();

/** The record, or a copy with the name in another spelling. Callers with the same spelling in a row share the copy. */
export function spelledRecord(record: HandleRecord, name: HandleName): HandleRecord {
  if (record.handle === name) return record;
  const known = lastSpelled.get(record);
  if (known?.handle === name) return known;
  // A name that was cut from a request body would keep the whole body in memory.
  const handle = Buffer.from(name).toString() as HandleName;
  const copy = Object.freeze({ ...record, handle });
  lastSpelled.set(record, copy);
  return copy;
}

export interface Directory {
  readonly description: DirectoryDescription;

  /** requests that run at the same time, at most; left out: it makes none */
  readonly maxRequests?: number;

  /**
   * The record of one name. Absent (status HANDLE_NOT_FOUND) is an answer, and so is an error that the directory
   * reports (status ERROR). Rejects with a GatewayError (UPSTREAM_…) if there is no answer, or with the signal's reason.
   */
  resolve(name: HandleName, options?: ResolveOptions): Promise<HandleRecord>;

  /**
   * The registration agency of each name: one promise for each name, in their order, so that a slow or failing part of
   * a batch does not delay the others. Rejects as `resolve` does.
   */
  whichRa(names: readonly HandleName[], options?: LookUpOptions): readonly Promise<WhichRaAnswer>[];

  /**
   * Counts the Which RA requests of one operation, as if nothing were in memory. It gets the names one after the other
   * and returns whether a name begins a new request. Left out: all names fit in one request.
   */
  whichRaPacking?(): BeginsRequest;

  /** What can be read without any wait; left out: nothing. */
  readonly memory?: DirectoryMemory;

  /**
   * What the agency of a name knows of the work, by its own API or by content negotiation. That it has nothing in this
   * format is an answer. Rejects as `resolve` does. Left out where metadata is off.
   */
  describe?(name: HandleName, format: MetadataFormat, options?: DescribeOptions): Promise<MetadataAnswer>;

  /**
   * Look-ups of metadata that one operation begins before the first has ended, so that requests for many names are full.
   * Left out: metadata comes by content negotiation, and each look-up is a request.
   */
  readonly maxWorks?: number;

  /**
   * Whether a request for metadata would wait or fail now: the directory or the agency's service at this URL is held
   * back, or its rate is used up. Left out: never.
   */
  isServiceBusy?(url: string): boolean;

  /** Whether look-ups can be made now, without a request to find out. */
  status(): DirectoryStatus;

  /** Closes connections. No look-up may follow. */
  close(): Promise<void>;
}

/** An answer in memory. It knows whether memory still has it, so callers need not look it up by its name again. */
export interface KeptAnswer<Answer> {
  readonly answer: Answer;
  /** Whether it is not stale, and to peek would give it again. To ask is a use of it, as to peek is. */
  isCurrent(): boolean;
  /** Once it is live it stays so from here on, */
  readonly uncheckedFrom: number;
  /** until then, and while memory has the same generation. Both are milliseconds since the epoch. */
  readonly uncheckedUntil: number;
}

/** The answers in memory. To read one counts as no look-up: `count` counts it. */
export interface DirectoryMemory {
  /**
   * As long as memory keeps the answer, this returns the same object, with the record in the spelling of the first
   * look-up. It returns another object when the answer is replaced or becomes stale.
   */
  record(name: HandleName): KeptAnswer<HandleRecord> | undefined;
  /** The agency of a name, likewise. Several names may share one answer. */
  agency(name: HandleName): KeptAnswer<WhichRaAnswer> | undefined;
  /** Left out where metadata is off. */
  metadata?(name: HandleName, format: MetadataFormat): KeptAnswer<MetadataAnswer> | undefined;
  /** Counts, for the metrics, answers that were read and used; left out: there are no such metrics. */
  count?(kind: 'record' | 'agency' | 'metadata', stale: boolean, count: number): void;
  /** Changes whenever memory drops an answer, or starts a new period of counting uses. */
  readonly generation: number;
  /** milliseconds since the epoch, by the clock that ends the lives of answers */
  now(): number;
}

export interface LookUpOptions {
  readonly signal?: AbortSignal | undefined;
  /** left out: the gateway itself */
  readonly requester?: Requester | undefined;
  /** for a look-up that several may wait for: it ends when all have left */
  readonly waiters?: Waiters | undefined;
}

export interface DescribeOptions extends LookUpOptions {
  /** called before a request is needed; false: then only an answer in a cache counts */
  readonly mayRequest?: (() => boolean) | undefined;
  /**
   * The agency of the name, from a cache if it has it. `exact`: not by its prefix, because a name may have moved to
   * another agency. Left out: the directory looks it up.
   */
  readonly agency?: ((exact: boolean) => Promise<WhichRaAnswer>) | undefined;
}

export interface ResolveOptions extends LookUpOptions {
  /** look up at an authoritative server, past every cache */
  readonly auth?: boolean;
  /** have the directory authenticate the server's response */
  readonly cert?: boolean;
}

export type BeginsRequest = (name: HandleName) => boolean;

/** The agency of a name. `agency` is a label of the directory, from an open set: `Crossref`, `DataCite`, … */
export type WhichRaVerdict =
  | { readonly status: 'FOUND'; readonly agency: string }
  | { readonly status: 'INVALID_DOI' | 'DOES_NOT_EXIST' | 'UNKNOWN'; readonly agency: null };

export type WhichRaStatus = WhichRaVerdict['status'];

/** A verdict, and how long it is fresh. */
export type WhichRaAnswer = WhichRaVerdict & {
  /** milliseconds since the epoch */
  readonly freshUntil: number;
  /** returned although past `freshUntil` */
  readonly stale: boolean;
};

export interface MetadataAnswer {
  /** an object for `csl`, plain text for the other formats, null if the agency has none; frozen */
  readonly content: CslItem | string | null;
  /** of `csl` that came from the agency's own API; left out: it came by content negotiation */
  readonly history?: WorkHistory | undefined;
  /** the agency's label if its service is known, else the host that answered; empty if content is null */
  readonly source: string;
  /** milliseconds since the epoch */
  readonly fetchedAt: number;
  /** milliseconds since the epoch */
  readonly freshUntil: number;
  /** returned although past `freshUntil` */
  readonly stale: boolean;
}

export interface DirectoryStatus {
  /** false while requests are held back, after failures or a 429 */
  readonly available: boolean;
  /** whether it has answered since the start */
  readonly reached: boolean;
  /** of the last probe; left out: it was answered, or there is no result yet */
  readonly problem?: DirectoryProblem;
}

/** All but OUTAGE come from a wrong URL or an untrusted certificate, and last until the operator changes that. */
export type DirectoryProblem = 'OUTAGE' | 'HOST_NOT_FOUND' | 'CERTIFICATE_REFUSED' | 'NO_HANDLE_API';

export interface DirectoryDescription {
  readonly kind: 'EMBEDDED' | 'PROXY';
  readonly baseUrls: readonly string[];
  /** the number of records; null if unknown */
  readonly records: number | null;
  /** whether the records are the bundled sample: other names may be registered too */
  readonly isSample?: boolean;
  /** one sentence for people */
  readonly description: string;
}

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** An answer that has just come from the Which RA service, whose responses have no TTL. */
export function createWhichRaAnswer(verdict: WhichRaVerdict, answeredAt: number): WhichRaAnswer {
  const lifeMs = verdict.status === 'DOES_NOT_EXIST' ? ABSENT_LIFE_MS : LONGEST_LIFE_MS;
  return Object.freeze({ ...verdict, freshUntil: answeredAt + lifeMs, stale: false });
}
