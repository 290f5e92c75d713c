// The loaders of one request: the look-ups that resolvers and the REST interface can make. They make each look-up once,
// even if the request has several spellings of a name.

import {
  type DescribeOptions,
  type Directory,
  type MetadataAnswer,
  spelledRecord,
  type WhichRaAnswer,
} from '../directory/directory.ts';
import type { Requester } from '../directory/requester.ts';
import type { HandleName } from '../doi/name.ts';
import { GatewayError } from '../errors.ts';
import { prefixHandleOf } from '../handle/prefix-locations.ts';
import type { HandleRecord } from '../handle/record.ts';
import type { MetadataFormat } from '../metadata/metadata-format.ts';
import { mapSoon, type Soon } from '../time.ts';
import { AnswerExpiry } from './answer-expiry.ts';
import { type Batches, createBatches, type Freshness, type Gate } from './batches.ts';
import { type Evidence, EvidenceCollector } from './evidence.ts';
import { type AliasChain, followAliases } from './follow-aliases.ts';
import { LookUpBudget, MetadataBudget, type MetadataLookUp } from './look-up-budget.ts';
import { type PrefixAnswer, peekPrefix } from './prefix-answer.ts';
import { RecordBytes, type Work } from './record-bytes.ts';
import { type Resolved, type ResolvedOptions, resolveName } from './resolve-name.ts';

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

/** The loaders without the methods for the executor, which remembers items. */
export type Loaders = Omit<TrackingLoaders, 'track' | 'stillHolds'>;

export type MetadataOptions = Pick<DescribeOptions, 'mayRequest'>;

const AS_CACHED: Freshness = { auth: false, cert: false };

/**
 * Each loader returns the answer itself if memory has it, else a promise. A failure is thrown, or rejects the promise.
 * Each loader can fail with TOO_MANY_LOOKUPS.
 */
export class TrackingLoaders {
  readonly #options: LoadersOptions;
  readonly #directory: Directory;
  readonly #expiry: AnswerExpiry;
  readonly #budget: LookUpBudget;
  readonly #metadataBudget: MetadataBudget;
  readonly #bytes = new RecordBytes();
  #batches: Batches | undefined;
  #collector: EvidenceCollector | undefined;
  // The last answers are kept, because the fields of one DOI look up the same name one after the other.
  #lastRecord: { readonly name: HandleName; readonly record: HandleRecord } | undefined;
  #lastAgency: { readonly name: HandleName; readonly answer: WhichRaAnswer } | undefined;
  #lastMetadata: (MetadataLookUp & { readonly answer: MetadataAnswer }) | undefined;

  constructor(options: LoadersOptions) {
    this.#options = options;
    this.#directory = options.directory;
    this.#expiry = options.expiry ?? new AnswerExpiry();
    this.#budget = new LookUpBudget(options.maxLookups, options.directory.whichRaPacking);
    this.#metadataBudget = new MetadataBudget(options.maxMetadata ?? options.maxLookups);
  }

  /** The record of a name. Its `handle` has the spelling of this call. Fails for the same reasons as `Directory.resolve`. */
  record(name: HandleName, freshness = AS_CACHED): Soon<HandleRecord> {
    if (freshness.auth || freshness.cert) return this.#load(name, freshness);
    const last = this.#lastRecord;
    if (last?.name === name) return last.record;
    this.#orSpoil(() => this.#budget.spendRecord(name));
    const kept = this.#directory.memory?.record(name);
    if (kept === undefined) return this.#load(name, freshness);
    const known = kept.answer;
    this.#orSpoil(() => this.#bytes.spend(known));
    this.#expiry.include(known);
    if (known.status === 'ERROR') this.#expiry.mustNotBeCached();
    this.#count('record', known.stale, 1);
    this.#collector?.record(name, kept);
    const record = spelledRecord(known, name);
    this.#lastRecord = { name, record };
    return record;
  }

  /** The record of a name. Fails like `record`, and with UPSTREAM_UNAVAILABLE for a record with the status ERROR. */
  answeredRecord(name: HandleName, freshness?: Freshness): Soon<HandleRecord> {
    return mapSoon(this.record(name, freshness), answered);
  }

  /** Follows the aliases of a name. Fails if `answeredRecord` fails, or with ALIAS_LOOP. */
  aliasChain(name: HandleName, freshness?: Freshness): Soon<AliasChain> {
    return this.#orSpoil(() => followAliases(name, (next) => this.answeredRecord(next, freshness)));
  }

