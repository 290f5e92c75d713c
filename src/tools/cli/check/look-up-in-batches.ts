// Looks up the references of texts in batches, and writes the results in the order of the texts.

import { canonicalName, type DoiName } from 'doi-names';
import { searchedWordsAround } from '../../gateway-client/searched-words.ts';
import type { CommandCall } from '../command.ts';
import type { Reference } from '../find-in-input.ts';
import type { StatusLine } from '../output.ts';
import { BatchSize } from './batch-size.ts';
import type { CheckedAnswers, KnownPart } from './checked-answers.ts';
import { Tally } from './count-references.ts';
import { type SearchedReference, searchedReference } from './match-part.ts';
import type { WordsMatch } from './match-remarks.ts';
import {
  asAnnotation,
  asJson,
  checkedReference,
  isMisfit,
  type NameFacts,
  referenceLine,
} from './reference-line.ts';

/** The largest number of references that wait for a look-up. */
const MAX_WAITING = 1_000;

/** The decoder writes this character instead of bytes that are not UTF-8. */
const REPLACEMENT = '\uFFFD';
const UNREADABLE = { part: null, reason: 'It contains bytes that are not UTF-8.' };

/** Titles and updates of this many works are looked up together, so that the gateway sends full lists to the agencies. */
const WORKS_AT_ONCE = 50;

export interface CheckParts {
  readonly format: 'words' | 'json' | 'github';
  /** whether to write only the references that the user should look at */
  readonly isQuiet: boolean;
  readonly isStrict: boolean;
  readonly names: CheckedAnswers<'name'>;
  /** null without --titles */
  readonly works: CheckedAnswers<'work'> | null;
  /** null without --updates */
  readonly updates: CheckedAnswers<'updates'> | null;
  /** null without --match */
  readonly matches: CheckedAnswers<'match'> | null;
  /** the canonical names and the keys of --accept */
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
    await this.#write(checked, await this.#lookUpMatches(checked));
  }

  /** Searches the words of the references with a wrong DOI. */
  async #lookUpMatches(checked: readonly Reference[]): Promise<ReadonlyMap<Reference, SearchedReference>> {
    const { matches, works, status } = this.#parts;
    const searched = new Map<Reference, SearchedReference>();
    if (matches === null) return searched;
    for (const reference of checked) {
      const { name, reference: around } = reference.match;
      const outcome = this.#outcomeOf(reference);
      const isWrong =
        outcome === 'absent' ||
        (outcome === 'found' && works !== null && isMisfit(reference, works.resultOf(name)));
      const words = searchedReference(isWrong && around !== null ? searchedWordsAround(around.text) : null);
      if (words !== null) searched.set(reference, words);
    }
    if (searched.size > 0)
      status.show(() => `${this.tally.summary()}; searching for ${searched.size} wrong DOIs`);
    await matches.lookUp([...searched.values()]);
    return searched;
  }

  #matchOf(searched: SearchedReference | undefined): WordsMatch | null {
    const { matches, accepted } = this.#parts;
    if (matches === null || searched === undefined) return null;
    const { key } = searched;
    return { key, known: matches.resultOf(searched), isAccepted: accepted.has(key) };
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

  async #write(
    references: readonly Reference[],
    searched: ReadonlyMap<Reference, SearchedReference>,
  ): Promise<void> {
    const { stdout } = this.#call;
    const { format, isQuiet, isStrict, works, updates, accepted, matches } = this.#parts;
    let lines = '';
    for (const reference of references) {
      const { name } = reference.match;
      const checked = checkedReference(reference, this.#resultOf(reference), {
        work: works?.resultOf(name) ?? null,
        updates: updates?.resultOf(name) ?? null,
        wordsMatch: this.#matchOf(searched.get(reference)),
        withMatches: matches !== null,
        isAccepted: accepted.has(canonicalName(name)),
      });
      this.tally.add(checked);
      if (isQuiet && !checked.needsLook) continue;
      if (format === 'github') lines += asAnnotation(checked, isStrict);
      else lines += format === 'json' ? asJson(checked) : referenceLine(checked, stdout);
    }
    if (lines === '') return;
    await this.#parts.status.clear();
    await stdout.writeStyled(lines);
  }
}

/** The reference with each name that its text might mean instead. */
function otherReadings(reference: Reference): Reference[] {
  const { match } = reference;
  return match.alternatives.map((name) => ({ ...reference, match: { ...match, name } }));
}
