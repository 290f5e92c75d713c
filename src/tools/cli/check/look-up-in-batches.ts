// Looks up the references of texts in batches, and writes the results in the order of the texts.

import { canonicalName, type DoiName } from '../../../doi/name.ts';
import { safeText } from '../../../safe-text.ts';
import type { CommandCall } from '../command.ts';
import type { Reference } from '../find-in-input.ts';
import { countText, type StatusLine } from '../output.ts';
import type { CheckedNames, NameResult } from './checked-names.ts';
import type { CheckedWorks } from './checked-works.ts';
import { Tally } from './count-references.ts';
import { asAnnotation, asJson, checkedReference, needsLook, referenceLine } from './reference-line.ts';

/** The largest number of references that wait for a look-up. */
const MAX_WAITING = 1_000;

/** The decoder writes this character instead of bytes that are not UTF-8. */
const REPLACEMENT = '\uFFFD';
const RESULT_OF_UNREADABLE: NameResult = {
  outcome: 'unknown',
  asked: null,
  reason: 'It contains bytes that are not UTF-8.',
  meant: [],
  alias: null,
  tombstone: null,
};

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

interface Waiting {
  readonly reference: Reference;
  /** undefined before the look-up */
  readonly known: NameResult | undefined;
}

interface CheckParts {
  readonly format: 'words' | 'json' | 'github';
  /** whether to write only the references that the user should look at */
  readonly isQuiet: boolean;
  readonly isStrict: boolean;
  readonly answers: CheckedNames;
  /** null without --titles */
  readonly works: CheckedWorks<'work'> | null;
  /** null without --updates */
  readonly updates: CheckedWorks<'updates'> | null;
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
  #waiting: Waiting[] = [];
  /** the number of waiting references that need a look-up */
  #needingLookUp = 0;

  constructor(call: CheckCall, parts: CheckParts) {
    this.#call = call;
    this.#parts = parts;
  }

  /** Reads the references of one text. A batch can contain references of several texts. */
  async read(references: AsyncIterable<Reference>): Promise<void> {
    for await (const reference of references) {
      const { name } = reference.match;
      const known = name.includes(REPLACEMENT) ? RESULT_OF_UNREADABLE : this.#parts.answers.known(name);
      this.#waiting.push({ reference, known });
      this.#needingLookUp += Number(known === undefined);
      if (this.#needingLookUp >= this.#batch.size || this.#waiting.length >= MAX_WAITING)
        await this.finishBatch();
      this.#call.signal.throwIfAborted();
    }
  }

  /** Looks up the waiting references, and writes their results in order. */
  async finishBatch(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#needingLookUp = 0;
    const [startedAt, lookedUpBefore] = [this.#call.now(), this.#lookedUp];
    await this.#lookUp(waiting);
    // The finder cuts punctuation from the end of a name. If the short name is absent, the punctuation might belong to it.
    const uncut = waiting.map(({ reference, known }) => {
      const { match } = reference;
      const isCut = match.uncut !== null && this.#known({ reference, known }).outcome === 'absent';
      const whole = isCut && match.uncut !== null ? { ...match, name: match.uncut } : null;
      return (
        whole && { reference: { ...reference, match: whole }, known: this.#parts.answers.known(whole.name) }
      );
    });
    await this.#lookUp(uncut.filter((item) => item !== null));
    const checked = waiting.map((item, at) => {
      const whole = uncut[at] ?? null;
      return whole !== null && this.#known(whole).outcome !== 'absent' ? whole : item;
    });
    const found = checked.filter((item) => this.#known(item).outcome === 'found');
    const names = found.map(({ reference }) => reference.match.name);
    await this.#parts.works?.lookUp(names);
    await this.#parts.updates?.lookUp(names);
    if (this.#lookedUp > lookedUpBefore) this.#batch.learn(this.#call.now() - startedAt);
    await this.#write(checked);
  }

  async #lookUp(waiting: readonly Waiting[]): Promise<void> {
    const names = new Map<string, DoiName>();
    for (const { reference, known } of waiting) {
      const { name } = reference.match;
      const canonical = canonicalName(name);
      if (known === undefined && !names.has(canonical)) names.set(canonical, name);
    }
    if (names.size === 0) return;
    this.#parts.status.show(
      () => `${this.tally.summary()}; looking up ${names.size} more, ${this.#lookedUp} done`,
    );
    await this.#parts.answers.lookUp([...names.values()]);
    this.#lookedUp += names.size;
  }

  #known({ reference, known }: Waiting): NameResult {
    return known ?? this.#parts.answers.resultOf(reference.match.name);
  }

  async #write(waiting: readonly Waiting[]): Promise<void> {
    const { stdout } = this.#call;
    const { format, isQuiet, isStrict, works, updates, accepted } = this.#parts;
    let lines = '';
    for (const item of waiting) {
      const { name } = item.reference.match;
      const checked = checkedReference(item.reference, {
        known: this.#known(item),
        work: works?.resultOf(name) ?? null,
        updates: updates?.resultOf(name) ?? null,
        isAccepted: accepted.has(canonicalName(name)),
      });
      this.tally.add(checked);
      if (isQuiet && !needsLook(checked)) continue;
      if (format === 'github') lines += asAnnotation(checked, isStrict);
      else lines += format === 'json' ? asJson(checked) : referenceLine(checked, stdout);
    }
    if (lines === '') return;
    await this.#parts.status.clear();
    await stdout.writeStyled(lines);
  }

  /** Returns the last notes, for standard error. */
  notes(lockFile: string | undefined): string[] {
    const { tally } = this;
    const notes = [tally.summary()];
    if (tally.reused > 0) {
      notes.push(
        `${countText(tally.reused, 'answer', 'answers')} of ${safeText(lockFile ?? '')} used again, because a new look-up failed.`,
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
    if (this.#parts.answers.isSample && lockFile !== undefined) {
      notes.push(`Answers of the bundled sample are not stored in ${safeText(lockFile)}.`);
    }
    return notes;
  }
}
