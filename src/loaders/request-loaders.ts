// The look-ups of one request: each is made once, in whatever case its name comes.

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
import { type Evidence, type Note, startNote } from './evidence.ts';
import { type AliasChain, followAliases } from './follow-aliases.ts';
import type { LoadersOptions, MetadataOptions, TrackingLoaders } from './loaders.ts';
import {
  createLookUpBudget,
  createMetadataBudget,
  type LookUpBudget,
  type MetadataBudget,
  type MetadataQuestion,
} from './look-up-budget.ts';
import { type PrefixAnswer, peekPrefix } from './prefix-answer.ts';
import {
  createRecordBytes,
  handOutAgain,
  handOutAgency,
  handOutMetadata,
  handOutRecord,
  type Recipient,
} from './record-bytes.ts';
import { type Resolved, type ResolvedOptions, resolveName } from './resolve-name.ts';

const AS_CACHED: Freshness = { auth: false, cert: false };

/** Loaders for one request. What they need only to wait for answers is made when something is waited for. */
export function createLoaders(options: LoadersOptions): TrackingLoaders {
  return new RequestLoaders(options);
}

/** A class, since every request makes one: its functions are there already. */
class RequestLoaders implements TrackingLoaders {
  readonly #options: LoadersOptions;
  readonly #directory: Directory;
  readonly #expiry: AnswerExpiry;
  readonly #recipient: Recipient;
  readonly #budget: LookUpBudget;
  readonly #metadataBudget: MetadataBudget;
  readonly #bytes = createRecordBytes();
  #batches: Batches | undefined;
  #note: Note | undefined;
  // Fields of one DOI ask one after the other for the same.
  #lastRecord: { readonly name: HandleName; readonly record: HandleRecord } | undefined;
  #lastAgency: { readonly name: HandleName; readonly answer: WhichRaAnswer } | undefined;
  #lastMetadata: (MetadataQuestion & { readonly answer: MetadataAnswer }) | undefined;

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
    handOutRecord(known, this.#recipient);
    this.#note?.record(name, held);
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
    if (held === undefined) return this.#waitFor().prefix(handle);
    this.#note?.prefix(handle, held);
    return held.answer;
  }

  whichRa(name: HandleName): Soon<WhichRaAnswer> {
    const last = this.#lastAgency;
    if (last?.name === name) return last.answer;
    this.#orSpoil(() => this.#budget.spendAgency(name));
    const held = this.#directory.memory?.agency(name);
    if (held === undefined) return this.#waitFor().agency(name);
    const { answer } = held;
    handOutAgency(answer, this.#recipient);
    this.#note?.agency(name, held);
    this.#lastAgency = { name, answer };
    return answer;
  }

  metadata(name: HandleName, format: MetadataFormat, options: MetadataOptions = {}): Soon<MetadataAnswer> {
    const last = this.#lastMetadata;
    if (last?.name === name && last.format === format) {
      // A field that reads megabytes costs time at each of its places.
      this.#orSpoil(() => this.#bytes.spendMetadata(last.answer));
      return last.answer;
    }
    const question = { name, format, ...options };
    this.#orSpoil(() => {
      if (!this.#directory.describe) throw new GatewayError('METADATA_OFF');
      this.#metadataBudget.spend(question);
    });
    const held = this.#directory.memory?.metadata?.(name, format);
    if (held === undefined) return this.#waitFor().metadata(question);
    this.#orSpoil(() => this.#bytes.spendMetadata(held.answer));
    handOutMetadata(held.answer, this.#recipient);
    this.#note?.metadata(question, held);
    this.#lastMetadata = { name, format, answer: held.answer };
    return held.answer;
  }

  track(): () => Evidence | null {
    const expiry = this.#expiry;
    const { refusals } = expiry;
    const outer = this.#note;
    const started = startNote(outer);
    this.#note = started;
    // What was asked before has to be asked again, to be noted.
    this.#lastRecord = undefined;
    this.#lastAgency = undefined;
    this.#lastMetadata = undefined;
    return () => {
      this.#note = outer;
      return expiry.refusals === refusals ? started.end() : null;
    };
  }

  stillHolds(evidence: Evidence): boolean {
    const { records, agencies, metadata } = evidence;
    if (!this.#budget.hasRoomFor(records.length + agencies.length)) return false;
    if (!this.#metadataBudget.hasRoomFor(metadata.length)) return false;
    if (!handOutAgain(evidence, this.#recipient)) return false;
    this.#budget.spendAll(evidence);
    this.#metadataBudget.spendAll(metadata);
    this.#note?.all(evidence);
    return true;
  }

  async #load(name: HandleName, freshness: Freshness): Promise<HandleRecord> {
    return spelledRecord(await this.#waitFor().record({ name, ...freshness }), name);
  }

  #waitFor(): Batches {
    this.#note?.spoil();
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

  /** What was thrown is no part of an answer that can be kept. */
  #orSpoil<Answer>(ask: () => Answer): Answer {
    try {
      return ask();
    } catch (error) {
      this.#note?.spoil();
      throw error;
    }
  }
}

function answered(record: HandleRecord): HandleRecord {
  if (record.status === 'ERROR') throw new GatewayError('UPSTREAM_UNAVAILABLE');
  return record;
}
