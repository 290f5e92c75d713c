// The loaders of one request. They make each look-up once, even if the request has several spellings of a name.

import { setImmediate as nextImmediate } from 'node:timers/promises';
import {
  type Directory,
  type MetadataAnswer,
  spelledRecord,
  type WhichRaAnswer,
} from '../directory/directory.ts';
import type { HandleName } from '../doi/name.ts';
import { GatewayError } from '../errors.ts';
import { prefixHandleOf } from '../handle/prefix-locations.ts';
import type { HandleRecord } from '../handle/record.ts';
import type { MetadataFormat } from '../metadata/metadata-format.ts';
import { mapSoon, type Soon } from '../time.ts';
import { type AnswerExpiry, createAnswerExpiry } from './answer-expiry.ts';
import { type Batches, createBatches, type Freshness } from './batches.ts';
import { createEvidenceCollector, type Evidence, type EvidenceCollector } from './evidence.ts';
import { type AliasChain, followAliases } from './follow-aliases.ts';
import type { LoadersOptions, MetadataOptions, TrackingLoaders } from './loaders.ts';
import {
  createLookUpBudget,
  createMetadataBudget,
  type LookUpBudget,
  type MetadataBudget,
  type MetadataLookUp,
} from './look-up-budget.ts';
import { type PrefixAnswer, peekPrefix } from './prefix-answer.ts';
import {
  countAgency,
  countEvidence,
  countMetadata,
  countRecord,
  createRecordBytes,
  type Recipient,
} from './record-bytes.ts';
import { type Resolved, type ResolvedOptions, resolveName } from './resolve-name.ts';

const AS_CACHED: Freshness = { auth: false, cert: false };

export function createLoaders(options: LoadersOptions): TrackingLoaders {
  return new RequestLoaders(options);
}

/** A class, because each request makes an instance, and the instances of a class share their functions. */
class RequestLoaders implements TrackingLoaders {
  readonly #options: LoadersOptions;
  readonly #directory: Directory;
  readonly #expiry: AnswerExpiry;
  readonly #recipient: Recipient;
  readonly #budget: LookUpBudget;
  readonly #metadataBudget: MetadataBudget;
  readonly #bytes = createRecordBytes();
  #batches: Batches | undefined;
  #collector: EvidenceCollector | undefined;
  // The last answers are kept, because the fields of one DOI look up the same name one after the other.
  #lastRecord: { readonly name: HandleName; readonly record: HandleRecord } | undefined;
  #lastAgency: { readonly name: HandleName; readonly answer: WhichRaAnswer } | undefined;
  #lastMetadata: (MetadataLookUp & { readonly answer: MetadataAnswer }) | undefined;

  constructor(options: LoadersOptions) {
    this.#options = options;
    this.#directory = options.directory;
    this.#expiry = options.expiry ?? createAnswerExpiry();
    this.#recipient = { directory: options.directory, expiry: this.#expiry, requester: options.requester };
    this.#budget = createLookUpBudget(options.maxLookups, options.directory.whichRaPacking);
    this.#metadataBudget = createMetadataBudget(options.maxMetadata ?? options.maxLookups);
  }

  record(name: HandleName, freshness = AS_CACHED): Soon<HandleRecord> {
    const last = this.#lastRecord;
    if (last?.name === name && !freshness.auth && !freshness.cert) return last.record;
    if (freshness.auth || freshness.cert) return this.#load(name, freshness);
    this.#orSpoil(() => this.#budget.spendRecord(name));
    const held = this.#directory.memory?.record(name);
    if (held === undefined) return this.#load(name, freshness);
    const known = held.answer;
    this.#orSpoil(() => this.#bytes.spend(known));
    countRecord(known, this.#recipient);
    this.#collector?.record(name, held);
    const record = spelledRecord(known, name);
    this.#lastRecord = { name, record };
    return record;
  }

  answeredRecord(name: HandleName, freshness?: Freshness): Soon<HandleRecord> {
    return mapSoon(this.record(name, freshness), answered);
  }

  aliasChain(name: HandleName, freshness?: Freshness): Soon<AliasChain> {
    return this.#orSpoil(() => followAliases(name, (next) => this.answeredRecord(next, freshness)));
  }

  resolved(name: HandleName, options?: ResolvedOptions): Soon<Resolved> {
    return resolveName(name, this, (of) => this.#prefix(of), this.#expiry, options);
  }

  /** Null for a name without a prefix. Never fails. */
  #prefix(name: HandleName): PrefixAnswer | null | Promise<PrefixAnswer> {
    const handle = prefixHandleOf(name);
    if (handle === null) return null;
    const held = peekPrefix(this.#directory.memory, handle);
    if (held === undefined) return this.#startedBatches().prefix(handle);
    this.#collector?.prefix(handle, held);
    return held.answer;
  }

  whichRa(name: HandleName): Soon<WhichRaAnswer> {
    const last = this.#lastAgency;
    if (last?.name === name) return last.answer;
    this.#orSpoil(() => this.#budget.spendAgency(name));
    const held = this.#directory.memory?.agency(name);
    if (held === undefined) return this.#startedBatches().agency(name);
    const { answer } = held;
    countAgency(answer, this.#recipient);
    this.#collector?.agency(name, held);
    this.#lastAgency = { name, answer };
    return answer;
  }

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
    const held = this.#directory.memory?.metadata?.(name, format);
    if (held === undefined) return this.#startedBatches().metadata(lookUp);
    this.#orSpoil(() => this.#bytes.spendMetadata(held.answer));
    countMetadata(held.answer, this.#recipient);
    this.#collector?.metadata(lookUp, held);
    this.#lastMetadata = { name, format, answer: held.answer };
    return held.answer;
  }

  track(): () => Evidence | null {
    const expiry = this.#expiry;
    const { refusals } = expiry;
    const outer = this.#collector;
    const started = createEvidenceCollector(outer);
    this.#collector = started;
    // The last answers must be read from memory again, so that they become evidence.
    this.#lastRecord = undefined;
    this.#lastAgency = undefined;
    this.#lastMetadata = undefined;
    return () => {
      this.#collector = outer;
      return expiry.refusals === refusals ? started.end() : null;
    };
  }

  stillHolds(evidence: Evidence): boolean {
    const { records, agencies, metadata } = evidence;
    if (!this.#budget.allows(records.length + agencies.length)) return false;
    if (!this.#metadataBudget.allows(metadata.length)) return false;
    if (!countEvidence(evidence, this.#recipient)) return false;
    this.#budget.spendAll(evidence);
    this.#metadataBudget.spendAll(metadata);
    this.#collector?.all(evidence);
    return true;
  }

  async #load(name: HandleName, freshness: Freshness): Promise<HandleRecord> {
    return spelledRecord(await this.#startedBatches().record({ name, ...freshness }), name);
  }

  #startedBatches(): Batches {
    this.#collector?.spoil();
    this.#batches ??= createBatches({
      directory: this.#directory,
      requester: this.#options.requester,
      signal: this.#options.signal(),
      budget: this.#budget,
      bytes: this.#bytes,
      expiry: this.#expiry,
      gate: this.#options.gate,
      nextTurn: this.#options.nextTurn ?? (() => nextImmediate()),
      work: this.#options.work,
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
