// Finds titles (--titles) or updates (--updates) of works: in the lock file if the entry is recent enough, else at the
// gateway. Each name is looked up once.

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

/** The number of names to look up together: few at first, then as many as take about a second. */
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
  /** null if unknown */
  readonly part: Part | null;
  /** why the part is unknown, or why an old entry is used; else null */
  readonly reason: string | null;
  /** whether this is an old entry, because the look-up failed */
  readonly isOld: boolean;
}

const NOT_LOOKED_UP: KnownPart<never> = { part: null, reason: null, isOld: false };

/** The largest number of names in memory. If a text has more names, the oldest are forgotten and looked up again. */
const MAX_REMEMBERED = 20_000;

export class CheckedWorks<Name extends keyof WorkParts> {
  readonly #name: Name;
  readonly #query: WorkQuery<WorkParts[Name]>;
  readonly #options: AnswerNamesOptions;
  /** by canonical name */
  readonly #known = new Map<string, KnownPart<WorkParts[Name]>>();
  #lookUp: Promise<LookUpWorks<WorkParts[Name]>> | undefined;
  #isSample = false;

  constructor(name: Name, query: WorkQuery<WorkParts[Name], never>, options: AnswerNamesOptions) {
    this.#name = name;
    this.#query = query as WorkQuery<WorkParts[Name]>;
    this.#options = options;
  }

  /** The result of an earlier `ask`. */
  of(name: DoiName): KnownPart<WorkParts[Name]> {
    return this.#known.get(canonicalName(name)) ?? NOT_LOOKED_UP;
  }

  /** Looks up the names that are not known yet. Rejects with a UsageError if the gateway cannot be opened. */
  async ask(names: readonly DoiName[]): Promise<void> {
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
    this.#lookUp ??= this.#open();
    const lookUp = await this.#lookUp;
    const answers = await lookUp([...unknown.values()]);
    for (const [at, canonical] of [...unknown.keys()].entries()) {
      this.#remember(canonical, answers[at] as WorkParts[Name] | Failure);
    }
  }

  async #open(): Promise<LookUpWorks<WorkParts[Name]>> {
    const { gateway, wait, signal } = this.#options;
    try {
      const { ask, isSample } = await gateway();
      this.#isSample = isSample;
      return createLookUpWorks(this.#query, { ask, wait: (ms) => wait(ms), signal });
    } catch (error) {
      if (!(error instanceof NoGatewayError)) throw error;
      const failure = new Failure(error.message, 'later');
      return async (names) => names.map(() => failure);
    }
  }

  /** The part in the lock file. */
  #stored(canonical: string): (WorkParts[Name] & { readonly asked: string }) | null {
    const kept: LockedParts | undefined = this.#options.lock?.answer(canonical);
    return kept?.[this.#name] ?? null;
  }

  #remember(canonical: string, answer: WorkParts[Name] | Failure): void {
    const { lock, now } = this.#options;
    if (answer instanceof Failure) {
      const part = this.#stored(canonical);
      this.#set(canonical, { part, reason: answer.message, isOld: part !== null });
      return;
    }
    this.#set(canonical, { part: answer, reason: null, isOld: false });
    // The lock file stores no answers of the sample: they say nothing about the DOI system.
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
