// What an answer rests on: what memory held when it was made.

import type { DirectoryMemory, KeptAnswer, MetadataAnswer, WhichRaAnswer } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import type { HandleRecord } from '../handle/record.ts';
import type { Perishable } from './answer-expiry.ts';
import type { MetadataQuestion } from './look-up-budget.ts';
import type { PrefixAnswer } from './prefix-answer.ts';

interface Parts {
  readonly records: readonly Known<HandleRecord>[];
  readonly agencies: readonly Known<WhichRaAnswer>[];
  readonly metadata: readonly KnownMetadata[];
  readonly prefixes: readonly Known<PrefixAnswer>[];
}

export interface KnownMetadata extends Known<MetadataAnswer>, MetadataQuestion {
  readonly name: HandleName;
}

export interface Known<Answer> {
  /** canonical */
  readonly name: HandleName;
  readonly held: KeptAnswer<Answer>;
}

/** How an Evidence refers to an answer. Memory alone decides how long the answer stays: some take megabytes. */
type Weak<Part extends Known<unknown>> = Omit<Part, 'held'> & { readonly held: WeakRef<Part['held']> };

/** It keeps nothing of what it rests on in memory. None of it was stale, or an ERROR. */
export class Evidence implements Perishable {
  readonly records: readonly Weak<Known<HandleRecord>>[];
  readonly agencies: readonly Weak<Known<WhichRaAnswer>>[];
  readonly metadata: readonly Weak<KnownMetadata>[];
  readonly prefixes: readonly Weak<Known<PrefixAnswer>>[];
  readonly stale = false;
  /** when the first of it ends, in milliseconds since the epoch */
  readonly freshUntil: number;
  /** Between these, all of it is live while the generation of memory is what it was when each was asked. */
  readonly #uncheckedFrom: number;
  readonly #uncheckedUntil: number;
  #generation = Number.NaN;

  /** @param whole other evidence that the same answer rests on */
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

  /** Whether memory still gives the very same answers, none of them stale. */
  isLive(memory: DirectoryMemory | undefined): boolean {
    if (memory === undefined) return this.#eachIsLive();
    const now = memory.now();
    const { generation } = memory;
    if (generation === this.#generation && now >= this.#uncheckedFrom && now < this.#uncheckedUntil)
      return true;
    if (!this.#eachIsLive()) return false;
    this.#generation = generation;
    return true;
  }

  #eachIsLive(): boolean {
    for (const { held } of this.records) if (!held.deref()?.isCurrent()) return false;
    for (const { held } of this.agencies) if (!held.deref()?.isCurrent()) return false;
    for (const { held } of this.metadata) if (!held.deref()?.isCurrent()) return false;
    for (const { held } of this.prefixes) if (!held.deref()?.isCurrent()) return false;
    return true;
  }
}

/** What memory answers while an answer is made of it. */
export interface Note {
  record(name: HandleName, held: KeptAnswer<HandleRecord>): void;
  agency(name: HandleName, held: KeptAnswer<WhichRaAnswer>): void;
  metadata(question: MetadataQuestion, held: KeptAnswer<MetadataAnswer>): void;
  prefix(handle: HandleName, held: KeptAnswer<PrefixAnswer>): void;
  /** All evidence of another answer, which is part of this one. */
  all(evidence: Evidence): void;
  /** The answer holds something that memory does not keep, so it cannot be remembered. */
  spoil(): void;
  /** null if the answer cannot be remembered */
  end(): Evidence | null;
}

/** @param outer another note in progress, which receives the same evidence */
export function startNote(outer?: Note): Note {
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
    metadata(question, held) {
      if (held.answer.stale) spoilt = true;
      if (metadata === NONE) metadata = [];
      metadata.push({ ...question, held });
      outer?.metadata(question, held);
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

/** Names outlive the request that they were cut from, and would keep its whole text: each is copied, once. */
function createOwnNames() {
  let last: HandleName | undefined;
  let own: HandleName | undefined;
  return <Answer>({ name, held }: Known<Answer>): Known<Answer> => {
    if (own === undefined || name !== last) own = Buffer.from(canonicalName(name)).toString() as HandleName;
    last = name;
    return { name: own, held };
  };
}
