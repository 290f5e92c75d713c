// The evidence of a result: the answers in memory from which the result was made.

import { canonicalName, type HandleName } from 'doi-names';
import { ownCopy } from '../cache/memory-tier.ts';
import type { DirectoryMemory, KeptAnswer } from '../directory/directory.ts';
import { type HandleRecord, isRegistered } from '../handle/record.ts';
import type { Perishable } from './answer-expiry.ts';
import type { KnownLookUps, MetadataLookUp } from './look-up-budget.ts';

/** The evidence of a result. When it is made, no answer in it is stale or an ERROR. */
export class Evidence implements Perishable, KnownLookUps {
  readonly records: readonly HandleName[];
  readonly agencies: readonly HandleName[];
  readonly metadata: readonly MetadataLookUp[];
  readonly stale = false;
  /** when the first answer expires, in milliseconds since 1970 */
  readonly freshUntil: number;
  /** The references are weak, so that only the cache decides how long an answer stays in memory. */
  readonly #kept: readonly WeakRef<KeptAnswer<Perishable>>[];
  /** Between these times, the evidence is current if memory has the same generation as at the last check. */
  readonly #noCheckFrom: number;
  readonly #noCheckUntil: number;
  #generation = Number.NaN;

  /** @param kept the answers of the look-ups, and the records of prefixes, which use no budget */
  constructor(
    { records, agencies, metadata }: KnownLookUps,
    kept: readonly KeptAnswer<Perishable>[],
    freshUntil: number,
  ) {
    this.records = records;
    this.agencies = agencies;
    this.metadata = metadata;
    this.#kept = kept.map((answer) => new WeakRef(answer));
    this.freshUntil = freshUntil;
    this.#noCheckFrom = Math.max(...kept.map(({ noCheckFrom }) => noCheckFrom));
    this.#noCheckUntil = Math.min(...kept.map(({ noCheckUntil }) => noCheckUntil));
  }

  /** Whether memory still has the same answers, and all of them are fresh. */
  isCurrent(memory: DirectoryMemory | undefined): boolean {
    if (memory === undefined) return this.#eachIsCurrent();
    const now = memory.now();
    const { generation } = memory;
    if (generation === this.#generation && now >= this.#noCheckFrom && now < this.#noCheckUntil) return true;
    if (!this.#eachIsCurrent()) return false;
    this.#generation = generation;
    return true;
  }

  #eachIsCurrent(): boolean {
    for (const kept of this.#kept) if (!kept.deref()?.isCurrent()) return false;
    return true;
  }
}

/** Collects the evidence of a result while the result is made. */
export class EvidenceCollector {
  readonly #records: HandleName[] = [];
  readonly #agencies: HandleName[] = [];
  readonly #metadata: MetadataLookUp[] = [];
  readonly #kept: KeptAnswer<Perishable>[] = [];
  #freshUntil = Number.POSITIVE_INFINITY;
  #isSpoilt = false;

  record(name: HandleName, kept: KeptAnswer<Perishable>): void {
    this.#records.push(name);
    this.#add(kept);
  }

  agency(name: HandleName, kept: KeptAnswer<Perishable>): void {
    this.#agencies.push(name);
    this.#add(kept);
  }

  metadata(lookUp: MetadataLookUp, kept: KeptAnswer<Perishable>): void {
    this.#metadata.push(lookUp);
    this.#add(kept);
  }

  /** The expiry of an absent record is ignored. */
  prefixRecord(kept: KeptAnswer<HandleRecord>): void {
    this.#add(kept, isRegistered(kept.answer) ? undefined : Number.POSITIVE_INFINITY);
  }

  #add(kept: KeptAnswer<Perishable>, freshUntil = kept.answer.freshUntil): void {
    this.#kept.push(kept);
    this.#freshUntil = Math.min(this.#freshUntil, freshUntil);
    if (kept.answer.stale) this.#isSpoilt = true;
  }

  /** Must be called if the result needs data that memory does not have. Then the result cannot be remembered. */
  spoil(): void {
    this.#isSpoilt = true;
  }

  /** Null if the result cannot be remembered. */
  end(): Evidence | null {
    if (this.#isSpoilt) return null;
    const own = createOwnNames();
    const records = this.#records.map(own);
    const agencies = this.#agencies.map(own);
    const metadata = this.#metadata.map(({ name, format }) => ({ name: own(name), format }));
    return new Evidence({ records, agencies, metadata }, this.#kept, this.#freshUntil);
  }
}

/** Copies each name, because a name that was cut from a request keeps the text of the whole request in memory. */
function createOwnNames(): (name: HandleName) => HandleName {
  let last: HandleName | undefined;
  let own: HandleName | undefined;
  return (name) => {
    if (own === undefined || name !== last) own = ownCopy(canonicalName(name));
    last = name;
    return own;
  };
}
