// What an answer rests on: what memory held when it was made.

import type { HeldAnswer, MetadataAnswer, WhichRaAnswer } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import type { HandleRecord } from '../handle/record.ts';
import type { MetadataQuestion } from './metadata-budget.ts';

/** What it rests on stays in memory for as long as it is kept itself, live or not. None of it was stale, or an ERROR. */
export interface Evidence {
  /** when the first of it ends, in milliseconds since the epoch: nobody has to look at each again */
  readonly freshUntil: number;
  readonly stale: false;
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
}

/** What memory answers while an answer is made of it. */
export interface Note {
  record(name: HandleName, held: HeldAnswer<HandleRecord>): void;
  agency(name: HandleName, held: HeldAnswer<WhichRaAnswer>): void;
  metadata(question: MetadataQuestion, held: HeldAnswer<MetadataAnswer>): void;
  /** Something else than what memory holds, and will hold, is in the answer. */
  spoil(): void;
  /** null where it was spoilt */
  end(): Evidence | null;
}

/** @param outer a note that goes on beside it: it is told all of it */
export function startNote(outer?: Note): Note {
  let records: Known<HandleRecord>[] = NONE;
  let agencies: Known<WhichRaAnswer>[] = NONE;
  let freshUntil = Number.POSITIVE_INFINITY;
  let metadata: KnownMetadata[] = NONE;
  let spoilt = false;
  return {
    record(name, held) {
      const { answer } = held;
      if (answer.stale || answer.status === 'ERROR') spoilt = true;
      if (records === NONE) records = [];
      freshUntil = Math.min(freshUntil, answer.freshUntil);
      records.push({ name, held });
      outer?.record(name, held);
    },
    agency(name, held) {
      const { answer } = held;
      if (answer.stale) spoilt = true;
      freshUntil = Math.min(freshUntil, answer.freshUntil);
      if (agencies === NONE) agencies = [];
      agencies.push({ name, held });
      outer?.agency(name, held);
    },
    metadata(question, held) {
      if (held.answer.stale) spoilt = true;
      freshUntil = Math.min(freshUntil, held.answer.freshUntil);
      if (metadata === NONE) metadata = [];
      metadata.push({ ...question, held });
      outer?.metadata(question, held);
    },
    spoil() {
      spoilt = true;
      outer?.spoil();
    },
    end() {
      if (spoilt) return null;
      const owned = createOwnNames();
      return {
        freshUntil,
        stale: false,
        records: records.map(owned),
        agencies: agencies.map(owned),
        metadata: metadata.map((known) => ({ ...owned(known), format: known.format })),
      };
    },
  };
}

const NONE: never[] = [];

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
