// The locations of a prefix, from the records that memory holds or that were just looked up.

import type { DirectoryMemory, KeptAnswer } from '../directory/directory.ts';
import type { HandleName } from '../doi/name.ts';
import {
  type PrefixLocations,
  prefixLocationsOf,
  readNamespace,
  UNKNOWN_PREFIX_LOCATIONS,
} from '../handle/prefix-locations.ts';
import type { HandleRecord } from '../handle/record.ts';
import type { Perishable } from './answer-expiry.ts';

/** They are fresh as long as all records that they come from. A record that does not exist sets no end. */
export interface PrefixAnswer extends Perishable {
  readonly locations: PrefixLocations;
}

/** For records that could not be had. Nothing that rests on it may be kept. */
export const UNKNOWN_PREFIX: PrefixAnswer = Object.freeze({
  locations: UNKNOWN_PREFIX_LOCATIONS,
  freshUntil: Number.NEGATIVE_INFINITY,
  stale: true,
});

/**
 * @param prefix the record of `0.NA/PREFIX`
 * @param records of the handles that it names, in their order
 */
export function prefixAnswerOf(prefix: HandleRecord, records: readonly HandleRecord[]): PrefixAnswer {
  const all = [prefix, ...records];
  if (all.some(({ status }) => status === 'ERROR')) return UNKNOWN_PREFIX;
  return Object.freeze({
    locations: prefixLocationsOf(readNamespace(prefix.values), records),
    freshUntil: Math.min(...all.filter(exists).map(({ freshUntil }) => freshUntil)),
    stale: all.some(({ stale }) => stale),
  });
}

function exists({ status }: HandleRecord): boolean {
  return status !== 'HANDLE_NOT_FOUND';
}

/** The answer if memory has all records, without any wait. The same object as long as memory holds the same records. */
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
  const made = new HeldPrefix(prefix, records);
  madeFrom.set(prefix, made);
  return made;
}

const madeFrom = new WeakMap<KeptAnswer<HandleRecord>, HeldPrefix>();

/** Live as long as all of its records are. */
class HeldPrefix implements KeptAnswer<PrefixAnswer> {
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
