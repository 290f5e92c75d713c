// The answers of the embedded directory. Each answer is made at the first use, and again after at most a minute.

import { LRUCache } from 'lru-cache';
import { canonicalName, type HandleName } from '../doi/name.ts';
import { createRecord, type HandleRecord, type StoredRecord } from '../handle/record.ts';
import { HANDLE_NOT_FOUND, SUCCESS, VALUES_NOT_FOUND } from '../handle/response-codes.ts';
import type { HandleValue } from '../handle/value.ts';
import {
  type Clock,
  createWhichRaAnswer,
  type DirectoryMemory,
  type KeptAnswer,
  type WhichRaAnswer,
  type WhichRaVerdict,
} from './directory.ts';

export interface EmbeddedAnswersOptions {
  find(name: HandleName): StoredRecord | undefined;
  verdictOf(name: HandleName): WhichRaVerdict;
  /** the message in the record of an absent name */
  readonly absent: string;
  readonly clock: Clock;
}

/** Each call returns the same object until the answer is made again. */
export interface EmbeddedAnswers extends DirectoryMemory {
  record(name: HandleName): KeptAnswer<HandleRecord>;
  agency(name: HandleName): KeptAnswer<WhichRaAnswer>;
}

/** An answer is made again after this time, or after a tenth of its fresh time if this is shorter. */
const KEPT_MS = 60_000;
/** The limit for answers about absent names: clients can invent any number of names. */
const ABSENT_MAX_BYTES = 4_000_000;
const ABSENT_BYTES = 600;

/** An answer that stays current for at most KEPT_MS. */
export class MadeAnswer<Answer extends { readonly freshUntil: number }> implements KeptAnswer<Answer> {
  readonly answer: Answer;
  readonly #clock: Clock;
  /** At an earlier time, the clock was set back. */
  readonly uncheckedFrom: number;
  uncheckedUntil: number;

  constructor(answer: Answer, clock: Clock) {
    const now = clock();
    this.answer = answer;
    this.#clock = clock;
    this.uncheckedFrom = now;
    this.uncheckedUntil = now + Math.min(KEPT_MS, (answer.freshUntil - now) / 10);
  }

  isCurrent(): boolean {
    const now = this.#clock();
    return now < this.uncheckedUntil && now >= this.uncheckedFrom;
  }

  drop(): void {
    this.uncheckedUntil = Number.NEGATIVE_INFINITY;
  }
}

interface KnownName {
  readonly stored: StoredRecord | undefined;
  record: MadeAnswer<HandleRecord> | undefined;
  agency: KnownVerdict | undefined;
}

/** A verdict and its answer. All names with the same verdict share this object. */
interface KnownVerdict {
  readonly verdict: WhichRaVerdict;
  answer: MadeAnswer<WhichRaAnswer> | undefined;
}

export function createEmbeddedAnswers(options: EmbeddedAnswersOptions): EmbeddedAnswers {
  const { find, verdictOf, absent, clock } = options;
  const present = new Map<HandleName, KnownName>();
  let dropped = 0;
  const missing = new LRUCache<HandleName, KnownName>({
    maxSize: ABSENT_MAX_BYTES,
    sizeCalculation: (_, name) => ABSENT_BYTES + 4 * name.length,
    dispose({ record }) {
      record?.drop();
      dropped += 1;
    },
  });
  const verdicts = new Map<string, KnownVerdict>();

  /** First searches the unchanged name, because most names already have the canonical spelling. */
  function entryOf(name: HandleName): KnownName {
    return present.get(name) ?? entryOfCanonical(canonicalName(name));
  }

  function entryOfCanonical(canonical: HandleName): KnownName {
    const before = present.get(canonical) ?? missing.get(canonical);
    if (before) return before;
    const made: KnownName = { stored: find(canonical), record: undefined, agency: undefined };
    // Copies the text, because a substring of a request body keeps the whole body in memory.
    const key = Buffer.from(canonical).toString() as HandleName;
    if (made.stored) present.set(key, made);
    else missing.set(key, made);
    return made;
  }

  function makeRecord(name: HandleName, stored: StoredRecord | undefined): HandleRecord {
    const values = stored?.values ?? NO_VALUES;
    return createRecord({
      responseCode: stored ? (values.length > 0 ? SUCCESS : VALUES_NOT_FOUND) : HANDLE_NOT_FOUND,
      handle: Buffer.from(name).toString() as HandleName,
      values,
      message: stored ? null : absent,
      fetchedAt: clock(),
    });
  }

  function knownVerdict(name: HandleName): KnownVerdict {
    const verdict = verdictOf(name);
    const key = `${verdict.status} ${verdict.agency}`;
    const made = verdicts.get(key) ?? { verdict, answer: undefined };
    verdicts.set(key, made);
    return made;
  }

  return {
    get generation() {
      return dropped;
    },
    now: clock,
    record(name) {
      const entry = entryOf(name);
      if (entry.record?.isCurrent()) return entry.record;
      entry.record = new MadeAnswer(makeRecord(name, entry.stored), clock);
      return entry.record;
    },
    agency(name) {
      const entry = entryOf(name);
      entry.agency ??= knownVerdict(name);
      const { agency } = entry;
      if (agency.answer?.isCurrent()) return agency.answer;
      agency.answer = new MadeAnswer(createWhichRaAnswer(agency.verdict, clock()), clock);
      return agency.answer;
    },
  };
}

const NO_VALUES: readonly HandleValue[] = Object.freeze([]);
