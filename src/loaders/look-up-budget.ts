// Limits the look-ups of one operation, in all its fields, lists and alias chains together.

import type { BeginsRequest, DescribeOptions } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import { GatewayError } from '../errors.ts';
import { formatKey, type MetadataFormat } from '../metadata/metadata-format.ts';

// Look-ups of metadata.

export interface MetadataLookUp {
  readonly name: HandleName;
  readonly format: MetadataFormat;
  readonly mayRequest?: DescribeOptions['mayRequest'];
}

/** Two look-ups with the same key are one look-up. */
export function metadataKey({ name, format }: MetadataLookUp): string {
  return `${formatKey(format)} ${canonicalName(name)}`;
}

export interface MetadataBudget {
  /** Takes a look-up from the budget, if it is new. Throws TOO_MANY_LOOKUPS above the limit. */
  spend(lookUp: MetadataLookUp): void;
  /** Whether the budget allows this number of look-ups, even if all of them are new. */
  allows(lookUps: number): boolean;
  /** Takes look-ups from the budget. The caller must call `allows` first. */
  spendAll(lookUps: readonly MetadataLookUp[]): void;
}

export function createMetadataBudget(most: number): MetadataBudget {
  return new Budget(most);
}

/**
 * Counts all look-ups while the sum is below the limit, and does not compare them. At the limit, it compares all look-ups
 * and counts equal look-ups once. This is fast, because most operations stay below the limit.
 */
class Budget implements MetadataBudget {
  readonly #most: number;
  readonly #lookUps: (MetadataLookUp | readonly MetadataLookUp[])[] = [];
  /** counts equal look-ups several times */
  #spent = 0;
  #keys: Set<string> | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  spend(lookUp: MetadataLookUp): void {
    if (this.#tryToSpend(1)) this.#lookUps.push(lookUp);
    else this.#spendExactly(lookUp);
  }

  spendAll(lookUps: readonly MetadataLookUp[]): void {
    if (lookUps.length === 0) return;
    if (this.#tryToSpend(lookUps.length)) this.#lookUps.push(lookUps);
    else for (const lookUp of lookUps) this.#spendExactly(lookUp);
  }

  allows(lookUps: number): boolean {
    return this.#isBelowLimit(lookUps) || this.#exactKeys().size + lookUps <= this.#most;
  }

  #isBelowLimit(more: number): boolean {
    return this.#keys === undefined && this.#spent + more <= this.#most;
  }

  #tryToSpend(more: number): boolean {
    if (!this.#isBelowLimit(more)) return false;
    this.#spent += more;
    return true;
  }

  #spendExactly(lookUp: MetadataLookUp): void {
    const keys = this.#exactKeys();
    const key = metadataKey(lookUp);
    if (keys.size === this.#most && !keys.has(key)) throw tooManyWorks(this.#most);
    keys.add(key);
  }

  #exactKeys(): Set<string> {
    this.#keys ??= new Set(this.#lookUps.flat().map(metadataKey));
    return this.#keys;
  }
}

function tooManyWorks(most: number): GatewayError {
  return new GatewayError('TOO_MANY_LOOKUPS', {
    message: `The operation needs more than the ${most} look-ups of metadata that this gateway allows. Ask for fewer names at once.`,
    details: { maxMetadata: most },
  });
}

/** Each `spend` method throws TOO_MANY_LOOKUPS above the limit. */
export interface LookUpBudget {
  /** Takes one look-up if the name is new. Two spellings of a name are the same name. */
  spendRecord(name: HandleName): void;
  /** Takes one look-up if the name is new and begins a new Which RA request. */
  spendAgency(name: HandleName): void;
  /** Takes one look-up. */
  spendOther(): void;
  /** Whether the budget allows this number of look-ups, even if all of them are new. */
  allows(lookUps: number): boolean;
  /** Takes all these look-ups. The caller must call `allows` first. */
  spendAll(known: KnownLookUps): void;
}

export interface KnownLookUps {
  readonly records: readonly { readonly name: HandleName }[];
  readonly agencies: readonly { readonly name: HandleName }[];
}

