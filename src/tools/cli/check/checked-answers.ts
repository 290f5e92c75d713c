// One part of the answers of `doi check`: whether names exist, the titles of works (--titles), their updates (--updates), or
// the works of references in words (--match). An answer comes from the lock file if its entry is recent enough, else from
// the gateway. The gateway gets each name, and each reference, once.

import { canonicalName, type DoiName } from 'doi-names';
import { LRUCache } from 'lru-cache';
import { tombstoneAt } from '../../../handle/tombstone.ts';
import { Failure, NO_ANSWER } from '../../gateway-client/batched-queries.ts';
import { createLookUpNames, type NameAnswer } from '../../gateway-client/look-up-names.ts';
import { createLookUpWorks, NAMED_WORK, WORK_UPDATES } from '../../gateway-client/look-up-works.ts';
import { createMatchReferences } from '../../gateway-client/match-references.ts';
import { NoGatewayError } from '../../gateway-client/send-operation.ts';
import type { CommandCall, Gateway } from '../command.ts';
import { dateText, isRecent, type LockFile } from './lock-file.ts';
import type { AnswerParts, Stored } from './lock-lines.ts';
import { matchPart, type SearchedReference } from './match-part.ts';

export interface KnownPart<Part> {
  /** null if the part is unknown */
  readonly part: Part | null;
  /** why the look-up failed; else null. A part with a reason is from an older look-up. */
  readonly reason: string | null;
}

const NOT_LOOKED_UP: KnownPart<never> = { part: null, reason: null };

/** The largest number of names in memory. If a text has more names, the least recently used names need a second look-up. */
const MAX_REMEMBERED = { name: 100_000, work: 20_000, updates: 20_000, match: 20_000 };

/** What a part is looked up for. */
type Item<P extends keyof AnswerParts> = P extends 'match' ? SearchedReference : DoiName;
type Keep<P extends keyof AnswerParts> = (item: Item<P>, part: AnswerParts[P]) => void;
type LookUp<P extends keyof AnswerParts> = (
  items: readonly Item<P>[],
) => Promise<readonly (AnswerParts[P] | Failure)[]>;
/** The reason on the line of each reference, because the whole reason is long. */
const SEARCH_OFF = new Failure('METADATA_OFF: the gateway does not search', 'nothing');

type LookUpOptions = Gateway & Pick<CommandCall, 'wait' | 'signal'>;

/**
 * How to look up each part. `keep` stores an answer at once, because the user can interrupt the command during retries.
 * `onOff` gets the whole reason if the gateway does not search. Then the function sends no more queries.
 */
const LOOK_UPS: {
  readonly [P in keyof AnswerParts]: (
    options: LookUpOptions,
    keep: Keep<P>,
    onOff: (reason: string) => void,
  ) => LookUp<P>;
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
  match(options, keep, onOff) {
    const searched = new Map<string, SearchedReference>();
    const match = createMatchReferences({
      ...options,
      onAnswer(text, answer) {
        const reference = searched.get(text);
        if (reference !== undefined) keep(reference, matchPart(reference, answer));
      },
    });
    let isOff = false;
    return async (references) => {
      searched.clear();
      for (const reference of references) searched.set(reference.text, reference);
      try {
        const answers = isOff ? [] : await match(references.map(({ text }) => text));
        return references.map((reference, at) => {
          const answer = isOff ? SEARCH_OFF : (answers[at] ?? NO_ANSWER);
          return answer instanceof Failure ? answer : matchPart(reference, answer);
        });
      } catch (error) {
        if (!(error instanceof NoGatewayError)) throw error;
        isOff = true;
        onOff(`METADATA_OFF: ${error.message}`);
        return references.map(() => SEARCH_OFF);
      }
    };
  },
};

function keyOf(item: DoiName | SearchedReference): string {
  return typeof item === 'string' ? canonicalName(item) : item.key;
}

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
  /** by canonical name, or by the key of a reference */
  readonly #known: LRUCache<string, KnownPart<Stored<P>>>;
  #lookUp: Promise<LookUp<P>> | undefined;
  #isSample = false;
  #offReason: string | null = null;
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

  /** why the gateway does not search; else null */
  get offReason(): string | null {
    return this.#offReason;
  }

  /** The answers from recent entries of the lock file, and the times of the oldest and the newest. */
  get fromLock() {
    return { count: this.#fromLock, oldest: this.#oldestInLock, newest: this.#newestInLock };
  }

  /** If the name was not looked up, part and reason are null. */
  resultOf(item: Item<P>): KnownPart<Stored<P>> {
    return this.#known.get(keyOf(item)) ?? NOT_LOOKED_UP;
  }

  /** Returns each name once, without the names that are answered in memory, or recently in the lock file. */
  unansweredOf(items: readonly Item<P>[]): readonly Item<P>[] {
    const { maxAgeMs, now } = this.#options;
    const unknown = new Map<string, Item<P>>();
    for (const item of items) {
      const key = keyOf(item);
      if (this.#known.has(key) || unknown.has(key)) continue;
      const part = this.#stored(key);
      if (part !== null && isRecent(part, maxAgeMs, now())) {
        this.#known.set(key, { part, reason: null });
        this.#fromLock += 1;
        if (this.#oldestInLock === null || part.asked < this.#oldestInLock) this.#oldestInLock = part.asked;
        if (this.#newestInLock === null || part.asked > this.#newestInLock) this.#newestInLock = part.asked;
      } else unknown.set(key, item);
    }
    return [...unknown.values()];
  }

  /** Looks up the unknown names. Rejects with a UsageError if the gateway cannot be opened. */
  async lookUp(items: readonly Item<P>[]): Promise<void> {
    const unknown = this.unansweredOf(items);
    if (unknown.length === 0) return;
    this.#lookUp ??= this.#open();
    const lookUp = await this.#lookUp;
    for (const [at, answer] of (await lookUp(unknown)).entries()) {
      const item = unknown[at] as Item<P>;
      if (answer instanceof Failure) {
        const key = keyOf(item);
        this.#known.set(key, { part: this.#stored(key), reason: answer.message });
      } else this.#keep(item, answer);
    }
  }

  async #open(): Promise<LookUp<P>> {
    const { gateway, wait, signal } = this.#options;
    try {
      const opened = await gateway();
      this.#isSample = opened.isSample;
      const keep: Keep<P> = (item, part) => this.#keep(item, part);
      return LOOK_UPS[this.#part]({ ...opened, wait, signal }, keep, (reason) => {
        this.#offReason = reason;
      });
    } catch (error) {
      if (!(error instanceof NoGatewayError)) throw error;
      const failure = new Failure(error.message, 'later');
      return async (items) => items.map(() => failure);
    }
  }

  #stored(key: string): Stored<P> | null {
    return this.#options.lock?.part(key, this.#part) ?? null;
  }

  #keep(item: Item<P>, answer: AnswerParts[P]): void {
    const key = keyOf(item);
    const part: Stored<P> = { asked: dateText(this.#options.now()), ...answer };
    this.#known.set(key, { part, reason: null });
    // The lock file stores no answers of the sample, because they say nothing about the DOI system.
    if (!this.#isSample) this.#options.lock?.keep(key, this.#part, part, this.#options.maxAgeMs === 0);
  }
}
