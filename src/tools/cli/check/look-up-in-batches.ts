// Looks up the references of texts in batches, and writes the results in the order of the texts.

import { LRUCache } from 'lru-cache';
import { canonicalName, type DoiName } from '../../../doi/name.ts';
import { safeText } from '../../../safe-text.ts';
import type { CommandCall } from '../command.ts';
import type { Reference } from '../find-in-input.ts';
import { countText, type StatusLine } from '../output.ts';
import type { CheckedAnswers, KnownPart } from './checked-answers.ts';
import { Tally } from './count-references.ts';
import { asAnnotation, asJson, checkedReference, type NameFacts, referenceLine } from './reference-line.ts';

/** The largest number of references that wait for a look-up. */
const MAX_WAITING = 1_000;

/** The largest number of names in memory that fit at a place. */
const MAX_FITTING = 100_000;

/** The summary lists at most this many names whose answer changed. */
const MAX_CHANGED_NAMES = 50;

/** The decoder writes this character instead of bytes that are not UTF-8. */
const REPLACEMENT = '\uFFFD';
const UNREADABLE = { part: null, reason: 'It contains bytes that are not UTF-8.' };

/** Titles and updates of this many works are looked up together, so that the gateway sends full lists to the agencies. */
const WORKS_AT_ONCE = 50;

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

interface CheckParts {
  readonly format: 'words' | 'json' | 'github';
  /** whether to write only the references that the user should look at */
  readonly isQuiet: boolean;
  readonly isStrict: boolean;
  readonly names: CheckedAnswers<'name'>;
  /** null without --titles */
  readonly works: CheckedAnswers<'work'> | null;
  /** null without --updates */
  readonly updates: CheckedAnswers<'updates'> | null;
  /** the canonical names of --accept */
  readonly accepted: ReadonlySet<string>;
  readonly status: StatusLine;
}

type CheckCall = Pick<CommandCall, 'stdout' | 'now' | 'signal'>;

export class Check {
  readonly tally = new Tally();
  readonly #call: CheckCall;
  readonly #parts: CheckParts;
  readonly #batch = new BatchSize();
  /** the number of names that were looked up */
  #lookedUp = 0;
  /** the canonical names that fit at a place */
  readonly #fitting = new LRUCache<string, true>({ max: MAX_FITTING });
  #waiting: Reference[] = [];
  /** the number of waiting references that need a look-up */
  #needingLookUp = 0;
  /** references whose names have answers, and whose works wait for a full list */
  #checked: Reference[] = [];

  constructor(call: CheckCall, parts: CheckParts) {
    this.#call = call;
    this.#parts = parts;
  }

  /** Reads the references of one text. A batch can contain references of several texts. */
  async read(references: AsyncIterable<Reference>): Promise<void> {
    for await (const reference of references) {
      this.#waiting.push(reference);
      this.#needingLookUp += this.#unknown([reference]).length;
      if (this.#needingLookUp >= this.#batch.size || this.#waiting.length >= MAX_WAITING)
        await this.#finishBatch();
      this.#call.signal.throwIfAborted();
    }
  }

  /** Looks up all waiting references, and writes their results in order. */
  async finish(): Promise<void> {
    await this.#finishBatch();
    await this.#finishWorks(this.#checked.splice(0));
  }

  /** Looks up the names of the waiting references, and the works of the references that make full lists. */
  async #finishBatch(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#needingLookUp = 0;
    const [startedAt, lookedUpBefore] = [this.#call.now(), this.#lookedUp];
    await this.#lookUp(waiting);
    // The finder can cut too much, or join a line that does not belong to the name. The next best name may be found.
    const others = waiting.map((reference) =>
      this.#outcomeOf(reference) === 'absent' ? otherReadings(reference) : [],
    );
    await this.#lookUp(others.flat());
    const checked = waiting.map(
      (reference, at) => others[at]?.find((other) => this.#outcomeOf(other) === 'found') ?? reference,
    );
    this.#checked.push(...checked);
    await this.#finishWorks(this.#checked.splice(0, this.#endOfFullLists()));
    if (this.#lookedUp > lookedUpBefore) this.#batch.learn(this.#call.now() - startedAt);
  }

  /** The number of checked references up to the last full list of works; all, if no work needs a look-up or too many wait. */
  #endOfFullLists(): number {
    const { works, updates } = this.#parts;
    if (this.#checked.length > MAX_WAITING) return this.#checked.length;
    const distinct = new Set<string>();
    let end = 0;
    for (const [at, reference] of this.#checked.entries()) {
      const { name } = reference.match;
      const isUnknown =
        this.#outcomeOf(reference) === 'found' &&
        [works, updates].some((part) => (part?.unansweredOf([name]).length ?? 0) > 0);
      if (isUnknown) distinct.add(canonicalName(name));
      if (distinct.size % WORKS_AT_ONCE === 0) end = at + 1;
    }
    return end;
  }

  /** Looks up the titles and updates of the references, and writes their results. */
  async #finishWorks(checked: readonly Reference[]): Promise<void> {
    const { works, updates } = this.#parts;
    const found = checked.filter((reference) => this.#outcomeOf(reference) === 'found');
    const names = found.map(({ match }) => match.name);
    await works?.lookUp(names);
    await updates?.lookUp(names);
    await this.#write(checked);
  }

  #unknown(references: readonly Reference[]): readonly DoiName[] {
    const names = references.map(({ match }) => match.name);
    return this.#parts.names.unansweredOf(names.filter((name) => !name.includes(REPLACEMENT)));
  }

  async #lookUp(references: readonly Reference[]): Promise<void> {
    const { names, status } = this.#parts;
    const unknown = this.#unknown(references);
    if (unknown.length === 0) return;
    status.show(() => `${this.tally.summary()}; looking up ${unknown.length} more, ${this.#lookedUp} done`);
    await names.lookUp(unknown);
    this.#lookedUp += unknown.length;
  }

  #resultOf({ match: { name } }: Reference): KnownPart<NameFacts> {
    return name.includes(REPLACEMENT) ? UNREADABLE : this.#parts.names.resultOf(name);
  }

