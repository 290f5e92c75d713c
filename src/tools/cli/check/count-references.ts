// Counts references by outcome, for the summary and the exit code of `doi check`.

import { NOT_IN_SAMPLE } from '../../gateway-client/look-up-names.ts';
import { outcomeText } from '../../gateway-client/update-outcome.ts';
import { LOOK_UP_FAILED, NEGATIVE_ANSWER, POSITIVE_ANSWER, WRONG_CALL } from '../command.ts';
import { countText } from '../output.ts';
import type { KnownPart } from './checked-answers.ts';
import { MATCH_TEXTS, matchOutcome, type RemarkedOutcome, type WordsMatch } from './match-remarks.ts';
import type { CheckedReference } from './reference-line.ts';

/** Counts the references for which a look-up of the title, of the updates or of the match failed. */
class FailedLookUps {
  /** references with a result from an earlier look-up */
  reused = 0;
  /** references without a result */
  missing = 0;
  /** the reason of the first failure */
  reason: string | null = null;

  add(known: KnownPart<unknown> | null): void {
    if (known === null || known.reason === null) return;
    if (known.part === null) this.missing += 1;
    else this.reused += 1;
    this.reason ??= known.reason;
  }
}

/** Counts what the searches of references in words found. */
class MatchCounts {
  readonly #counts: Record<RemarkedOutcome, number> = {
    ...{ found: 0, differs: 0, several: 0, 'not-found': 0, unknown: 0 },
  };

  add(match: WordsMatch): void {
    this.#counts[matchOutcome(match)] += 1;
  }

  get notFound(): number {
    return this.#counts['not-found'];
  }

  /** Example: `2 found, 1 cannot tell`; empty if nothing was searched */
  summary(): string {
    const counted = Object.entries(this.#counts).filter(([, count]) => count > 0);
    return counted
      .map(([outcome, count]) => `${count} ${MATCH_TEXTS[outcome as RemarkedOutcome][1]}`)
      .join(', ');
  }
}

export class Tally {
  /** the number of references with an answer from an earlier look-up, because the new look-up failed */
  reused = 0;
  notInSample = 0;
  readonly failedParts = {
    titles: new FailedLookUps(),
    updates: new FailedLookUps(),
    matches: new FailedLookUps(),
  };
  /** the matches of references with a wrong DOI, and of entries without a DOI */
  readonly matches = { wrong: new MatchCounts(), unnamed: new MatchCounts() };
  #references = 0;
  readonly #outcomes = { found: 0, absent: 0, unknown: 0 };
  #lookalikes = 0;
  #aliases = 0;
  #tombstones = 0;
  #publishedPreprints = 0;
  #suspicious = 0;
  readonly #fits = { FITS: 0, DOES_NOT_FIT: 0, CANNOT_TELL: 0 };
  #refused = 0;
  /** entries without a DOI that differ, are several or are not found, and are not in --accept */
  #unmatched = 0;
  readonly #updates = new Map<string, number>();

  add(reference: CheckedReference): void {
    const { outcome, asked, reason, fit, work, updates, wordsMatch } = reference;
    this.#references += 1;
    this.#outcomes[outcome] += 1;
    this.#lookalikes += Number(reference.isLookalike);
    this.#aliases += Number(reference.alias !== null);
    this.#tombstones += Number(reference.tombstone !== null);
    this.#suspicious += Number(reference.isSuspicious);
    this.reused += Number(asked !== null && reason !== null);
    this.notInSample += Number(outcome === 'unknown' && reason === NOT_IN_SAMPLE);
    if (fit !== null) this.#fits[fit] += 1;
    this.failedParts.titles.add(work);
    this.failedParts.updates.add(updates);
    if (wordsMatch !== null) {
      this.failedParts.matches.add(wordsMatch.known);
      this.matches.wrong.add(wordsMatch);
    }
    this.#refused += Number(reference.isRefused);
    this.#publishedPreprints += Number(updates?.part != null && updates.part.publishedAs !== null);
    if (!updates?.part?.notices.length) return;
    const text = outcomeText(updates.part).toLowerCase();
    this.#updates.set(text, (this.#updates.get(text) ?? 0) + 1);
  }

  addUnnamed(match: WordsMatch): void {
    this.matches.unnamed.add(match);
    if (match.isAccepted) return;
    this.failedParts.matches.add(match.known);
    const outcome = matchOutcome(match);
    this.#unmatched += Number(outcome !== 'found' && outcome !== 'unknown');
  }

  /** Example: `12 references: 10 found, 1 absent, 1 cannot tell; 1 look-alike, 2 aliases` */
  summary(): string {
    const { found, absent, unknown } = this.#outcomes;
    const outcomes = [`${found} found`, `${absent} absent`, `${unknown} cannot tell`].join(', ');
    const remarks = [
      countText(this.#lookalikes, 'look-alike', 'look-alikes'),
      countText(this.#aliases, 'alias', 'aliases'),
      countText(this.#tombstones, 'tombstone', 'tombstones'),
      ...this.#fitsText(),
      ...Array.from(this.#updates, ([outcome, count]) => `${count} ${outcome}`),
      countText(this.#publishedPreprints, 'published preprint', 'published preprints'),
    ].filter((part) => !part.startsWith('0 '));
    const references = countText(this.#references, 'reference', 'references');
    return `${references}: ${outcomes}${remarks.length === 0 ? '' : `; ${remarks.join(', ')}`}`;
  }

  #fitsText(): string[] {
    const { FITS, DOES_NOT_FIT, CANNOT_TELL } = this.#fits;
    if (FITS + DOES_NOT_FIT + CANNOT_TELL === 0) return [];
    return [`of the titles ${FITS} fit, ${DOES_NOT_FIT} do not fit, ${CANNOT_TELL} cannot tell`];
  }

  /** A failed look-up has priority over an absent name, because the result is not complete. */
  exitCode(isComplete: boolean, isStrict: boolean): number {
    if (!isComplete) return WRONG_CALL;
    const { updates, matches } = this.failedParts;
    if (this.#outcomes.unknown + updates.missing + matches.missing > 0) return LOOK_UP_FAILED;
    const wrong = this.#outcomes.absent + this.#fits.DOES_NOT_FIT + this.#refused + this.#unmatched;
    if (wrong > 0) return NEGATIVE_ANSWER;
    return isStrict && this.#suspicious > 0 ? NEGATIVE_ANSWER : POSITIVE_ANSWER;
  }
}
