// The look-ups of one request, as resolvers and faces make them.

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
 * Each answer is there at once where memory has it, and a promise of it where it has not. What fails does so in
 * the same two ways: it is thrown, TOO_MANY_LOOKUPS above all, or rejects the promise.
 */
export interface Loaders {
  /** The record of a name, `handle` in the spelling of this call. Fails as `Directory.resolve` does, or with TOO_MANY_LOOKUPS. */
  record(name: HandleName, freshness?: Freshness): Soon<HandleRecord>;
  /** The same, but fails with UPSTREAM_UNAVAILABLE where the directory's own answer is that it failed. */
  answeredRecord(name: HandleName, freshness?: Freshness): Soon<HandleRecord>;
  /** What a name's aliases lead to. Fails with ALIAS_LOOP, else as `answeredRecord` does. */
  aliasChain(name: HandleName, freshness?: Freshness): Soon<AliasChain>;
  /** What a redirect of a name depends on. Fails as `aliasChain` does, or as `answeredRecord` does without aliases. */
  resolved(name: HandleName, options?: ResolvedOptions): Soon<Resolved>;
  /** Fails as `Directory.whichRa` does, or with TOO_MANY_LOOKUPS. */
  whichRa(name: HandleName): Soon<WhichRaAnswer>;
  /** Fails as `Directory.describe` does, with TOO_MANY_LOOKUPS, or with METADATA_OFF. */
  metadata(name: HandleName, format: MetadataFormat, options?: MetadataOptions): Soon<MetadataAnswer>;
}

export type MetadataOptions = Pick<DescribeOptions, 'mayRequest'>;

/** For the executor, which remembers items: resolvers have no use for it. */
export interface TrackingLoaders extends Loaders {
  /**
   * Begins to note what memory answers. The function it returns ends the note and gives what was used; null where
   * that is not all, or will not hold: something memory did not have, that was stale or an ERROR, asked for with
   * auth or cert, or failed; or where `expiry.mustNotBeCached` was called. A note within another ends before it, and what
   * it has is in both.
   */
  track(): () => Evidence | null;
  /**
   * Whether memory still gives the same answers, none of them is stale, and the budget allows all of them. If so, they
   * count as look-ups for the budget, the lifetime of the response and the metrics. If not, nothing counts: the
   * look-ups that follow show which of them exceeds the budget.
   */
  stillHolds(evidence: Evidence): boolean;
}

export interface LoadersOptions {
  readonly directory: Directory;
  readonly requester?: Requester | undefined;
  /** gives the signal with which all look-ups of the request end; called when something has to be waited for */
  readonly signal: () => AbortSignal;
  /** distinct look-ups, at most: a record counts one, and a Which RA request counts one */
  readonly maxLookups: number;
  /** metadata look-ups at most, one for each name and format; left out: as many as look-ups */
  readonly maxMetadata?: number;
  /** the lifetime of the answer: the loaders report every value that they return */
  readonly expiry?: AnswerExpiry;
  /** decides when look-ups that memory cannot answer are sent; left out: at the end of the tick */
  readonly gate?: Gate | undefined;
  /** resolves in a later turn of the event loop; left out: in the next one */
  readonly nextTurn?: () => Promise<void>;
  /** pays for records that memory does not hold already; left out: they are not counted */
  readonly work?: Work;
}
