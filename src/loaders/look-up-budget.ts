// Limits the look-ups of one operation, in all its fields, lists and alias chains together.

import type { BeginsRequest, DescribeOptions } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import { GatewayError } from '../errors.ts';
import { formatKey, type MetadataFormat } from '../metadata/metadata-format.ts';

export interface MetadataLookUp {
  readonly name: HandleName;
  readonly format: MetadataFormat;
  readonly mayRequest?: DescribeOptions['mayRequest'];
}

/** Two look-ups with the same key are one look-up. */
export function metadataKey({ name, format }: MetadataLookUp): string {
  return `${formatKey(format)} ${canonicalName(name)}`;
}

export interface KnownLookUps {
  readonly records: readonly HandleName[];
  readonly agencies: readonly HandleName[];
  readonly metadata: readonly MetadataLookUp[];
}

/**
 * Counts equal look-ups several times while the sum is below the limit. At the limit, counts all look-ups again
 * exactly. The sum is fast, because most operations stay below the limit.
 */
abstract class RoughBudget<Exact extends { allows(lookUps: number): boolean }> {
  readonly #most: number;
  #spent = 0;
  #exact: Exact | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether the budget allows this number of look-ups, even if all of them are new. */
  allows(lookUps: number): boolean {
    return this.#isBelowLimit(lookUps) || this.exact().allows(lookUps);
  }

  /** Returns false at the limit. From then on, only the exact budget counts look-ups. */
  protected tryToSpend(lookUps: number): boolean {
    if (!this.#isBelowLimit(lookUps)) return false;
    this.#spent += lookUps;
    return true;
  }

  protected exact(): Exact {
    this.#exact ??= this.countAgain(this.#most);
    return this.#exact;
  }

  /** Makes the exact budget from all look-ups until now. */
  protected abstract countAgain(most: number): Exact;

  #isBelowLimit(more: number): boolean {
    return this.#exact === undefined && this.#spent + more <= this.#most;
  }
}

export class MetadataBudget extends RoughBudget<ReturnType<typeof createExactMetadataBudget>> {
  readonly #lookUps: (MetadataLookUp | readonly MetadataLookUp[])[] = [];

  /** Takes a look-up from the budget, if it is new. Throws TOO_MANY_LOOKUPS above the limit. */
  spend(lookUp: MetadataLookUp): void {
    if (this.tryToSpend(1)) this.#lookUps.push(lookUp);
    else this.exact().spend(lookUp);
  }

  /** Takes look-ups from the budget. The caller must call `allows` first. */
  spendAll(lookUps: readonly MetadataLookUp[]): void {
    if (lookUps.length === 0) return;
    if (this.tryToSpend(lookUps.length)) this.#lookUps.push(lookUps);
    else lookUps.forEach(this.exact().spend);
  }

  protected countAgain(most: number) {
    return createExactMetadataBudget(most, this.#lookUps.flat());
  }
}

function createExactMetadataBudget(most: number, spent: readonly MetadataLookUp[]) {
  const keys = new Set(spent.map(metadataKey));
  return {
    allows: (lookUps: number) => keys.size + lookUps <= most,
    spend(lookUp: MetadataLookUp): void {
      const key = metadataKey(lookUp);
      if (keys.size === most && !keys.has(key)) {
        throw new GatewayError('TOO_MANY_LOOKUPS', {
          message: `The operation needs more than the ${most} look-ups of metadata that this gateway allows. Look up fewer names at once.`,
          details: { maxMetadata: most },
        });
      }
      keys.add(key);
    },
  };
}

/** Look-ups of records and agencies. Each `spend` method throws TOO_MANY_LOOKUPS above the limit. */
export class LookUpBudget extends RoughBudget<ReturnType<typeof createExactBudget>> {
  readonly #createMeter: (() => BeginsRequest) | undefined;
  // Names are kept in order, because the order decides which names share a Which RA request.
  readonly #records: (HandleName | readonly HandleName[])[] = [];
  readonly #agencies: (HandleName | readonly HandleName[])[] = [];
  #others = 0;

  /** @param createMeter makes the function that says which names begin a Which RA request; default: only the first name */
  constructor(most: number, createMeter?: () => BeginsRequest) {
    super(most);
    this.#createMeter = createMeter;
  }

  /** Takes one look-up if the name is new. Two spellings of a name are the same name. */
  spendRecord(name: HandleName): void {
    if (this.tryToSpend(1)) this.#records.push(name);
    else this.exact().spendRecord(name);
  }

  /** Takes one look-up if the name is new and begins a new Which RA request. */
  spendAgency(name: HandleName): void {
    if (this.tryToSpend(1)) this.#agencies.push(name);
    else this.exact().spendAgency(name);
  }

  /** Takes one look-up. */
  spendOther(): void {
    if (this.tryToSpend(1)) this.#others += 1;
    else this.exact().spendOther();
  }

  /** Takes all look-ups of records and agencies. The caller must call `allows` first. */
  spendAll({ records, agencies }: KnownLookUps): void {
    if (this.tryToSpend(records.length + agencies.length)) {
      if (records.length > 0) this.#records.push(records);
      if (agencies.length > 0) this.#agencies.push(agencies);
      return;
    }
    records.forEach(this.exact().spendRecord);
    agencies.forEach(this.exact().spendAgency);
  }

  protected countAgain(most: number) {
    const exact = createExactBudget(most, this.#createMeter);
    this.#records.flat().forEach(exact.spendRecord);
    this.#agencies.flat().forEach(exact.spendAgency);
    for (let others = this.#others; others > 0; others -= 1) exact.spendOther();
    return exact;
  }
}

function createExactBudget(most: number, createMeter: (() => BeginsRequest) | undefined) {
  const records = new Set<HandleName>();
  const agencies = new Set<HandleName>();
  const beginsRequest = createMeter?.() ?? (() => agencies.size === 0);
  let spent = 0;
  let isAgencyLimitReached = false;

  function spendOther(): void {
    if (spent === most) throw tooManyLookUps(most);
    spent += 1;
  }

  function spendRecord(name: HandleName): void {
    const key = canonicalName(name);
    if (records.has(key)) return;
    spendOther();
    records.add(key);
  }

  function spendAgency(name: HandleName): void {
    const key = canonicalName(name);
    if (agencies.has(key)) return;
    // The last Which RA request exceeded the limit, so the other names of this request fail too.
    if (isAgencyLimitReached) throw tooManyLookUps(most);
    if (beginsRequest(name)) {
      isAgencyLimitReached = spent === most;
      spendOther();
    }
    agencies.add(key);
  }

  return { spendRecord, spendAgency, spendOther, allows: (lookUps: number) => spent + lookUps <= most };
}

function tooManyLookUps(most: number): GatewayError {
  return new GatewayError('TOO_MANY_LOOKUPS', {
    message: `The operation needs more than the ${most} look-ups in the directory that this gateway allows. Look up fewer names at once.`,
    details: { maxLookups: most },
  });
}
