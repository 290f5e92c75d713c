// The titles (--titles) or updates (--updates) of works for `doi check`. A title or update comes from the lock file if its
// entry is recent enough, else from the gateway. The gateway gets each name once.

import { LRUCache } from 'lru-cache';
import { canonicalName, type DoiName } from '../../../doi/name.ts';
import { Failure } from '../../gateway-client/batched-queries.ts';
import { createLookUpWorks, type LookUpWorks, type WorkQuery } from '../../gateway-client/look-up-works.ts';
import { NoGatewayError } from '../../gateway-client/send-operation.ts';
import type { AnswerNamesOptions } from './checked-names.ts';
import { dateText, isFresh, type LockedParts, type WorkParts } from './lock-file.ts';

export interface KnownPart<Part> {
  /** null if the part is unknown */
  readonly part: Part | null;
  /** why the look-up failed; else null. A part with a reason is from an older look-up. */
  readonly reason: string | null;
}

const NOT_LOOKED_UP: KnownPart<never> = { part: null, reason: null };

/** The largest number of names in memory. If a text has more names, the oldest names need a second look-up. */
const MAX_REMEMBERED = 20_000;

export class CheckedWorks<Name extends keyof WorkParts> {
  readonly #name: Name;
  readonly #query: WorkQuery<WorkParts[Name]>;
  readonly #options: AnswerNamesOptions;
  /** by canonical name */
  readonly #known = new LRUCache<string, KnownPart<WorkParts[Name]>>({ max: MAX_REMEMBERED });
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
        this.#known.set(canonical, { part, reason: null });
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
      return createLookUpWorks(this.#query, { send, wait, signal });
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
      this.#known.set(canonical, { part: this.#stored(canonical), reason: answer.message });
      return;
    }
    this.#known.set(canonical, { part: answer, reason: null });
    // The lock file stores no answers of the sample, because they say nothing about the DOI system.
    if (!this.#isSample) {
      lock?.keepPart(canonical, { [this.#name]: { asked: dateText(now()), ...answer } });
    }
  }
}
