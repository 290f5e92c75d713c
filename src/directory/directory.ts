// The port: where handle records and Which RA answers come from.

import type { HandleName } from '../doi/name.ts';
import { ABSENT_LIFE_MS, LONGEST_LIFE_MS } from '../handle/freshness.ts';
import type { HandleRecord } from '../handle/record.ts';
import type { MetadataFormat } from '../metadata/metadata-format.ts';
import type { CslItem } from '../metadata/work.ts';
import type { Asker } from './asker.ts';
import type { Waiters } from './waiters.ts';

// A record under the name by which somebody asks for it.

const lastSpelled = new WeakMap<HandleRecord, HandleRecord>();

/** The record itself, or a copy in another spelling: one object for all who spell it like the last one did. */
export function spelledRecord(record: HandleRecord, name: HandleName): HandleRecord {
  if (record.handle === name) return record;
  const known = lastSpelled.get(record);
  if (known?.handle === name) return known;
  // A name that was cut from a request would keep the whole of it in memory.
  const handle = Buffer.from(name).toString() as HandleName;
  const copy = Object.freeze({ ...record, handle });
  lastSpelled.set(record, copy);
  return copy;
}

export interface Directory {
  readonly description: DirectoryDescription;

  /** how many requests to it run at a time, at the most; left out: it makes none */
  readonly requestsAtOnce?: number;

  /**
   * The record of one name. Absent is an answer (status HANDLE_NOT_FOUND), and so is the directory's own
   * error (status ERROR). Rejects with a GatewayError (UPSTREAM_…) when there is no answer to be had, or
   * with the signal's reason once that is aborted.
   */
  resolve(name: HandleName, options?: ResolveOptions): Promise<HandleRecord>;

  /**
   * The registration agency of each name, a promise a name and in their order, so that a slow or failing
   * part of a batch does not hold back the rest. Rejections as for `resolve`.
   */
  whichRa(names: readonly HandleName[], options?: AskOptions): readonly Promise<WhichRaAnswer>[];

  /**
   * Counts the Which RA requests of one operation, as if nothing were in memory: is told of its names one after
   * the other, and says whether a name begins a new request. Where there is none, all names go in one request.
   */
  whichRaMeter?(): WhichRaMeter;

  /**
   * The record of a name where it can be told at once, without waiting for anything. As long as memory holds the
   * same answer it is the same object, the record in the spelling of whoever asked first; another one when the
   * answer is replaced or becomes stale. To peek counts as no look-up: `countPeeks` does.
   */
  peekRecord?(name: HandleName): HeldAnswer<HandleRecord> | undefined;

  /** The agency of a name, likewise. Several names may share one answer. */
  peekWhichRa?(name: HandleName): HeldAnswer<WhichRaAnswer> | undefined;

  /** Counts, for the metrics, answers that were peeked at and given out. */
  countPeeks?(kind: 'record' | 'agency' | 'metadata', stale: boolean, count: number): void;

  /** What is peeked into; left out: each answer has to be asked whether it is live. */
  readonly memory?: DirectoryMemory;

  /**
   * What the agency of a name knows of the work, by content negotiation. That it has nothing in this format is an
   * answer. Rejects as `resolve` does. Left out where metadata is off.
   */
  describe?(name: HandleName, format: MetadataFormat, options?: AskOptions): Promise<MetadataAnswer>;

  /** The same as far as it can be told at once, as for `peekRecord`. */
  peekMetadata?(name: HandleName, format: MetadataFormat): HeldAnswer<MetadataAnswer> | undefined;

  /** Whether it can be asked just now, told from what is known. */
  status(): DirectoryStatus;

  /** Lets go of connections. Nothing may be asked afterwards. */
  close(): Promise<void>;
}

/** An answer that memory holds. It knows itself whether it still does: nobody has to look for it by its name again. */
export interface HeldAnswer<Answer> {
  readonly answer: Answer;
  /** Whether it is not stale, and to peek would give it again. To ask is a use of it, as to peek is. */
  isLive(): boolean;
  /** Once it is live it stays so from here on, */
  readonly settledFrom: number;
  /** until then, and while the turnover of memory is the same. Both are milliseconds since the epoch. */
  readonly settledUntil: number;
}

export interface DirectoryMemory {
  /** Another number whenever memory has let go of an answer, or its uses are counted anew. */
  readonly turnover: number;
  /** milliseconds since the epoch, by the clock that ends the lives of answers */
  now(): number;
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** left out: the gateway itself */
  readonly asker?: Asker | undefined;
  /** where several may wait for the same look-up: it ends when they give it up, with the signal or without */
  readonly waiters?: Waiters | undefined;
}

export interface ResolveOptions extends AskOptions {
  /** ask an authoritative server, past every cache */
  readonly auth?: boolean;
  /** have the directory authenticate what the server says */
  readonly cert?: boolean;
}

export type WhichRaMeter = (name: HandleName) => boolean;

/** What is said of a name. `agency` is a label of the directory's, from an open set: `Crossref`, `DataCite`, … */
export type WhichRaVerdict =
  | { readonly status: 'FOUND'; readonly agency: string }
  | { readonly status: 'INVALID_DOI' | 'DOES_NOT_EXIST' | 'UNKNOWN'; readonly agency: null };

export type WhichRaStatus = WhichRaVerdict['status'];

/** A verdict, and until when it may be believed. */
export type WhichRaAnswer = WhichRaVerdict & {
  /** milliseconds since the epoch */
  readonly freshUntil: number;
  /** given although past `freshUntil` */
  readonly stale: boolean;
};

export interface MetadataAnswer {
  /** an object for `csl`, plain text for the others, null where the agency has none; frozen */
  readonly content: CslItem | string | null;
  /** the agency's label where its service is known, else the host that answered; empty where content is null */
  readonly source: string;
  /** milliseconds since the epoch */
  readonly fetchedAt: number;
  /** milliseconds since the epoch */
  readonly freshUntil: number;
  /** given although past `freshUntil` */
  readonly stale: boolean;
}

export interface DirectoryStatus {
  /** false while requests are held back, because it is ill or those before them were too many */
  readonly available: boolean;
  /** whether it has answered since the start */
  readonly reached: boolean;
  /** what the last probe met; left out: it was answered, or nothing is known yet */
  readonly problem?: DirectoryProblem;
}

/** All but OUTAGE come from a mistyped URL or a certificate that this host does not trust, and stay until that changes. */
export type DirectoryProblem = 'OUTAGE' | 'HOST_NOT_FOUND' | 'CERTIFICATE_REFUSED' | 'NO_HANDLE_API';

export interface DirectoryDescription {
  readonly kind: 'EMBEDDED' | 'PROXY';
  readonly baseUrls: readonly string[];
  /** how many records there are, where that is known */
  readonly records: number | null;
  /** whether they are the sample that comes with the gateway: what it lacks may well be registered */
  readonly isSample?: boolean;
  /** one sentence for people */
  readonly description: string;
}

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** What the Which RA service said just now: its answers come without a word on how long they hold. */
export function createWhichRaAnswer(verdict: WhichRaVerdict, answeredAt: number): WhichRaAnswer {
  const lifeMs = verdict.status === 'DOES_NOT_EXIST' ? ABSENT_LIFE_MS : LONGEST_LIFE_MS;
  return Object.freeze({ ...verdict, freshUntil: answeredAt + lifeMs, stale: false });
}
