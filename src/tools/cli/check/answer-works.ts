// What names name, for --titles: from the lock file where that is young enough, else from the gateway, each name once.

import { canonicalName, type DoiName } from '../../../doi/name.ts';
import type { NamedWork } from '../../../metadata/reference-fit.ts';
import { AskError } from '../../gateway-client/ask.ts';
import { Failure } from '../../gateway-client/ask-each.ts';
import { createLookUpWorks, type LookUpWorks } from '../../gateway-client/look-up-works.ts';
import { dateTold, isFresh } from './lock-file.ts';
import type { AnswerNamesOptions } from './name-answers.ts';

// How many names are looked up together: few at first, so that lines come soon, then as many as take about a second.

const FIRST = 10;
const FEWEST = 5;
const MOST = 100;
const QUICK_MS = 500;
const SLOW_MS = 1_500;

export class BatchSize {
  #size = FIRST;

  get size(): number {
    return this.#size;
  }

  /** @param ms what the last batch took */
  learn(ms: number): void {
    if (ms < QUICK_MS) this.#size = Math.min(MOST, 2 * this.#size);
    else if (ms > SLOW_MS) this.#size = Math.max(FEWEST, Math.floor(this.#size / 2));
  }
}

export interface KnownWork {
  /** null where the agency describes none, and where it is not known */
  readonly work: NamedWork | null;
  /** why it is not known, or why an old answer stands; else null */
  readonly reason: string | null;
  /** an answer that was kept, and could not be asked again */
  readonly isOld: boolean;
}

const NOT_ASKED: KnownWork = { work: null, reason: null, isOld: false };

/** What is kept where an agency describes none. */
const NO_WORK: NamedWork = { title: null, authors: [], year: null };

/** Names that are remembered at the most: of a longer text, others are asked again. */
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

  /** What has been asked. */
  of(name: DoiName): KnownWork {
    return this.#known.get(canonicalName(name)) ?? NOT_ASKED;
  }

  /** Makes them known. Rejects with a UsageError where the gateway cannot be opened as it is configured. */
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
      if (!(error instanceof AskError)) throw error;
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
    const kept = { asked: dateTold(now()), ...(work ?? NO_WORK) };
    // What a sample holds says nothing of the DOI system.
    if (!this.#isSample) lock?.keepWork(canonical, kept);
  }

  #remember(canonical: string, known: KnownWork): void {
    const [oldest] = this.#known.size < MOST_REMEMBERED ? [] : this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(canonical, known);
  }
}
