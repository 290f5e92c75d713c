// The works of names, for --titles and --updates: from the lock file if the entry is recent enough, else from the
// gateway. Each name is looked up once.

import { canonicalName, type DoiName } from '../../../doi/name.ts';
import { Failure } from '../../gateway-client/batched-queries.ts';
import { createLookUpWorks, type LookUpWorks, type WorkPart } from '../../gateway-client/look-up-works.ts';
import { NoGatewayError } from '../../gateway-client/send-operation.ts';
import { dateText, isFresh, type KeptParts, type WorkParts } from './lock-file.ts';
import type { AnswerNamesOptions } from './name-answers.ts';

const FIRST = 10;
const FEWEST = 5;
const MOST = 100;
const QUICK_MS = 500;
const SLOW_MS = 1_500;

/** The number of names to look up together: few at first, then as many as take about a second. */
export class BatchSize {
  #size = FIRST;

  get size(): number {
    return this.#size;
  }

  /** @param ms the duration of the last batch */
  learn(ms: number): void {
    if (ms < QUICK_MS) this.#size = Math.min(MOST, 2 * this.#size);
    else if (ms > SLOW_MS) this.#size = Math.max(FEWEST, Math.floor(this.#size / 2));
  }
}

export interface Known<Part> {
  /** null: unknown */
  readonly part: Part | null;
  /** why it is unknown, or why an old entry is used; else null */
  readonly reason: string | null;
  /** an old entry is used because the look-up failed */
  readonly isOld: boolean;
}

const NOT_ASKED: Known<never> = { part: null, reason: null, isOld: false };

/** Names in memory, at most. In a longer text, other names are looked up again. */
const MOST_REMEMBERED = 20_000;

export class WorkAnswers<Name extends keyof WorkParts> {
  readonly #name: Name;
  readonly #query: WorkPart<WorkParts[Name]>;
  readonly #options: AnswerNamesOptions;
  /** by canonical name */
  readonly #known = new Map<string, Known<WorkParts[Name]>>();
  #lookUp: Promise<LookUpWorks<WorkParts[Name]>> | undefined;
  #isSample = false;

  constructor(name: Name, query: WorkPart<WorkParts[Name], never>, options: AnswerNamesOptions) {
    this.#name = name;
    this.#query = query as WorkPart<WorkParts[Name]>;
    this.#options = options;
  }

  /** The result of a look-up that has been made. */
  of(name: DoiName): Known<WorkParts[Name]> {
    return this.#known.get(canonicalName(name)) ?? NOT_ASKED;
  }

  /** Looks the names up. Rejects with a UsageError if the gateway cannot be opened. */
  async ask(names: readonly DoiName[]): Promise<void> {
    const { maxAgeMs, now } = this.#options;
    const unknown = new Map<string, DoiName>();
    for (const name of names) {
      const canonical = canonicalName(name);
      if (this.#known.has(canonical) || unknown.has(canonical)) continue;
      const part = this.#kept(canonical);
      if (part !== null && isFresh(part, maxAgeMs, now())) {
        this.#remember(canonical, { part, reason: null, isOld: false });
      } else unknown.set(canonical, name);
    }
    if (unknown.size === 0) return;
    this.#lookUp ??= this.#open();
    const lookUp = await this.#lookUp;
    const answers = await lookUp([...unknown.values()]);
    for (const [at, canonical] of [...unknown.keys()].entries()) {
      this.#take(canonical, answers[at] as WorkParts[Name] | Failure);
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

  #kept(canonical: string): (WorkParts[Name] & { readonly asked: string }) | null {
    const kept: KeptParts | undefined = this.#options.lock?.answer(canonical);
    return kept?.[this.#name] ?? null;
  }

  #take(canonical: string, answer: WorkParts[Name] | Failure): void {
    const { lock, now } = this.#options;
    if (answer instanceof Failure) {
      const part = this.#kept(canonical);
      this.#remember(canonical, { part, reason: answer.message, isOld: part !== null });
      return;
    }
    this.#remember(canonical, { part: answer, reason: null, isOld: false });
    // The sample says nothing about the DOI system.
    if (!this.#isSample) {
      lock?.keepPart(canonical, { [this.#name]: { ...answer, asked: dateText(now()) } });
    }
  }

  #remember(canonical: string, known: Known<WorkParts[Name]>): void {
    const [oldest] = this.#known.size < MOST_REMEMBERED ? [] : this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(canonical, known);
  }
}
