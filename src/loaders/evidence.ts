// What an answer rests on: what memory held when it was made.

import type { DirectoryMemory, HeldAnswer, MetadataAnswer, WhichRaAnswer } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import type { HandleRecord } from '../handle/record.ts';
import type { Perishable } from './answer-expiry.ts';
import type { MetadataQuestion } from './metadata-budget.ts';

interface Parts {
  readonly records: readonly Known<HandleRecord>[];
  readonly agencies: readonly Known<WhichRaAnswer>[];
  readonly metadata: readonly KnownMetadata[];
}

export interface KnownMetadata extends Known<MetadataAnswer>, MetadataQuestion {
  readonly name: HandleName;
}

export interface Known<Answer> {
  /** canonical */
  readonly name: HandleName;
  readonly held: HeldAnswer<Answer>;
  /** of the answer: memory may have dropped the answer when an operation ends */
  readonly freshUntil: number;
}

/** What it rests on stays in memory for as long as it is kept itself, live or not. None of it was stale, or an ERROR. */
export class Evidence implements Parts, Perishable {
  readonly records: readonly Known<HandleRecord>[];
  readonly agencies: readonly Known<WhichRaAnswer>[];
  readonly metadata: readonly KnownMetadata[];
  readonly stale = false;
  /** when the first of it ends, in milliseconds since the epoch */
  readonly freshUntil: number;
  /** Between these, all of it is live while the turnover of memory is what it was when each was asked. */
  readonly #settledFrom: number;
  readonly #settledUntil: number;
  #turnover = Number.NaN;

  constructor({ records, agencies, metadata }: Parts) {
    this.records = records;
    this.agencies = agencies;
    this.metadata = metadata;
    const known = [...records, ...agencies, ...metadata];
    const held = known.map((one) => one.held);
    this.freshUntil = Math.min(...known.map((one) => one.freshUntil));
    this.#settledFrom = Math.max(...held.map(({ settledFrom }) => settledFrom));
    this.#settledUntil = Math.min(...held.map(({ settledUntil }) => settledUntil));
  }

  /** Whether memory still gives the very same answers, none of them stale. */
  isLive(memory: DirectoryMemory | undefined): boolean {
    if (memory === undefined) return this.#eachIsLive();
    const now = memory.now();
    const { turnover } = memory;
    if (turnover === this.#turnover && now >= this.#settledFrom && now < this.#settledUntil) return true;
    if (!this.#eachIsLive()) return false;
    this.#turnover = turnover;
    return true;
  }

  #eachIsLive(): boolean {
    for (const { held } of this.records) if (!held.isLive()) return false;
    for (const { held } of this.agencies) if (!held.isLive()) return false;
    for (const { held } of this.metadata) if (!held.isLive()) return false;
    return true;
  }
}

/** What memory answers while an answer is made of it. */
export interface Note {
  record(name: HandleName, held: HeldAnswer<HandleRecord>): void;
  agency(name: HandleName, held: HeldAnswer<WhichRaAnswer>): void;
  metadata(question: MetadataQuestion, held: HeldAnswer<MetadataAnswer>): void;
  /** All that another answer rests on, which is in this one. */
  all(evidence: Evidence): void;
  /** Something else than what memory holds, and will hold, is in the answer. */
  spoil(): void;
  /** null where it was spoilt */
  end(): Evidence | null;
}

/** @param outer a note that goes on beside it: it is told all of it */
export function startNote(outer?: Note): Note {
  let records: Known<HandleRecord>[] = NONE;
  let agencies: Known<WhichRaAnswer>[] = NONE;
  let metadata: KnownMetadata[] = NONE;
  let whole: Evidence[] = NONE;
  let spoilt = false;
  return {
    record(name, held) {
      const { answer } = held;
      if (answer.stale || answer.status === 'ERROR') spoilt = true;
      if (records === NONE) records = [];
      records.push({ name, held, freshUntil: answer.freshUntil });
      outer?.record(name, held);
    },
    agency(name, held) {
      if (held.answer.stale) spoilt = true;
      if (agencies === NONE) agencies = [];
      agencies.push({ name, held, freshUntil: held.answer.freshUntil });
      outer?.agency(name, held);
    },
    metadata(question, held) {
      if (held.answer.stale) spoilt = true;
      if (metadata === NONE) metadata = [];
      metadata.push({ ...question, held, freshUntil: held.answer.freshUntil });
      outer?.metadata(question, held);
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
      return new Evidence({
        records: joined(records.map(owned), whole, (part) => part.records),
        agencies: joined(agencies.map(owned), whole, (part) => part.agencies),
        metadata: joined(
          metadata.map((known) => ({ ...owned(known), format: known.format })),
          whole,
          (part) => part.metadata,
        ),
      });
    },
  };
}

const NONE: never[] = [];

function joined<T>(
  own: readonly T[],
  others: readonly Evidence[],
  partOf: (other: Evidence) => readonly T[],
): readonly T[] {
  return others.length === 0 ? own : [...own, ...others.flatMap(partOf)];
}

/** Names outlive the request that they were cut from, and would keep its whole text: each is copied, once. */
function createOwnNames() {
  let last: HandleName | undefined;
  let own: HandleName | undefined;
  return <Answer>({ name, held, freshUntil }: Known<Answer>): Known<Answer> => {
    if (own === undefined || name !== last) own = Buffer.from(canonicalName(name)).toString() as HandleName;
    last = name;
    return { name: own, held, freshUntil };
  };
}
