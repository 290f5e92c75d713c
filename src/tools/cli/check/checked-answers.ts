// One part of the answers of `doi check`: whether names exist, the titles of works (--titles), or their updates (--updates).
// An answer comes from the lock file if its entry is recent enough, else from the gateway. The gateway gets each name once.

import { canonicalName, type DoiName } from 'doi-names';
import { LRUCache } from 'lru-cache';
import { tombstoneAt } from '../../../handle/tombstone.ts';
import { Failure } from '../../gateway-client/batched-queries.ts';
import { createLookUpNames, type NameAnswer } from '../../gateway-client/look-up-names.ts';
import { createLookUpWorks, NAMED_WORK, WORK_UPDATES } from '../../gateway-client/look-up-works.ts';
import { NoGatewayError } from '../../gateway-client/send-operation.ts';
import type { CommandCall, Gateway } from '../command.ts';
import { type AnswerParts, dateText, isRecent, type LockFile, type Stored } from './lock-file.ts';

export interface KnownPart<Part> {
  /** null if the part is unknown */
  readonly part: Part | null;
  /** why the look-up failed; else null. A part with a reason is from an older look-up. */
  readonly reason: string | null;
}

const NOT_LOOKED_UP: KnownPart<never> = { part: null, reason: null };

/** The largest number of names in memory. If a text has more names, the least recently used names need a second look-up. */
const MAX_REMEMBERED = { name: 100_000, work: 20_000, updates: 20_000 };

type Keep<Part> = (name: DoiName, part: Part) => void;
type LookUp<Part> = (names: readonly DoiName[]) => Promise<readonly (Part | Failure)[]>;
type LookUpOptions = Gateway & Pick<CommandCall, 'wait' | 'signal'>;

/** How to look up each part. `keep` stores an answer at once, because the user can interrupt the command during retries. */
const LOOK_UPS: {
  readonly [P in keyof AnswerParts]: (
    options: LookUpOptions,
    keep: Keep<AnswerParts[P]>,
  ) => LookUp<AnswerParts[P]>;
} = {
  name(options, keep) {
    const onFound = (name: DoiName, answer: NameAnswer) => keep(name, factsOf('found', answer));
    const lookUp = createLookUpNames({ ...options, onFound });
    return async (names) =>
      (await lookUp(names)).map((answer) => {
        const { outcome, reason } = answer;
        return outcome === 'unknown' ? new Failure(reason ?? '', 'nothing') : factsOf(outcome, answer);
      });
  },
  work: (options) => createLookUpWorks(NAMED_WORK, options),
  updates: (options) => createLookUpWorks(WORK_UPDATES, options),
};

function factsOf(outcome: 'found' | 'absent', { meant, alias, target }: NameAnswer): AnswerParts['name'] {
  const tombstone = target !== null && tombstoneAt(target) !== null ? target : null;
  return { outcome, meant, alias, tombstone };
}

interface CheckedAnswersOptions extends Pick<CommandCall, 'gateway' | 'now' | 'wait' | 'signal'> {
  readonly lock: LockFile | null;
  readonly maxAgeMs: number;
}

export class CheckedAnswers<P extends keyof AnswerParts> {
  readonly #part: P;
  readonly #options: CheckedAnswersOptions;
  /** by canonical name */
  readonly #known: LRUCache<string, KnownPart<Stored<P>>>;
  #lookUp: Promise<LookUp<AnswerParts[P]>> | undefined;
  #isSample = false;
  /** the number of answers from recent entries of the lock file, and the times of the oldest and the newest */
  #fromLock = 0;
  #oldestInLock: string | null = null;
  #newestInLock: string | null = null;

  constructor(part: P, options: CheckedAnswersOptions) {
    this.#part = part;
    this.#options = options;
    this.#known = new LRUCache({ max: MAX_REMEMBERED[part] });
  }

  /** whether names were looked up in the bundled sample */
  get isSample(): boolean {
    return this.#isSample;
  }

  /** The answers from recent entries of the lock file, and the times of the oldest and the newest. */
  get fromLock() {
    return { count: this.#fromLock, oldest: this.#oldestInLock, newest: this.#newestInLock };
  }

  /** If the name was not looked up, part and reason are null. */
  resultOf(name: DoiName): KnownPart<Stored<P>> {
    return this.#known.get(canonicalName(name)) ?? NOT_LOOKED_UP;
  }

  /** Returns each name once, without the names that are answered in memory, or recently in the lock file. */
  unansweredOf(names: readonly DoiName[]): readonly DoiName[] {
    const { maxAgeMs, now } = this.#options;
    const unknown = new Map<string, DoiName>();
    for (const name of names) {
      const canonical = canonicalName(name);
      if (this.#known.has(canonical) || unknown.has(canonical)) continue;
      const part = this.#stored(canonical);
      if (part !== null && isRecent(part, maxAgeMs, now())) {
        this.#known.set(canonical, { part, reason: null });
        this.#fromLock += 1;
        if (this.#oldestInLock === null || part.asked < this.#oldestInLock) this.#oldestInLock = part.asked;
        if (this.#newestInLock === null || part.asked > this.#newestInLock) this.#newestInLock = part.asked;
      } else unknown.set(canonical, name);
    }
    return [...unknown.values()];
  }

  /** Looks up the unknown names. Rejects with a UsageError if the gateway cannot be opened. */
  async lookUp(names: readonly DoiName[]): Promise<void> {
    const unknown = this.unansweredOf(names);
    if (unknown.length === 0) return;
    this.#lookUp ??= this.#open();
    const lookUp = await this.#lookUp;
    for (const [at, answer] of (await lookUp(unknown)).entries()) {
      const name = unknown[at] as DoiName;
      if (answer instanceof Failure) {
        const canonical = canonicalName(name);
        this.#known.set(canonical, { part: this.#stored(canonical), reason: answer.message });
      } else this.#keep(name, answer);
    }
  }

  async #open(): Promise<LookUp<AnswerParts[P]>> {
    const { gateway, wait, signal } = this.#options;
    try {
      const opened = await gateway();
      this.#isSample = opened.isSample;
      return LOOK_UPS[this.#part]({ ...opened, wait, signal }, (name, part) => this.#keep(name, part));
    } catch (error) {
      if (!(error instanceof NoGatewayError)) throw error;
      const failure = new Failure(error.message, 'later');
      return async (names) => names.map(() => failure);
    }
  }

  #stored(canonical: string): Stored<P> | null {
    return this.#options.lock?.part(canonical, this.#part) ?? null;
  }

  #keep(name: DoiName, answer: AnswerParts[P]): void {
    const canonical = canonicalName(name);
    const part: Stored<P> = { asked: dateText(this.#options.now()), ...answer };
    this.#known.set(canonical, { part, reason: null });
    // The lock file stores no answers of the sample, because they say nothing about the DOI system.
    if (!this.#isSample) this.#options.lock?.keep(canonical, this.#part, part, this.#options.maxAgeMs === 0);
  }
}
