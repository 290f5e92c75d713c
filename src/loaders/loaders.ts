// The loaders of one request: the look-ups that resolvers and the REST interface can make.

import type { DescribeOptions, Directory, MetadataAnswer, WhichRaAnswer } from '../directory/directory.ts';
import type { Requester } from '../directory/requester.ts';
import type { HandleName } from '../doi/name.ts';
import type { HandleRecord } from '../handle/record.ts';
import type { MetadataFormat } from '../metadata/metadata-format.ts';
import type { Soon } from '../time.ts';
import type { AnswerExpiry } from './answer-expiry.ts';
import type { Freshness, Gate } from './batches.ts';
import type { Evidence } from './evidence.ts';
import type { AliasChain } from './follow-aliases.ts';
import type { Work } from './record-bytes.ts';
import type { Resolved, ResolvedOptions } from './resolve-name.ts';

export type { Freshness } from './batches.ts';

/**
 * Each loader returns the answer itself if memory has it, else a promise. A failure is thrown, or rejects the promise.
 * Each loader can fail with TOO_MANY_LOOKUPS.
 */
export interface Loaders {
  /** The record of a name. Its `handle` has the spelling of this call. Fails for the same reasons as `Directory.resolve`. */
  record(name: HandleName, freshness?: Freshness): Soon<HandleRecord>;
  /** The record of a name. Fails like `record`, and with UPSTREAM_UNAVAILABLE for a record with the status ERROR. */
  answeredRecord(name: HandleName, freshness?: Freshness): Soon<HandleRecord>;
  /** Follows the aliases of a name. Fails if `answeredRecord` fails, or with ALIAS_LOOP. */
  aliasChain(name: HandleName, freshness?: Freshness): Soon<AliasChain>;
  /** The record and the prefix that decide where a name leads. Fails if `aliasChain` fails. */
  resolved(name: HandleName, options?: ResolvedOptions): Soon<Resolved>;
  /** Fails for the same reasons as `Directory.whichRa`. */
  whichRa(name: HandleName): Soon<WhichRaAnswer>;
  /** Fails for the same reasons as `Directory.describe`, or with METADATA_OFF. */
  metadata(name: HandleName, format: MetadataFormat, options?: MetadataOptions): Soon<MetadataAnswer>;
}

export type MetadataOptions = Pick<DescribeOptions, 'mayRequest'>;

/** Loaders with methods for the executor, which remembers items. Resolvers do not use these methods. */
export interface TrackingLoaders extends Loaders {
  /**
   * Starts to collect the answers that come from memory. The returned function ends this and returns them as evidence. It
   * returns null if the item must not be remembered: an answer was not in memory, or it was stale or an ERROR; a look-up
   * failed, or had `auth` or `cert`; or `expiry.mustNotBeCached` was called. Calls can be nested: the outer call also gets
   * the evidence of the inner call.
   */
  track(): () => Evidence | null;
  /**
   * Returns whether memory still has the same answers, none of them is stale, and the budget allows all of them. If so,
   * counts them as look-ups for the budget and the metrics, and includes them in the expiry.
   */
  stillHolds(evidence: Evidence): boolean;
}

export interface LoadersOptions {
  readonly directory: Directory;
  readonly requester?: Requester | undefined;
  /** Returns the signal that aborts all look-ups of the request. Called at the first look-up that memory cannot answer. */
  readonly signal: () => AbortSignal;
  /** the most different look-ups: records and Which RA requests together */
  readonly maxLookups: number;
  /** the most metadata look-ups, one for each name and format; default: `maxLookups` */
  readonly maxMetadata?: number;
  /** gets each value that the loaders return */
  readonly expiry?: AnswerExpiry;
  /** decides when look-ups that memory cannot answer are sent; default: at the end of the tick */
  readonly gate?: Gate | undefined;
  /** resolves in a later turn of the event loop; default: in the next turn */
  readonly nextTurn?: () => Promise<void>;
  /** reserves memory for large records that are not in the cache; default: no reservation */
  readonly work?: Work;
}
