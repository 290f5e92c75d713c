// The port of every directory: it looks up handle records, agencies and metadata by name.

import type { HandleName } from 'doi-names';
import type { GatewayError } from '../errors.ts';
import type { HandleRecord } from '../handle/record.ts';
import { LIFETIMES } from '../lifetimes.ts';
import type { MetadataFormat } from '../works/metadata-format.ts';
import type { CslItem, WorkHistory } from '../works/work.ts';
import type { Requester } from './requester.ts';
import type { Waiters } from './waiters.ts';

const lastCopy = new WeakMap<HandleRecord, HandleRecord>();

/** Returns the record with the caller's spelling of its name. A copy is kept for the next call. */
export function spelledRecord(record: HandleRecord, name: HandleName): HandleRecord {
  if (record.handle === name) return record;
  const known = lastCopy.get(record);
  if (known?.handle === name) return known;
  // Copies the text, because a substring of a request body keeps the whole body in memory.
  const handle = Buffer.from(name).toString() as HandleName;
  const copy = Object.freeze({ ...record, handle });
  lastCopy.set(record, copy);
  return copy;
}

export interface Directory {
  readonly description: DirectoryDescription;

  /** Maximum number of requests at the same time. Missing if the directory sends no requests. */
  readonly maxRequests?: number;

  /**
   * Looks up the record of one name. "Absent" (HANDLE_NOT_FOUND) and an error that the directory reports (ERROR) are
   * answers. Rejects with a GatewayError (UPSTREAM_…) if there is no answer, or with the signal's reason.
   */
  resolve(name: HandleName, options?: ResolveOptions): Promise<HandleRecord>;

  /**
   * Looks up the registration agency of each name. Returns one promise for each name, in the same order, so that a failed
   * request does not affect the other names. Each promise rejects for the same reasons as `resolve`.
   */
  whichRa(names: readonly HandleName[], options?: LookUpOptions): readonly Promise<WhichRaAnswer>[];

  /** Makes a function for one batch of Which RA look-ups. Missing: all names fit in one request. */
  createBeginsRequest?(): BeginsRequest;

  /** The answers that can be read without a wait. Missing if the directory keeps no answers in memory. */
  readonly memory?: DirectoryMemory;

  /** Looks up the metadata of a work. "No metadata in this format" is an answer. Missing if metadata is off. */
  describe?(name: HandleName, format: MetadataFormat, options?: DescribeOptions): Promise<MetadataAnswer>;

  /** Number of metadata look-ups that can run together and share requests. Missing: each look-up has its own requests. */
  readonly maxMetadataLookUps?: number;

  /** Whether `describe` finds the works that references in words describe (the format `match`). Default: false. */
  readonly matchesReferences?: boolean;

  /** Whether a request for metadata to the service at this URL would wait or fail now. Default: false. */
  isServiceBusy?(url: string): boolean;

  /** Whether look-ups can be made now. Sends no request. */
  status(): DirectoryStatus;

  /** Closes all connections. The caller must not call any method afterwards. */
  close(): Promise<void>;
}

/** An answer in memory. The caller can check that the answer is still current, without a new search by name. */
export interface KeptAnswer<Answer> {
  readonly answer: Answer;
  /** Whether the answer is fresh and still in memory. The memory counts each call as a use of the answer. */
  isCurrent(): boolean;
  /** Until `generation` changes, the answer is current between these times, in milliseconds since 1970. */
  readonly noCheckFrom: number;
  readonly noCheckUntil: number;
}

/** The answers in memory. The metrics do not count an answer that is read, until the caller calls `count`. */
export interface DirectoryMemory {
  /** Returns the same object until the answer is replaced or stale. The record has the spelling of the first look-up. */
  record(name: HandleName): KeptAnswer<HandleRecord> | undefined;
  /** The agency of a name. Several names can share one answer. */
  agency(name: HandleName): KeptAnswer<WhichRaAnswer> | undefined;
  /** Missing if metadata is off. */
  metadata?(name: HandleName, format: MetadataFormat): KeptAnswer<MetadataAnswer> | undefined;
  /** Counts answers that were read and used, for the metrics. Default: they are not counted. */
  count?(kind: 'record' | 'agency' | 'metadata', isStale: boolean, count: number): void;
  /** Changes when memory drops an answer, and when readers must mark again each answer that they use. */
  readonly generation: number;
  /** Milliseconds since 1970, from the clock that decides which answers are fresh. */
  now(): number;
}

