// The evidence of a result: the answers in the cache from which the result was made.

import type { DirectoryMemory, KeptAnswer, MetadataAnswer, WhichRaAnswer } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import type { HandleRecord } from '../handle/record.ts';
import type { Perishable } from './answer-expiry.ts';
import type { MetadataLookUp } from './look-up-budget.ts';
import type { PrefixAnswer } from './prefix-answer.ts';

interface Parts {
  readonly records: readonly Known<HandleRecord>[];
  readonly agencies: readonly Known<WhichRaAnswer>[];
  readonly metadata: readonly KnownMetadata[];
  readonly prefixes: readonly Known<PrefixAnswer>[];
}

export interface KnownMetadata extends Known<MetadataAnswer>, MetadataLookUp {
  readonly name: HandleName;
}

export interface Known<Answer> {
  /** in the canonical spelling */
  readonly name: HandleName;
  readonly held: KeptAnswer<Answer>;
}

/** Evidence has weak references to answers, so that only the cache decides how long an answer stays in memory. */
type Weak<Part extends Known<unknown>> = Omit<Part, 'held'> & { readonly held: WeakRef<Part['held']> };

/** When evidence is made, none of its answers is stale or an ERROR. */
export class Evidence implements Perishable {
  readonly records: readonly Weak<Known<HandleRecord>>[];
  readonly agencies: readonly Weak<Known<WhichRaAnswer>>[];
  readonly metadata: readonly Weak<KnownMetadata>[];
  readonly prefixes: readonly Weak<Known<PrefixAnswer>>[];
  readonly stale = false;
  /** when the first answer expires, in milliseconds since 1970 */
  readonly freshUntil: number;
  /** Between these times, the evidence is current if memory has the same generation as at the last check. */
  readonly #uncheckedFrom: number;
  readonly #uncheckedUntil: number;
  #generation = Number.NaN;

  /** @param whole evidence of other results that are parts of this result */
  constructor({ records, agencies, metadata, prefixes }: Parts, whole: readonly Evidence[] = NONE) {
    this.records = joined(records, whole, (other) => other.records);
    this.agencies = joined(agencies, whole, (other) => other.agencies);
    this.metadata = joined(metadata, whole, (other) => other.metadata);
    this.prefixes = joined(prefixes, whole, (other) => other.prefixes);
    const held = [...records, ...agencies, ...metadata, ...prefixes].map((known) => known.held);
    this.freshUntil = Math.min(
      ...held.map(({ answer }) => answer.freshUntil),
      ...whole.map((other) => other.freshUntil),
    );
    this.#uncheckedFrom = Math.max(
      ...held.map(({ uncheckedFrom }) => uncheckedFrom),
      ...whole.map((other) => other.#uncheckedFrom),
    );
    this.#uncheckedUntil = Math.min(
      ...held.map(({ uncheckedUntil }) => uncheckedUntil),
      ...whole.map((other) => other.#uncheckedUntil),
    );
  }

  /** Whether memory still has the same answers, and none of them is stale. */
  isCurrent(memory: DirectoryMemory | undefined): boolean {
    if (memory === undefined) return this.#eachIsCurrent();
    const now = memory.now();
    const { generation } = memory;
    if (generation === this.#generation && now >= this.#uncheckedFrom && now < this.#uncheckedUntil)
      return true;
    if (!this.#eachIsCurrent()) return false;
    this.#generation = generation;
    return true;
  }

  #eachIsCurrent(): boolean {
    for (const { held } of this.records) if (!held.deref()?.isCurrent()) return false;
    for (const { held } of this.agencies) if (!held.deref()?.isCurrent()) return false;
    for (const { held } of this.metadata) if (!held.deref()?.isCurrent()) return false;
    for (const { held } of this.prefixes) if (!held.deref()?.isCurrent()) return false;
    return true;
  }
}

/** Collects the evidence of a result while the result is made. */
export interface EvidenceCollector {
  record(name: HandleName, held: KeptAnswer<HandleRecord>): void;
  agency(name: HandleName, held: KeptAnswer<WhichRaAnswer>): void;
  metadata(lookUp: MetadataLookUp, held: KeptAnswer<MetadataAnswer>): void;
  prefix(handle: HandleName, held: KeptAnswer<PrefixAnswer>): void;
  /** Adds all evidence of another result, which is a part of this result. */
  all(evidence: Evidence): void;
  /** The caller calls it if the result needs data that memory does not have: the result cannot be remembered. */
  spoil(): void;
  /** Null if the result cannot be remembered. */
  end(): Evidence | null;
}

/** @param outer the collector of a result that contains this result; it gets the same evidence */
export function createEvidenceCollector(outer?: EvidenceCollector): EvidenceCollector {
  let records: Known<HandleRecord>[] = NONE;
  let agencies: Known<WhichRaAnswer>[] = NONE;
  let metadata: KnownMetadata[] = NONE;
  let prefixes: Known<PrefixAnswer>[] = NONE;
  let whole: Evidence[] = NONE;
  let spoilt = false;
  return {
    record(name, held) {
      const { answer } = held;
      if (answer.stale || answer.status === 'ERROR') spoilt = true;
      if (records === NONE) records = [];
      records.push({ name, held });
      outer?.record(name, held);
    },
    agency(name, held) {
      if (held.answer.stale) spoilt = true;
      if (agencies === NONE) agencies = [];
      agencies.push({ name, held });
      outer?.agency(name, held);
    },
    metadata(lookUp, held) {
      if (held.answer.stale) spoilt = true;
      if (metadata === NONE) metadata = [];
      metadata.push({ ...lookUp, held });
      outer?.metadata(lookUp, held);
    },
    prefix(name, held) {
      if (held.answer.stale) spoilt = true;
      if (prefixes === NONE) prefixes = [];
      prefixes.push({ name, held });
      outer?.prefix(name, held);
    },
    all(evidence) {
      if (whole === NONE) whole = [];
      whole.push(evidence);
      outer?.all(evidence);
    },
    spoil() {
      spoilt = true;
      outer?.spoil();
    },
    end() {
      if (spoilt) return null;
      const owned = createOwnNames();
      const parts = {
        records: records.map(owned),
        agencies: agencies.map(owned),
        metadata: metadata.map((known) => ({ ...owned(known), format: known.format })),
        prefixes: prefixes.map(owned),
      };
      return new Evidence(parts, whole);
    },
  };
}

const NONE: never[] = [];

function joined<Part extends Known<unknown>>(
  own: readonly Part[],
  others: readonly Evidence[],
  partOf: (other: Evidence) => readonly Weak<Part>[],
): readonly Weak<Part>[] {
  const weak = own.map((part) => ({ ...part, held: new WeakRef(part.held) }));
  return others.length === 0 ? weak : [...weak, ...others.flatMap(partOf)];
}

/** Copies each name, because a name that was cut from a request keeps the text of the whole request in memory. */
function createOwnNames() {
  let last: HandleName | undefined;
  let own: HandleName | undefined;
  return <Answer>({ name, held }: Known<Answer>): Known<Answer> => {
    if (own === undefined || name !== last) own = Buffer.from(canonicalName(name)).toString() as HandleName;
    last = name;
    return { name: own, held };
  };
}
