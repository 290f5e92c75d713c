// Limits the look-ups of one operation, in all its fields, lists and alias chains together.

import { canonicalName, type HandleName } from 'doi-names';
import type { BeginsRequest, NoRequest } from '../directory/directory.ts';
import { GatewayError } from '../errors.ts';
import { formatKey, type MetadataFormat } from '../works/metadata-format.ts';

export interface MetadataLookUp extends NoRequest {
  readonly name: HandleName;
  readonly format: MetadataFormat;
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
  readonly #maxLookUps: number;
  #spent = 0;
  #exactBudget: Exact | undefined;

  constructor(maxLookUps: number) {
    this.#maxLookUps = maxLookUps;
  }

  /** Whether the budget allows this number of look-ups, even if all of them are new. */
  allows(lookUps: number): boolean {
    return this.#isBelowLimit(lookUps) || this.exactBudget().allows(lookUps);
  }

  /** Returns false at the limit. From then on, only the exact budget counts look-ups. */
  protected tryToSpend(lookUps: number): boolean {
    if (!this.#isBelowLimit(lookUps)) return false;
    this.#spent += lookUps;
    return true;
  }

  protected exactBudget(): Exact {
    this.#exactBudget ??= this.countAgain(this.#maxLookUps);
    return this.#exactBudget;
  }

  /** Makes the exact budget from all look-ups until now. */
  protected abstract countAgain(maxLookUps: number): Exact;

  #isBelowLimit(more: number): boolean {
    return this.#exactBudget === undefined && this.#spent + more <= this.#maxLookUps;
  }
}

export class MetadataBudget extends RoughBudget<ReturnType<typeof createExactMetadataBudget>> {
  readonly #lookUps: (MetadataLookUp | readonly MetadataLookUp[])[] = [];

  /** Takes a look-up from the budget, if it is new. Throws TOO_MANY_LOOKUPS above the limit. */
  spend(lookUp: MetadataLookUp): void {
    if (this.tryToSpend(1)) this.#lookUps.push(lookUp);
    else this.exactBudget().spend(lookUp);
  }

  /** Takes look-ups from the budget. The caller must call `allows` first. */
  spendAll(lookUps: readonly MetadataLookUp[]): void {
    if (lookUps.length === 0) return;
    if (this.tryToSpend(lookUps.length)) this.#lookUps.push(lookUps);
    else lookUps.forEach(this.exactBudget().spend);
  }

  protected countAgain(maxLookUps: number) {
    return createExactMetadataBudget(maxLookUps, this.#lookUps.flat());
  }
}

function createExactMetadataBudget(maxLookUps: number, spent: readonly MetadataLookUp[]) {
  const keys = new Set(spent.map(metadataKey));
  return {
    allows: (lookUps: number) => keys.size + lookUps <= maxLookUps,
    spend(lookUp: MetadataLookUp): void {
      const key = metadataKey(lookUp);
      if (keys.size === maxLookUps && !keys.has(key)) {
        throw new GatewayError('TOO_MANY_LOOKUPS', {
          message: `The operation needs more than the ${maxLookUps} look-ups of metadata that this gateway allows. Look up fewer names at once.`,
          details: { maxMetadata: maxLookUps },
        });
      }
      keys.add(key);
    },
  };
}

/** Look-ups of records and agencies. Each `spend` method throws TOO_MANY_LOOKUPS above the limit. */
export class LookUpBudget extends RoughBudget<ReturnType<typeof createExactBudget>> {
  readonly #createBeginsRequest: (() => BeginsRequest) | undefined;
  // Names are kept in order, because the order decides which names share a Which RA request.
  readonly #records: (HandleName | readonly HandleName[])[] = [];
  readonly #agencies: (HandleName | readonly HandleName[])[] = [];
  #others = 0;

  /** @param createBeginsRequest see `Directory.createBeginsRequest`; default: only the first name begins a request */
  constructor(maxLookUps: number, createBeginsRequest?: () => BeginsRequest) {
    super(maxLookUps);
    this.#createBeginsRequest = createBeginsRequest;
  }

  /** Takes one look-up if the name is new. Two spellings of a name are the same name. */
  spendRecord(name: HandleName): void {
    if (this.tryToSpend(1)) this.#records.push(name);
    else this.exactBudget().spendRecord(name);
  }

  /** Takes one look-up if the name is new and begins a new Which RA request. */
  spendAgency(name: HandleName): void {
    if (this.tryToSpend(1)) this.#agencies.push(name);
    else this.exactBudget().spendAgency(name);
  }

  /** Takes one look-up. */
  spendOther(): void {
    if (this.tryToSpend(1)) this.#others += 1;
    else this.exactBudget().spendOther();
  }

  /** Takes all look-ups of records and agencies. The caller must call `allows` first. */
  spendAll({ records, agencies }: KnownLookUps): void {
    if (this.tryToSpend(records.length + agencies.length)) {
      if (records.length > 0) this.#records.push(records);
      if (agencies.length > 0) this.#agencies.push(agencies);
      return;
    }
    records.forEach(this.exactBudget().spendRecord);
    agencies.forEach(this.exactBudget().spendAgency);
  }

  protected countAgain(maxLookUps: number) {
    const exactBudget = createExactBudget(maxLookUps, this.#createBeginsRequest);
    this.#records.flat().forEach(exactBudget.spendRecord);
    this.#agencies.flat().forEach(exactBudget.spendAgency);
    for (let others = this.#others; others > 0; others -= 1) exactBudget.spendOther();
    return exactBudget;
  }
}

function createExactBudget(maxLookUps: number, createBeginsRequest: (() => BeginsRequest) | undefined) {
  const records = new Set<HandleName>();
  const agencies = new Set<HandleName>();
  const beginsRequest = createBeginsRequest?.() ?? (() => agencies.size === 0);
  let spent = 0;
  let isAgencyLimitReached = false;

  function spendOther(): void {
    if (spent === maxLookUps) throw tooManyLookUps(maxLookUps);
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
    if (isAgencyLimitReached) throw tooManyLookUps(maxLookUps);
    if (beginsRequest(name)) {
      isAgencyLimitReached = spent === maxLookUps;
      spendOther();
    }
    agencies.add(key);
  }

  return { spendRecord, spendAgency, spendOther, allows: (lookUps: number) => spent + lookUps <= maxLookUps };
}

function tooManyLookUps(maxLookUps: number): GatewayError {
  return new GatewayError('TOO_MANY_LOOKUPS', {
    message: `The operation needs more than the ${maxLookUps} look-ups in the directory that this gateway allows. Look up fewer names at once.`,
    details: { maxLookups: maxLookUps },
  });
}