  /** The record and the prefix that decide where a name leads. Fails if `aliasChain` fails. */
  resolved(name: HandleName, options?: ResolvedOptions): Soon<Resolved> {
    return resolveName(name, this, (of) => this.#prefix(of), this.#expiry, options);
  }

  /** Null for a name without a prefix. Never fails. */
  #prefix(name: HandleName): PrefixAnswer | null | Promise<PrefixAnswer> {
    const handle = prefixHandleOf(name);
    if (handle === null) return null;
    const kept = peekPrefix(this.#directory.memory, handle);
    if (kept === undefined) return this.#startedBatches().prefix(handle);
    this.#collector?.withoutBudget(kept);
    return kept.answer;
  }

  /** Fails for the same reasons as `Directory.whichRa`. */
  whichRa(name: HandleName): Soon<WhichRaAnswer> {
    const last = this.#lastAgency;
    if (last?.name === name) return last.answer;
    this.#orSpoil(() => this.#budget.spendAgency(name));
    const kept = this.#directory.memory?.agency(name);
    if (kept === undefined) return this.#startedBatches().agency(name);
    const { answer } = kept;
    this.#expiry.include(answer);
    this.#count('agency', answer.stale, 1);
    this.#collector?.agency(name, kept);
    this.#lastAgency = { name, answer };
    return answer;
  }

  /** Fails for the same reasons as `Directory.describe`, or with METADATA_OFF. */
  metadata(name: HandleName, format: MetadataFormat, options: MetadataOptions = {}): Soon<MetadataAnswer> {
    const last = this.#lastMetadata;
    if (last?.name === name && last.format === format) {
      // The bytes are counted at each use: a field that reads megabytes takes time each time it is selected.
      this.#orSpoil(() => this.#bytes.spendMetadata(last.answer));
      return last.answer;
    }
    const lookUp = { name, format, ...options };
    this.#orSpoil(() => {
      if (!this.#directory.describe) throw new GatewayError('METADATA_OFF');
      this.#metadataBudget.spend(lookUp);
    });
    const kept = this.#directory.memory?.metadata?.(name, format);
    if (kept === undefined) return this.#startedBatches().metadata(lookUp);
    const { answer } = kept;
    this.#orSpoil(() => this.#bytes.spendMetadata(answer));
    this.#expiry.include(answer);
    this.#count('metadata', answer.stale, 1);
    this.#collector?.metadata(lookUp, kept);
    this.#lastMetadata = { name, format, answer };
    return answer;
  }

  /**
   * Starts to collect the answers that come from memory. The returned function ends the collection. It returns the answers
   * as evidence, or null if the item must not be remembered. Reasons for null: an answer was not in memory, was stale or
   * was an ERROR; a look-up failed, or had `auth` or `cert`; or `expiry.mustNotBeCached` was called. The caller must end
   * one collection before it starts the next.
   */
  track(): () => Evidence | null {
    const expiry = this.#expiry;
    const { refusals } = expiry;
    const collector = new EvidenceCollector();
    this.#collector = collector;
    // The last answers must be read from memory again, so that they become evidence.
    this.#lastRecord = undefined;
    this.#lastAgency = undefined;
    this.#lastMetadata = undefined;
    return () => {
      this.#collector = undefined;
      return expiry.refusals === refusals ? collector.end() : null;
    };
  }

  /**
   * Returns whether memory still has the same fresh answers, and the budget allows all of them. If so, counts the answers
   * as look-ups for the budget and the metrics, and includes them in the expiry.
   */
  stillHolds(evidence: Evidence): boolean {
    const { records, agencies, metadata } = evidence;
    if (!this.#budget.allows(records.length + agencies.length)) return false;
    if (!this.#metadataBudget.allows(metadata.length)) return false;
    if (!evidence.isCurrent(this.#directory.memory)) return false;
    this.#expiry.include(evidence);
    if (records.length > 0) this.#count('record', false, records.length);
    if (agencies.length > 0) this.#count('agency', false, agencies.length);
    if (metadata.length > 0) this.#count('metadata', false, metadata.length);
    this.#budget.spendAll(evidence);
    this.#metadataBudget.spendAll(metadata);
    return true;
  }

  /** Counts answers from memory, for the metrics and the request's tally. */
  #count(kind: 'record' | 'agency' | 'metadata', stale: boolean, lookUps: number): void {
    this.#directory.memory?.count?.(kind, stale, lookUps);
    const tally = this.#options.requester?.tally;
    if (tally === undefined) return;
    tally.lookedUp(lookUps);
    tally.answered(stale ? 'stale' : 'memory', lookUps);
  }

  async #load(name: HandleName, freshness: Freshness): Promise<HandleRecord> {
    return spelledRecord(await this.#startedBatches().record({ name, ...freshness }), name);
  }

  #startedBatches(): Batches {
    this.#collector?.spoil();
    this.#batches ??= createBatches({
      ...this.#options,
      signal: this.#options.signal(),
      budget: this.#budget,
      bytes: this.#bytes,
      expiry: this.#expiry,
    });
    return this.#batches;
  }

  /** If `lookUp` throws, the result cannot be remembered. */
  #orSpoil<Answer>(lookUp: () => Answer): Answer {
    try {
      return lookUp();
    } catch (error) {
      this.#collector?.spoil();
      throw error;
    }
  }
}

function answered(record: HandleRecord): HandleRecord {
  if (record.status === 'ERROR') throw new GatewayError('UPSTREAM_UNAVAILABLE');
  return record;
}