/** @param createMeter makes the function that says which names begin a Which RA request; default: only the first name */
export function createLookUpBudget(most: number, createMeter?: () => BeginsRequest): LookUpBudget {
  return new RoughBudget(most, createMeter);
}

/**
 * Counts each name each time, and one Which RA request for each name, while the sum is below the limit. At the limit, it
 * counts all look-ups again exactly. This is fast, because most operations stay below the limit.
 */
class RoughBudget implements LookUpBudget {
  readonly #most: number;
  readonly #createMeter: (() => BeginsRequest) | undefined;
  // Names are kept in order, because the order decides which names share a Which RA request.
  readonly #records: (HandleName | KnownLookUps)[] = [];
  readonly #agencies: (HandleName | KnownLookUps)[] = [];
  #others = 0;
  /** counts equal look-ups several times */
  #spent = 0;
  #exact: LookUpBudget | undefined;

  constructor(most: number, createMeter: (() => BeginsRequest) | undefined) {
    this.#most = most;
    this.#createMeter = createMeter;
  }

  spendRecord(name: HandleName): void {
    if (this.#tryToSpend(1)) this.#records.push(name);
    else this.#exactBudget().spendRecord(name);
  }

  spendAgency(name: HandleName): void {
    if (this.#tryToSpend(1)) this.#agencies.push(name);
    else this.#exactBudget().spendAgency(name);
  }

  spendOther(): void {
    if (this.#tryToSpend(1)) this.#others += 1;
    else this.#exactBudget().spendOther();
  }

  spendAll(known: KnownLookUps): void {
    const { records, agencies } = known;
    if (!this.#tryToSpend(records.length + agencies.length)) {
      this.#exactBudget().spendAll(known);
      return;
    }
    if (records.length > 0) this.#records.push(known);
    if (agencies.length > 0) this.#agencies.push(known);
  }

  allows(lookUps: number): boolean {
    return this.#isBelowLimit(lookUps) || this.#exactBudget().allows(lookUps);
  }

  #isBelowLimit(more: number): boolean {
    return this.#exact === undefined && this.#spent + more <= this.#most;
  }

  #tryToSpend(more: number): boolean {
    if (!this.#isBelowLimit(more)) return false;
    this.#spent += more;
    return true;
  }

  #exactBudget(): LookUpBudget {
    if (this.#exact) return this.#exact;
    const counted = createExactBudget(this.#most, this.#createMeter);
    this.#exact = counted;
    for (const spent of this.#records) {
      if (typeof spent === 'string') counted.spendRecord(spent);
      else for (const { name } of spent.records) counted.spendRecord(name);
    }
    for (const spent of this.#agencies) {
      if (typeof spent === 'string') counted.spendAgency(spent);
      else for (const { name } of spent.agencies) counted.spendAgency(name);
    }
    for (let others = this.#others; others > 0; others -= 1) counted.spendOther();
    return counted;
  }
}

function createExactBudget(most: number, createMeter: (() => BeginsRequest) | undefined): LookUpBudget {
  const records = new Set<HandleName>();
  const agencies = new Set<HandleName>();
  const beginsRequest = createMeter?.() ?? (() => agencies.size === 0);
  let spent = 0;
  let noMoreAgencies = false;

  function spendOther(): void {
    if (spent === most) throw tooMany(most);
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
    // The last request exceeded the limit, so the names that would share it fail too.
    if (noMoreAgencies) throw tooMany(most);
    if (beginsRequest(name)) {
      noMoreAgencies = spent === most;
      spendOther();
    }
    agencies.add(key);
  }

  return {
    spendRecord,
    spendAgency,
    spendOther,
    allows: (lookUps) => spent + lookUps <= most,
    spendAll(known) {
      for (const { name } of known.records) spendRecord(name);
      for (const { name } of known.agencies) spendAgency(name);
    },
  };
}

function tooMany(most: number): GatewayError {
  return new GatewayError('TOO_MANY_LOOKUPS', {
    message: `The operation needs more than the ${most} look-ups in the directory that this gateway allows. Ask for fewer names at once.`,
    details: { maxLookups: most },
  });
}
