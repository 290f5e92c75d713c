// The titles (--titles) or updates (--updates) of works for `doi check`. They come from the lock file if the entry is recent
// enough, else from the gateway. The gateway gets each name once.

import { canonicalName, type DoiName } from '../../../doi/name.ts';
import { Failure } from '../../gateway-client/batched-queries.ts';
import { createLookUpWorks, type LookUpWorks, type WorkQuery } from '../../gateway-client/look-up-works.ts';
import { NoGatewayError } from '../../gateway-client/send-operation.ts';
import type { AnswerNamesOptions } from './checked-names.ts';
import { dateText, isFresh, type LockedParts, type WorkParts } from './lock-file.ts';

const FIRST_SIZE = 10;
const MIN_SIZE = 5;
const MAX_SIZE = 100;
const QUICK_MS = 500;
const SLOW_MS = 1_500;

/** The number of names to look up together. It begins small, and changes until a batch takes about a second. */
export class BatchSize {
  #size = FIRST_SIZE;

  get size(): number {
    return this.#size;
  }

  /** @param ms the duration of the last batch */
  learn(ms: number): void {
    if (ms < QUICK_MS) this.#size = Math.min(MAX_SIZE, 2 * this.#size);
    else if (ms > SLOW_MS) this.#size = Math.max(MIN_SIZE, Math.floor(this.#size / 2));
  }
}

export interface KnownPart<Part> {
  /** null if the part is unknown */
  readonly part: Part | null;
  /** why the part is unknown, or why the part is an old entry; else null */
  readonly reason: string | null;
  /** whether the part is an old entry, because the look-up failed */
  readonly isOld: boolean;
}

const NOT_LOOKED_UP: KnownPart<never> = { part: null, reason: null, isOld: false };

/** The largest number of names in memory. If a text has more names, the oldest names need a second look-up. */
const MAX_REMEMBERED = 20_000;

export class CheckedWorks<Name extends keyof WorkParts> {
  readonly #name: Name;
  readonly #query: WorkQuery<WorkParts[Name]>;
  readonly #options: AnswerNamesOptions;
  /** by canonical name */
  readonly #known = new Map<string, KnownPart<WorkParts[Name]>>();
  #lookUpWorks: Promise<LookUpWorks<WorkParts[Name]>> | undefined;
  #isSample = false;

  constructor(name: Name, query: WorkQuery<WorkParts[Name], never>, options: AnswerNamesOptions) {
    this.#name = name;
    this.#query = query as WorkQuery<WorkParts[Name]>;
    this.#options = options;
  }

  /** If `lookUp` was not called for the name, the part is null. */
  resultOf(name: DoiName): KnownPart<WorkParts[Name]> {
    return this.#known.get(canonicalName(name)) ?? NOT_LOOKED_UP;
  }

  /** Looks up the names that are not known yet. Rejects with a UsageError if the gateway cannot be opened. */
  async lookUp(names: readonly DoiName[]): Promise<void> {
    const { maxAgeMs, now } = this.#options;
    const unknown = new Map<string, DoiName>();
    for (const name of names) {
      const canonical = canonicalName(name);
      if (this.#known.has(canonical) || unknown.has(canonical)) continue;
      const part = this.#stored(canonical);
      if (part !== null && isFresh(part, maxAgeMs, now())) {
        this.#set(canonical, { part, reason: null, isOld: false });
      } else unknown.set(canonical, name);
    }
    if (unknown.size === 0) return;
    this.#lookUpWorks ??= this.#open();
    const lookUp = await this.#lookUpWorks;
    const answers = await lookUp([...unknown.values()]);
    for (const [at, canonical] of [...unknown.keys()].entries()) {
      this.#remember(canonical, answers[at] as WorkParts[Name] | Failure);
    }
  }

  async #open(): Promise<LookUpWorks<WorkParts[Name]>> {
    const { gateway, wait, signal } = this.#options;
    try {
      const { send, isSample } = await gateway();
      this.#isSample = isSample;
      return createLookUpWorks(this.#query, { send, wait: (ms) => wait(ms), signal });
    } catch (error) {
      if (!(error instanceof NoGatewayError)) throw error;
      const failure = new Failure(error.message, 'later');
      return async (names) => names.map(() => failure);
    }
  }

  #stored(canonical: string): (WorkParts[Name] & { readonly asked: string }) | null {
    const entry: LockedParts | undefined = this.#options.lock?.answer(canonical);
    return entry?.[this.#name] ?? null;
  }

  #remember(canonical: string, answer: WorkParts[Name] | Failure): void {
    const { lock, now } = this.#options;
    if (answer instanceof Failure) {
      const part = this.#stored(canonical);
      this.#set(canonical, { part, reason: answer.message, isOld: part !== null });
      return;
    }
    this.#set(canonical, { part: answer, reason: null, isOld: false });
    // The lock file stores no answers of the sample, because they say nothing about the DOI system.
    if (!this.#isSample) {
      lock?.keepPart(canonical, { [this.#name]: { ...answer, asked: dateText(now()) } });
    }
  }

  #set(canonical: string, known: KnownPart<WorkParts[Name]>): void {
    const [oldest] = this.#known.size < MAX_REMEMBERED ? [] : this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(canonical, known);
  }
}
