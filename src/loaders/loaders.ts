// The loaders of one request: the look-ups that resolvers and the REST interface can make. They make each look-up once,
// even if the request has several spellings of a name.

import type { HandleName } from 'doi-names';
import {
  type Directory,
  type MetadataAnswer,
  type NoRequest,
  spelledRecord,
  type WhichRaAnswer,
} from '../directory/directory.ts';
import { GatewayError, matchingOff } from '../errors.ts';
import type { HandleRecord } from '../handle/record.ts';
import { mapSoon, type Soon } from '../time.ts';
import { MATCH, type MetadataFormat } from '../works/metadata-format.ts';
import { AnswerExpiry } from './answer-expiry.ts';
import { type Batches, createBatches, type Freshness, type SendingOptions } from './batches.ts';
import { type Evidence, EvidenceCollector } from './evidence.ts';
import { LookUpBudget, MetadataBudget, type MetadataLookUp } from './look-up-budget.ts';
import { RecordBytes } from './record-bytes.ts';

export interface LoadersOptions extends SendingOptions {
  /** Returns the signal that aborts all look-ups of the request. Called at the first look-up that memory cannot answer. */
  readonly signal: () => AbortSignal;
  /** maximum number of different look-ups: records and Which RA requests together */
  readonly maxLookups: number;
  /** maximum number of metadata look-ups, one for each name and format; default: `maxLookups` */
  readonly maxMetadata?: number;
  /** includes each answer that the loaders return */
  readonly expiry?: AnswerExpiry;
}

/** The loaders without the two methods for the executor, which remembers items. */
export type Loaders = Omit<TrackingLoaders, 'track' | 'stillHolds'>;

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
  // The last answers. They are kept, because several fields of one DOI look up the same name.
  #lastRecord: { readonly name: HandleName; readonly record: HandleRecord } | undefined;
  #lastAgency: { readonly name: HandleName; readonly answer: WhichRaAnswer } | undefined;
  #lastMetadata: (MetadataLookUp & { readonly answer: MetadataAnswer }) | undefined;

  constructor(options: LoadersOptions) {
    this.#options = options;
    this.#directory = options.directory;
    this.#expiry = options.expiry ?? new AnswerExpiry();
    this.#budget = new LookUpBudget(options.maxLookups, options.directory.createBeginsRequest);
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
    return mapSoon(this.record(name, freshness), throwIfError);
  }

  /**
   * A record for the locations of a prefix. Null if the look-up fails. Uses no budget, because many names share a prefix.
   * The caller must include the record in the expiry.
   */
  prefixRecord(handle: HandleName): Soon<HandleRecord | null> {
    const kept = this.#directory.memory?.record(handle);
    if (kept === undefined) return this.#startedBatches().prefixRecord(handle);
    this.#collector?.prefixRecord(kept);
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
  metadata(name: HandleName, format: MetadataFormat, options: NoRequest = {}): Soon<MetadataAnswer> {
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

  /** The work that a reference in words describes, as ReferenceMatch. Fails like `metadata`, or with METADATA_OFF. */
  match(reference: string): Soon<MetadataAnswer> {
    if (!this.#directory.matchesReferences) throw matchingOff();
    return this.metadata(reference as HandleName, MATCH);
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
    this.#count('record', false, records.length);
    this.#count('agency', false, agencies.length);
    this.#count('metadata', false, metadata.length);
    this.#budget.spendAll(evidence);
    this.#metadataBudget.spendAll(metadata);
    return true;
  }

  /** Counts answers from memory, for the metrics and the request's tally. */
  #count(kind: 'record' | 'agency' | 'metadata', stale: boolean, lookUps: number): void {
    if (lookUps === 0) return;
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

function throwIfError(record: HandleRecord): HandleRecord {
  if (record.status === 'ERROR') throw new GatewayError('UPSTREAM_UNAVAILABLE');
  return record;
}
