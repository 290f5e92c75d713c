// The answers for names: from the lock file where they are young enough, else from the gateway, each name once.

import { canonicalName, type DoiName } from '../../../doi/name.ts';
import { AskError } from '../../gateway-client/ask.ts';
import {
  createLookUpNames,
  type LookUpNames,
  type NameAnswer,
  NOT_IN_SAMPLE,
  tombstoneAt,
} from '../../gateway-client/look-up-names.ts';
import type { CommandCall } from '../command.ts';
import { dateTold, isFresh, type KeptAnswer, type LockFile } from './lock-file.ts';

/** What is known of a name, and from when. */
export interface KnownName extends Omit<KeptAnswer, 'outcome' | 'asked' | 'work'> {
  readonly outcome: NameAnswer['outcome'];
  /** null where it is unknown */
  readonly asked: string | null;
  /** why it is unknown, or why an old answer stands; else null */
  readonly reason: string | null;
}

export interface AnswerNamesOptions extends Pick<CommandCall, 'gateway' | 'now' | 'wait' | 'signal'> {
  readonly lock: LockFile | null;
  readonly maxAgeMs: number;
}

/** Names that are remembered at the most: of a longer text, others are asked again. */
const MOST_REMEMBERED = 100_000;

export class NameAnswers {
  readonly #options: AnswerNamesOptions;
  /** by canonical name */
  readonly #known = new Map<string, KnownName>();
  #lookUp: Promise<LookUpNames> | undefined;
  #isSample: boolean = false;

  constructor(options: AnswerNamesOptions) {
    this.#options = options;
  }

  /** Whether names were asked of the bundled sample. */
  get isSample(): boolean {
    return this.#isSample;
  }

  /** Undefined where the name has still to be asked. */
  known(name: DoiName): KnownName | undefined {
    const canonical = canonicalName(name);
    const known = this.#known.get(canonical);
    if (known !== undefined) return known;
    const { lock, maxAgeMs, now } = this.#options;
    const kept = lock?.answer(canonical);
    if (kept === undefined || !isFresh(kept, maxAgeMs, now())) return undefined;
    return { ...kept, reason: null };
  }

  /** What has just been asked. */
  asked(name: DoiName): KnownName {
    const known = this.known(name);
    if (known === undefined) throw new Error(`nothing is known of ${name}`);
    return known;
  }

  /** Makes them known. Rejects with a UsageError where the gateway cannot be opened as it is configured. */
  async ask(names: readonly DoiName[]): Promise<void> {
    if (names.length === 0) return;
    this.#lookUp ??= this.#open();
    const lookUp = await this.#lookUp;
    const answers = await lookUp(names);
    for (const [at, name] of names.entries()) {
      const answer = answers[at];
      if (answer) this.#remember(canonicalName(name), answer);
    }
  }

  async #open(): Promise<LookUpNames> {
    const { gateway, wait, signal } = this.#options;
    try {
      const { ask, maxLookups, isSample } = await gateway();
      this.#isSample = isSample;
      // What is found is kept at once: the call may be interrupted while other names are retried.
      const onFound = (name: DoiName, answer: NameAnswer) => this.#remember(canonicalName(name), answer);
      return createLookUpNames({ ask, maxLookups, isSample, wait: (ms) => wait(ms), signal, onFound });
    } catch (error) {
      if (!(error instanceof AskError)) throw error;
      const { message: reason } = error;
      return async (names) =>
        names.map(() => ({ outcome: 'unknown', reason, meant: [], alias: null, target: null }));
    }
  }

  #remember(canonical: string, { outcome, reason, meant, alias, target }: NameAnswer): void {
    const { lock, now } = this.#options;
    const tombstone = target !== null && tombstoneAt(target) !== null ? target : null;
    const kept = lock?.answer(canonical);
    const [oldest] = this.#known.size < MOST_REMEMBERED ? [] : this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
    if (outcome !== 'unknown') {
      const answer = { outcome, asked: dateTold(now()), meant, alias, tombstone };
      this.#known.set(canonical, { ...answer, reason });
      // What a sample holds says nothing of the DOI system.
      if (!this.#isSample) lock?.keep(canonical, { ...answer, work: kept?.work ?? null });
    } else if (kept) this.#known.set(canonical, { ...kept, reason });
    else this.#known.set(canonical, { outcome, asked: null, reason, meant, alias, tombstone });
  }
}

export function isNotInSample({ outcome, reason }: KnownName): boolean {
  return outcome === 'unknown' && reason === NOT_IN_SAMPLE;
}
