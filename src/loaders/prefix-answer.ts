// Makes the locations of a prefix from its records, which are in memory or were just looked up.

import type { DirectoryMemory, KeptAnswer } from '../directory/directory.ts';
import type { HandleName } from '../doi/name.ts';
import {
  type PrefixLocations,
  prefixLocationsOf,
  readNamespace,
  UNKNOWN_PREFIX_LOCATIONS,
} from '../handle/prefix-locations.ts';
import { type HandleRecord, isRegistered } from '../handle/record.ts';
import type { Perishable } from './answer-expiry.ts';

/** The locations are fresh while all their records are fresh. The expiry of an absent record is ignored. */
export interface PrefixAnswer extends Perishable {
  readonly locations: PrefixLocations;
}

/** The answer if the look-up of a record failed. No cache may keep a response that depends on this answer. */
export const UNKNOWN_PREFIX: PrefixAnswer = Object.freeze({
  locations: UNKNOWN_PREFIX_LOCATIONS,
  freshUntil: Number.NEGATIVE_INFINITY,
  stale: true,
});

/**
 * @param prefix the record of `0.NA/PREFIX`
 * @param records the records of the handles in `prefix`, in their order
 */
export function prefixAnswerOf(prefix: HandleRecord, records: readonly HandleRecord[]): PrefixAnswer {
  const all = [prefix, ...records];
  if (all.some(({ status }) => status === 'ERROR')) return UNKNOWN_PREFIX;
  return Object.freeze({
    locations: prefixLocationsOf(readNamespace(prefix.values), records),
    freshUntil: Math.min(...all.filter(isRegistered).map(({ freshUntil }) => freshUntil)),
    stale: all.some(({ stale }) => stale),
  });
}

/** The answer if memory has all records. Returns the same object while memory has the same records. */
export function peekPrefix(
  memory: DirectoryMemory | undefined,
  handle: HandleName,
): KeptAnswer<PrefixAnswer> | undefined {
  const prefix = memory?.record(handle);
  if (prefix === undefined) return undefined;
  const known = madeFrom.get(prefix);
  if (known?.isCurrent()) return known;
  const records: KeptAnswer<HandleRecord>[] = [];
  for (const name of readNamespace(prefix.answer.values).handles) {
    const record = memory?.record(name);
    if (record === undefined) return undefined;
    records.push(record);
  }
  const made = new KeptPrefix(prefix, records);
  madeFrom.set(prefix, made);
  return made;
}

const madeFrom = new WeakMap<KeptAnswer<HandleRecord>, KeptPrefix>();

/** Is current while all its records are current. */
class KeptPrefix implements KeptAnswer<PrefixAnswer> {
  readonly answer: PrefixAnswer;
  readonly uncheckedFrom: number;
  readonly #records: readonly KeptAnswer<HandleRecord>[];

  constructor(prefix: KeptAnswer<HandleRecord>, records: readonly KeptAnswer<HandleRecord>[]) {
    this.#records = [prefix, ...records];
    this.answer = prefixAnswerOf(
      prefix.answer,
      records.map(({ answer }) => answer),
    );
    this.uncheckedFrom = Math.max(...this.#records.map(({ uncheckedFrom }) => uncheckedFrom));
  }

  get uncheckedUntil(): number {
    return Math.min(...this.#records.map(({ uncheckedUntil }) => uncheckedUntil));
  }

  isCurrent(): boolean {
    return this.#records.every((record) => record.isCurrent());
  }
}