export interface LookUpOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default: the gateway itself. */
  readonly requester?: Requester | undefined;
  /** The clients that wait for a shared look-up. When all have left, it is aborted. If set, `signal` has no effect. */
  readonly waiters?: Waiters | undefined;
}

export interface DescribeOptions extends LookUpOptions, NoRequest {
  /** The agency of the name or of its prefix. Default: the directory looks up the agency. */
  readonly agency?: Promise<WhichRaAnswer> | undefined;
}

export interface NoRequest {
  /** If set, the directory sends no request. A look-up that no cache can answer fails with this error. */
  readonly noRequest?: GatewayError | undefined;
}

export interface ResolveOptions extends LookUpOptions, NoRequest {
  /** whether to look up at an authoritative server, without any cache */
  readonly auth?: boolean;
  /** whether the directory must authenticate the server's response */
  readonly cert?: boolean;
}

/** Must be called once for each name, in order. Returns whether the name begins a new request. */
export type BeginsRequest = (name: HandleName) => boolean;

/** The agency of a name. `agency` is the directory's label, such as `Crossref`. New labels can appear. */
export type WhichRaVerdict =
  | { readonly status: 'FOUND'; readonly agency: string }
  | { readonly status: 'INVALID_DOI' | 'DOES_NOT_EXIST' | 'UNKNOWN'; readonly agency: null };

export type WhichRaStatus = WhichRaVerdict['status'];

export type WhichRaAnswer = WhichRaVerdict & {
  /** milliseconds since 1970 */
  readonly fetchedAt: number;
  /** milliseconds since 1970 */
  readonly freshUntil: number;
  /** whether the answer was returned after `freshUntil` */
  readonly stale: boolean;
};

export interface MetadataAnswer {
  /** Frozen. An object for `csl`, text for the other formats. Null if the agency has no metadata. */
  readonly content: CslItem | string | null;
  /** The agency that has no such work. If only the agency of the prefix is known, the name can have moved to another agency. */
  readonly noWorkAt?: string;
  /** Updates and relations of the work. Missing if the metadata came by content negotiation. */
  readonly history?: WorkHistory | undefined;
  /** The agency's label, or the host that responded if its agency is unknown. Empty if `content` is null. */
  readonly source: string;
  /** milliseconds since 1970 */
  readonly fetchedAt: number;
  /** milliseconds since 1970 */
  readonly freshUntil: number;
  /** whether the answer was returned after `freshUntil` */
  readonly stale: boolean;
}

export interface DirectoryStatus {
  /** false while all circuits are open, after failures or a 429 */
  readonly available: boolean;
  /** whether the directory has answered since the start */
  readonly reached: boolean;
  /** The failure of the last probe. Missing if the directory answered, or if there is no result yet. */
  readonly problem?: DirectoryProblem;
}

/** An OUTAGE can end without the operator. For the other problems, the operator must change the URL or the certificate. */
export type DirectoryProblem = 'OUTAGE' | 'HOST_NOT_FOUND' | 'CERTIFICATE_REFUSED' | 'NO_HANDLE_API';

export interface DirectoryDescription {
  readonly kind: 'EMBEDDED' | 'PROXY';
  readonly baseUrls: readonly string[];
  /** the number of records; null if unknown */
  readonly records: number | null;
  /** whether the records are the bundled sample, which has only some of the registered names */
  readonly isSample?: boolean;
  /** one sentence for people */
  readonly description: string;
}

/** Makes an answer from a verdict. The Which RA service gives no TTL, so the gateway sets the fresh time. */
export function createWhichRaAnswer(verdict: WhichRaVerdict, answeredAt: number): WhichRaAnswer {
  const lifeMs = verdict.status === 'DOES_NOT_EXIST' ? LIFETIMES.absentAgency : LIFETIMES.agency;
  return Object.freeze({ ...verdict, fetchedAt: answeredAt, freshUntil: answeredAt + lifeMs, stale: false });
}
