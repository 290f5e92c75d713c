// Counts what one operation asks of the directory, over all of its fields, lists and alias chains.

import type { BeginsRequest, DescribeOptions } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import { GatewayError } from '../errors.ts';
import { formatKey, type MetadataFormat } from '../metadata/metadata-format.ts';

// Counts what one operation asks agencies for.

export interface MetadataQuestion {
  readonly name: HandleName;
  readonly format: MetadataFormat;
  readonly mayRequest?: DescribeOptions['mayRequest'];
}

/** Two questions with the same key are one. */
export function metadataKey({ name, format }: MetadataQuestion): string {
  return `${formatKey(format)} ${canonicalName(name)}`;
}

export interface MetadataBudget {
  /** A name counts once for each format. Throws TOO_MANY_LOOKUPS for one more than is allowed. */
  spend(question: MetadataQuestion): void;
  /** Whether there is room for so many, whatever they are. */
  hasRoomFor(questions: number): boolean;
  /** As if each were spent; is to be asked first whether there is room for them. */
  spendAll(questions: readonly MetadataQuestion[]): void;
}

export function createMetadataBudget(most: number): MetadataBudget {
  return new Budget(most);
}

/** Which questions are the same is found out only where there could be too many of them. */
class Budget implements MetadataBudget {
  readonly #most: number;
  readonly #asked: (MetadataQuestion | readonly MetadataQuestion[])[] = [];
  /** each as often as it was asked for */
  #spent = 0;
  #keys: Set<string> | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  spend(question: MetadataQuestion): void {
    if (this.#takes(1)) this.#asked.push(question);
    else this.#spendExactly(question);
  }

  spendAll(questions: readonly MetadataQuestion[]): void {
    if (questions.length === 0) return;
    if (this.#takes(questions.length)) this.#asked.push(questions);
    else for (const question of questions) this.#spendExactly(question);
  }

  hasRoomFor(questions: number): boolean {
    return this.#canTake(questions) || this.#counted().size + questions <= this.#most;
  }

  #canTake(more: number): boolean {
    return this.#keys === undefined && this.#spent + more <= this.#most;
  }

  #takes(more: number): boolean {
    if (!this.#canTake(more)) return false;
    this.#spent += more;
    return true;
  }

  #spendExactly(question: MetadataQuestion): void {
    const keys = this.#counted();
    const key = metadataKey(question);
    if (keys.size === this.#most && !keys.has(key)) throw tooManyWorks(this.#most);
    keys.add(key);
  }

  #counted(): Set<string> {
    this.#keys ??= new Set(this.#asked.flat().map(metadataKey));
    return this.#keys;
  }
}

function tooManyWorks(most: number): GatewayError {
  return new GatewayError('TOO_MANY_LOOKUPS', {
    message: `The operation asks agencies for more than the ${most} pieces of metadata that this gateway allows. Ask for fewer names at once.`,
    details: { maxMetadata: most },
  });
}

/** Each throws TOO_MANY_LOOKUPS, with the number that is allowed, for one look-up more than that. */
export interface LookUpBudget {
  /** A name counts once, however often and in whatever case its record is asked for. */
  spendRecord(name: HandleName): void;
  /** The Which RA requests count that it would take to ask for all names, each of them once. */
  spendAgency(name: HandleName): void;
  /** A look-up that is asked for once. */
  spendOther(): void;
  /** Whether there is room for so many, whatever they are. */
  hasRoomFor(lookUps: number): boolean;
  /** As if each were spent; is to be asked first whether there is room for them. */
  spendAll(known: KnownLookUps): void;
}

export interface KnownLookUps {
  readonly records: readonly { readonly name: HandleName }[];
  readonly agencies: readonly { readonly name: HandleName }[];
}

/** @param createMeter where there is none, all agencies are asked for by one request */
export function createLookUpBudget(most: number, createMeter?: () => BeginsRequest): LookUpBudget {
  return new RoughBudget(most, createMeter);
}

/**
 * Most operations cannot come to the limit, even if no name of theirs came twice and each took a Which RA request
 * of its own. Only one that could is counted exactly, from its beginning.
 */
class RoughBudget implements LookUpBudget {
  readonly #most: number;
  readonly #createMeter: (() => BeginsRequest) | undefined;
  // In the order in which they were asked for: on it depends which agencies are asked for together.
  readonly #records: (HandleName | KnownLookUps)[] = [];
  readonly #agencies: (HandleName | KnownLookUps)[] = [];
  #others = 0;
  /** all of these, each as often as it was asked for */
  #spent = 0;
  #exact: LookUpBudget | undefined;

  constructor(most: number, createMeter: (() => BeginsRequest) | undefined) {
    this.#most = most;
    this.#createMeter = createMeter;
  }

  spendRecord(name: HandleName): void {
    if (this.#takes(1)) this.#records.push(name);
    else this.#counted().spendRecord(name);
  }

  spendAgency(name: HandleName): void {
    if (this.#takes(1)) this.#agencies.push(name);
    else this.#counted().spendAgency(name);
  }

  spendOther(): void {
    if (this.#takes(1)) this.#others += 1;
    else this.#counted().spendOther();
  }

  spendAll(known: KnownLookUps): void {
    const { records, agencies } = known;
    if (!this.#takes(records.length + agencies.length)) {
      this.#counted().spendAll(known);
      return;
    }
    if (records.length > 0) this.#records.push(known);
    if (agencies.length > 0) this.#agencies.push(known);
  }

  hasRoomFor(lookUps: number): boolean {
    return this.#canTake(lookUps) || this.#counted().hasRoomFor(lookUps);
  }

  #canTake(more: number): boolean {
    return this.#exact === undefined && this.#spent + more <= this.#most;
  }

  #takes(more: number): boolean {
    if (!this.#canTake(more)) return false;
    this.#spent += more;
    return true;
  }

  #counted(): LookUpBudget {
    if (this.#exact) return this.#exact;
    const counted = createExactBudget(this.#most, this.#createMeter);
    this.#exact = counted;
    for (const asked of this.#records) {
      if (typeof asked === 'string') counted.spendRecord(asked);
      else for (const { name } of asked.records) counted.spendRecord(name);
    }
    for (const asked of this.#agencies) {
      if (typeof asked === 'string') counted.spendAgency(asked);
      else for (const { name } of asked.agencies) counted.spendAgency(name);
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
    // A request that was refused has no room for the names that come after it.
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
    hasRoomFor: (lookUps) => spent + lookUps <= most,
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
