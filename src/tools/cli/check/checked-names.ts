// The answers for the names of `doi check`. An answer comes from the lock file if its entry is recent enough, else from the
// gateway. The gateway gets each name once.

import { LRUCache } from 'lru-cache';
import { canonicalName, type DoiName } from '../../../doi/name.ts';
import {
  createLookUpNames,
  type LookUpNames,
  type NameAnswer,
  NOT_IN_SAMPLE,
  tombstoneAt,
} from '../../gateway-client/look-up-names.ts';
import { NoGatewayError } from '../../gateway-client/send-operation.ts';
import type { CommandCall } from '../command.ts';
import { dateText, isFresh, type LockEntry, type LockFile } from './lock-file.ts';

/** The answer for a name, with the time of its look-up. */
export interface NameResult extends Omit<LockEntry, 'outcome' | 'asked' | 'work' | 'updates'> {
  readonly outcome: NameAnswer['outcome'];
  /** the time of the look-up; null if the outcome is unknown */
  readonly asked: string | null;
  /** why the outcome is unknown, or why the result is an older entry of the lock file; else null */
  readonly reason: string | null;
}

export interface AnswerNamesOptions extends Pick<CommandCall, 'gateway' | 'now' | 'wait' | 'signal'> {
  readonly lock: LockFile | null;
  readonly maxAgeMs: number;
}

/** The largest number of names in memory. If a text has more names, the oldest names need a second look-up. */
const MAX_REMEMBERED = 100_000;

export class CheckedNames {
  readonly #options: AnswerNamesOptions;
  /** by canonical name */
  readonly #known = new LRUCache<string, NameResult>({ max: MAX_REMEMBERED });
  #lookUpNames: Promise<LookUpNames> | undefined;
  #isSample = false;

  constructor(options: AnswerNamesOptions) {
    this.#options = options;
  }

  /** Whether names were looked up in the bundled sample. */
  get isSample(): boolean {
    return this.#isSample;
  }

  /** Returns the answer in memory or in the lock file, or undefined if the name needs a look-up. */
  known(name: DoiName): NameResult | undefined {
    const canonical = canonicalName(name);
    const known = this.#known.get(canonical);
    if (known !== undefined) return known;
    const { lock, maxAgeMs, now } = this.#options;
    const stored = lock?.answer(canonical);
    if (stored === undefined || !isFresh(stored, maxAgeMs, now())) return undefined;
    return { ...stored, reason: null };
  }

  /** Throws if `lookUp` was not called for the name. */
  resultOf(name: DoiName): NameResult {
    const known = this.known(name);
    if (known === undefined) throw new Error(`${name} was not looked up`);
    return known;
  }

  /** Looks the names up. Rejects with a UsageError if the gateway cannot be opened. */
  async lookUp(names: readonly DoiName[]): Promise<void> {
    if (names.length === 0) return;
    this.#lookUpNames ??= this.#open();
    const lookUp = await this.#lookUpNames;
    const answers = await lookUp(names);
    for (const [at, name] of names.entries()) {
      const answer = answers[at];
      if (answer) this.#remember(canonicalName(name), answer);
    }
  }

  async #open(): Promise<LookUpNames> {
    const { gateway, wait, signal } = this.#options;
    try {
      const { send, maxLookups, isSample } = await gateway();
      this.#isSample = isSample;
      // Stores found names at once, because the user can interrupt the command during retries.
      const onFound = (name: DoiName, answer: NameAnswer) => this.#remember(canonicalName(name), answer);
      return createLookUpNames({ send, maxLookups, isSample, wait, signal, onFound });
    } catch (error) {
      if (!(error instanceof NoGatewayError)) throw error;
      const { message: reason } = error;
      return async (names) =>
        names.map(() => ({ outcome: 'unknown', reason, meant: [], alias: null, target: null }));
    }
  }

  #remember(canonical: string, { outcome, reason, meant, alias, target }: NameAnswer): void {
    const { lock, now } = this.#options;
    const tombstone = target !== null && tombstoneAt(target) !== null ? target : null;
    const stored = lock?.answer(canonical);
    if (outcome !== 'unknown') {
      const answer = { outcome, asked: dateText(now()), meant, alias, tombstone };
      this.#known.set(canonical, { ...answer, reason });
      // The lock file stores no answers of the sample, because they say nothing about the DOI system.
      if (!this.#isSample)
        lock?.keep(canonical, { ...answer, work: stored?.work ?? null, updates: stored?.updates ?? null });
    } else if (stored) this.#known.set(canonical, { ...stored, reason });
    else this.#known.set(canonical, { outcome, asked: null, reason, meant, alias, tombstone });
  }
}

export function isNotInSample({ outcome, reason }: NameResult): boolean {
  return outcome === 'unknown' && reason === NOT_IN_SAMPLE;
}
