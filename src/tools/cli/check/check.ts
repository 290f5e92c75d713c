// The references of texts, looked up in batches and written in their order.

import { canonicalName, type DoiName } from '../../../doi/name.ts';
import { safeText } from '../../../safe-text.ts';
import type { Reference } from '../find-in-input.ts';
import type { StatusLine } from '../output.ts';
import { BatchSize, type WorkAnswers } from './answer-works.ts';
import type { CheckCall } from './check-options.ts';
import { counted, Tally } from './check-outcome.ts';
import { asAnnotation, asJson, checkedReference, needsLook, referenceLine } from './checked-reference.ts';
import type { KnownName, NameAnswers } from './name-answers.ts';

/** References that wait for a look-up, at most. */
const MOST_WAITING = 1_000;

/** The replacement of bytes that are not UTF-8. */
const UNREADABLE = '\uFFFD';
const OF_UNREADABLE: KnownName = {
  outcome: 'unknown',
  asked: null,
  reason: 'There are bytes in it that are no UTF-8.',
  meant: [],
  alias: null,
  tombstone: null,
};

interface Waiting {
  readonly reference: Reference;
  /** undefined before the look-up */
  readonly known: KnownName | undefined;
}

interface CheckParts {
  readonly answers: NameAnswers;
  /** null without --titles */
  readonly works: WorkAnswers<'work'> | null;
  /** null without --updates */
  readonly updates: WorkAnswers<'updates'> | null;
  /** canonical names */
  readonly accepted: ReadonlySet<string>;
  readonly status: StatusLine;
}

export class Check {
  readonly tally = new Tally();
  readonly #call: CheckCall;
  readonly #parts: CheckParts;
  readonly #batch = new BatchSize();
  /** names that were looked up */
  #asked = 0;
  #waiting: Waiting[] = [];
  /** how many names are not known yet */
  #unasked = 0;

  constructor(call: CheckCall, parts: CheckParts) {
    this.#call = call;
    this.#parts = parts;
  }

  /** Adds the references of one text. References of several texts are looked up together. */
  async read(references: AsyncIterable<Reference>): Promise<void> {
    for await (const reference of references) {
      const { name } = reference.match;
      const known = name.includes(UNREADABLE) ? OF_UNREADABLE : this.#parts.answers.known(name);
      this.#waiting.push({ reference, known });
      this.#unasked += Number(known === undefined);
      if (this.#unasked >= this.#batch.size || this.#waiting.length >= MOST_WAITING) await this.settle();
      this.#call.signal.throwIfAborted();
    }
  }

  /** Looks up the waiting references and writes their results in order. */
  async settle(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#unasked = 0;
    const [begun, asked] = [this.#call.now(), this.#asked];
    await this.#ask(waiting);
    // The end that was cut from an absent name may have been part of it.
    const uncut = waiting.map(({ reference, known }) => {
      const { match } = reference;
      const isCut = match.uncut !== null && this.#known({ reference, known }).outcome === 'absent';
      const whole = isCut && match.uncut !== null ? { ...match, name: match.uncut } : null;
      return (
        whole && { reference: { ...reference, match: whole }, known: this.#parts.answers.known(whole.name) }
      );
    });
    await this.#ask(uncut.filter((one) => one !== null));
    const looked = waiting.map((one, at) => {
      const whole = uncut[at] ?? null;
      return whole !== null && this.#known(whole).outcome !== 'absent' ? whole : one;
    });
    const found = looked.filter((one) => this.#known(one).outcome === 'found');
    const names = found.map(({ reference }) => reference.match.name);
    await this.#parts.works?.ask(names);
    await this.#parts.updates?.ask(names);
    if (this.#asked > asked) this.#batch.learn(this.#call.now() - begun);
    await this.#write(looked);
  }

  async #ask(waiting: readonly Waiting[]): Promise<void> {
    const names = new Map<string, DoiName>();
    for (const { reference, known } of waiting) {
      const { name } = reference.match;
      const canonical = canonicalName(name);
      if (known === undefined && !names.has(canonical)) names.set(canonical, name);
    }
    if (names.size === 0) return;
    await this.#parts.status.show(
      `${this.tally.summary()}; looking up ${names.size} more, ${this.#asked} done`,
    );
    await this.#parts.answers.ask([...names.values()]);
    this.#asked += names.size;
  }

  #known({ reference, known }: Waiting): KnownName {
    return known ?? this.#parts.answers.asked(reference.match.name);
  }

  async #write(looked: readonly Waiting[]): Promise<void> {
    const { options, stdout } = this.#call;
    const { works, updates, accepted } = this.#parts;
    const format = options.json ? 'json' : options.format;
    let lines = '';
    for (const one of looked) {
      const { name } = one.reference.match;
      const checked = checkedReference(one.reference, {
        known: this.#known(one),
        work: works?.of(name) ?? null,
        updates: updates?.of(name) ?? null,
        isAccepted: accepted.has(canonicalName(name)),
      });
      this.tally.add(checked);
      if (options.quiet && !needsLook(checked)) continue;
      if (format === 'github') lines += asAnnotation(checked, options.strict);
      else lines += format === 'json' ? asJson(checked) : referenceLine(checked, stdout);
    }
    if (lines === '') return;
    await this.#parts.status.clear();
    await stdout.writeStyled(lines);
  }

  /** Notes for standard error, at the end. */
  notes(lockFile: string | undefined): string[] {
    const { tally } = this;
    const notes = [tally.summary()];
    if (tally.stood > 0) {
      notes.push(
        `${counted(tally.stood, 'answer', 'answers')} of ${safeText(lockFile ?? '')} could not be asked again, and stand as they were kept.`,
      );
    }
    for (const [part, { stood, notAsked, reason }] of Object.entries(tally.parts)) {
      if (stood > 0)
        notes.push(
          `The ${part} of ${counted(stood, 'reference', 'references')} stand as they were kept. ${reason}`,
        );
      if (notAsked > 0) {
        notes.push(
          `The ${part} of ${counted(notAsked, 'reference', 'references')} could not be asked. ${reason}`,
        );
      }
    }
    if (tally.notInSample > 0) {
      notes.push(
        `${counted(tally.notInSample, 'reference is', 'references are')} not among the records of the bundled sample, and may still exist. To ask the live DOI system:  CONTACT=you@example.org doi check --live …`,
      );
    }
    if (this.#parts.answers.isSample && lockFile !== undefined) {
      notes.push(`What the bundled sample answers is not kept in ${safeText(lockFile)}.`);
    }
    return notes;
  }
}
