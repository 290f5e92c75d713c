// The works of names, for --titles: from the lock file if the entry is recent enough, else from the gateway. Each name is
// looked up once.

import { canonicalName, type DoiName } from '../../../doi/name.ts';
import type { NamedWork } from '../../../metadata/reference-fit.ts';
import { Failure } from '../../gateway-client/batched-queries.ts';
import { createLookUpWorks, type LookUpWorks } from '../../gateway-client/look-up-works.ts';
import { NoGatewayError } from '../../gateway-client/send-operation.ts';
import { dateText, isFresh } from './lock-file.ts';
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

export interface KnownWork {
  /** null: the agency has no metadata, or the work is unknown */
  readonly work: NamedWork | null;
  /** why the work is unknown, or why an old entry is used; else null */
  readonly reason: string | null;
  /** an old entry is used because the look-up failed */
  readonly isOld: boolean;
}

const NOT_ASKED: KnownWork = { work: null, reason: null, isOld: false };

/** Stored if the agency has no metadata. */
const NO_WORK: NamedWork = { title: null, authors: [], year: null };

/** Names in memory, at most. In a longer text, other names are looked up again. */
const MOST_REMEMBERED = 20_000;

export class WorkAnswers {
  readonly #options: AnswerNamesOptions;
  /** by canonical name */
  readonly #known = new Map<string, KnownWork>();
  #lookUp: Promise<LookUpWorks> | undefined;
  #isSample = false;

  constructor(options: AnswerNamesOptions) {
    this.#options = options;
  }

  /** The result of a look-up that has been made. */
  of(name: DoiName): KnownWork {
    return this.#known.get(canonicalName(name)) ?? NOT_ASKED;
  }

  /** Looks the names up. Rejects with a UsageError if the gateway cannot be opened. */
  async ask(names: readonly DoiName[]): Promise<void> {
    const { lock, maxAgeMs, now } = this.#options;
    const unknown = new Map<string, DoiName>();
    for (const name of names) {
      const canonical = canonicalName(name);
      if (this.#known.has(canonical) || unknown.has(canonical)) continue;
      const kept = lock?.answer(canonical)?.work ?? null;
      if (kept !== null && isFresh(kept, maxAgeMs, now())) {
        this.#remember(canonical, { work: kept, reason: null, isOld: false });
      } else unknown.set(canonical, name);
    }
    if (unknown.size === 0) return;
    this.#lookUp ??= this.#open();
    const lookUp = await this.#lookUp;
    const answers = await lookUp([...unknown.values()]);
    for (const [at, canonical] of [...unknown.keys()].entries()) this.#take(canonical, answers[at]);
  }

  async #open(): Promise<LookUpWorks> {
    const { gateway, wait, signal } = this.#options;
    try {
      const { ask, isSample } = await gateway();
      this.#isSample = isSample;
      return createLookUpWorks({ ask, wait: (ms) => wait(ms), signal });
    } catch (error) {
      if (!(error instanceof NoGatewayError)) throw error;
      const failure = new Failure(error.message, 'later');
      return async (names) => names.map(() => failure);
    }
  }

  #take(canonical: string, answer: NamedWork | Failure | null | undefined): void {
    const { lock, now } = this.#options;
    if (answer instanceof Failure) {
      const kept = lock?.answer(canonical)?.work ?? null;
      this.#remember(canonical, { work: kept, reason: answer.message, isOld: kept !== null });
      return;
    }
    const work = answer ?? null;
    this.#remember(canonical, { work, reason: null, isOld: false });
    const kept = { asked: dateText(now()), ...(work ?? NO_WORK) };
    // The sample says nothing about the DOI system.
    if (!this.#isSample) lock?.keepWork(canonical, kept);
  }

  #remember(canonical: string, known: KnownWork): void {
    const [oldest] = this.#known.size < MOST_REMEMBERED ? [] : this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(canonical, known);
  }
}