  #outcomeOf(reference: Reference): NameFacts['outcome'] | undefined {
    return this.#resultOf(reference).part?.outcome;
  }

  async #write(references: readonly Reference[]): Promise<void> {
    const { stdout } = this.#call;
    const { format, isQuiet, isStrict, works, updates, accepted } = this.#parts;
    let lines = '';
    const written = references.map((reference) => {
      const { name } = reference.match;
      const checked = checkedReference(reference, this.#resultOf(reference), {
        work: works?.resultOf(name) ?? null,
        updates: updates?.resultOf(name) ?? null,
        isAccepted: accepted.has(canonicalName(name)),
      });
      this.tally.add(checked);
      if (checked.fit === 'FITS') this.#fitting.set(canonicalName(name), true);
      return checked;
    });
    for (const each of written) {
      // Such a place can be a DOI that was copied from the reference that it fits.
      const isRepeated = each.fit === 'CANNOT_TELL' && this.#fitting.has(canonicalName(each.match.name));
      const checked = isRepeated ? { ...each, needsLook: true } : each;
      if (isQuiet && !checked.needsLook) continue;
      if (format === 'github') lines += asAnnotation(checked, isStrict);
      else lines += format === 'json' ? asJson(checked) : referenceLine(checked, stdout);
    }
    if (lines === '') return;
    await this.#parts.status.clear();
    await stdout.writeStyled(lines);
  }

  /** Returns the notes at the end of the call, for standard error. */
  notes(lockFile: string | undefined, changedNames: Iterable<string> = []): string[] {
    const { tally } = this;
    const notes = [tally.summary()];
    const { count, oldest, newest } = this.#parts.names.fromLock;
    if (count > 0) {
      notes.push(
        `${countText(count, 'answer is', 'answers are')} from the lock file of ${oldest === newest ? oldest : `${oldest} to ${newest}`}, ${safeText(lockFile ?? '')}.`,
      );
    }
    const changed = [...changedNames].map((name) => safeText(name));
    if (changed.length > 0) {
      const more = changed.length - MAX_CHANGED_NAMES;
      const named = `${changed.slice(0, MAX_CHANGED_NAMES).join(' ')}${more > 0 ? ` and ${more} more` : ''}`;
      notes.push(`${countText(changed.length, 'answer', 'answers')} changed: ${named}`);
    }
    if (tally.reused > 0) {
      notes.push(
        `doi check used ${countText(tally.reused, 'answer', 'answers')} of ${safeText(lockFile ?? '')} again, because a new look-up failed.`,
      );
    }
    for (const [part, { reused, missing, reason }] of Object.entries(tally.failedParts)) {
      if (reused > 0)
        notes.push(
          `The ${part} of ${countText(reused, 'reference', 'references')} are from an older look-up. ${reason}`,
        );
      if (missing > 0) {
        notes.push(
          `The ${part} of ${countText(missing, 'reference', 'references')} could not be looked up. ${reason}`,
        );
      }
    }
    if (tally.notInSample > 0) {
      notes.push(
        `${countText(tally.notInSample, 'reference is', 'references are')} not among the records of the bundled sample, but might still exist. To use the live DOI system:  CONTACT=you@example.org doi check --live …`,
      );
    }
    if (this.#parts.names.isSample && lockFile !== undefined) {
      notes.push(`Answers of the bundled sample are not stored in ${safeText(lockFile)}.`);
    }
    return notes;
  }
}

/** The reference with each name that its text might mean instead. */
function otherReadings(reference: Reference): Reference[] {
  const { match } = reference;
  return match.alternatives.map((name) => ({ ...reference, match: { ...match, name } }));
}
