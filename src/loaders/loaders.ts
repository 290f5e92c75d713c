// The loaders of one request: the look-ups that resolvers and the REST pages may make.

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
 * Each loader may fail with TOO_MANY_LOOKUPS.
 */
export interface Loaders {
  /** The record of a name. `handle` has the spelling of this call. Fails as `Directory.resolve` does. */
  record(name: HandleName, freshness?: Freshness): Soon<HandleRecord>;
  /** Like `record`, but fails with UPSTREAM_UNAVAILABLE if the directory answers with an error (status ERROR). */
  answeredRecord(name: HandleName, freshness?: Freshness): Soon<HandleRecord>;
  /** Follows the aliases of a name. Fails as `answeredRecord` does, or with ALIAS_LOOP. */
  aliasChain(name: HandleName, freshness?: Freshness): Soon<AliasChain>;
  /** The record and the prefix that decide where a name leads. Fails as `aliasChain` does. */
  resolved(name: HandleName, options?: ResolvedOptions): Soon<Resolved>;
  /** Fails as `Directory.whichRa` does. */
  whichRa(name: HandleName): Soon<WhichRaAnswer>;
  /** Fails as `Directory.describe` does, or with METADATA_OFF. */
  metadata(name: HandleName, format: MetadataFormat, options?: MetadataOptions): Soon<MetadataAnswer>;
}

export type MetadataOptions = Pick<DescribeOptions, 'mayRequest'>;

/** For the executor, which remembers items. Resolvers do not use these methods. */
export interface TrackingLoaders extends Loaders {
  /**
   * Starts to collect the answers of memory. Call the returned function to get them as evidence. It returns null if the
   * item must not be remembered: a look-up failed, its answer was not in memory, stale or an ERROR, it had auth or cert,
   * or `expiry.mustNotBeCached` was called. Calls may be nested; the outer call also gets the evidence of the inner call.
   */
  track(): () => Evidence | null;
  /**
   * Whether memory still has the same answers, none of them is stale, and the budget allows all of them. If so, counts
   * them as look-ups, for the budget, the expiry and the metrics. If not, counts nothing.
   */
  stillHolds(evidence: Evidence): boolean;
}

export interface LoadersOptions {
  readonly directory: Directory;
  readonly requester?: Requester | undefined;
  /** returns the signal that aborts all look-ups of the request; called at the first look-up that memory cannot answer */
  readonly signal: () => AbortSignal;
  /** the limit of different look-ups; each record counts one, and each Which RA request counts one */
  readonly maxLookups: number;
  /** the limit of metadata look-ups, one for each name and format; default: `maxLookups` */
  readonly maxMetadata?: number;
  /** gets the expiry of each value that the loaders return */
  readonly expiry?: AnswerExpiry;
  /** decides when look-ups that memory cannot answer are sent; default: at the end of the tick */
  readonly gate?: Gate | undefined;
  /** resolves in a later turn of the event loop; default: in the next turn */
  readonly nextTurn?: () => Promise<void>;
  /** reserves memory for large records that the cache does not already hold; default: no reservation */
  readonly work?: Work;
}
