// Counts references by outcome, for the last line of a check and its exit code.

import { COULD_NOT_ASK, FINE, OTHERWISE, USAGE } from '../exit-codes.ts';
import { type CheckedReference, isSuspicious } from './checked-reference.ts';
import { isNotInSample } from './name-answers.ts';

export class Tally {
  #references = 0;
  readonly #outcomes = { found: 0, absent: 0, unknown: 0 };
  #lookalikes = 0;
  #aliases = 0;
  #tombstones = 0;
  #suspicious = 0;
  #stood = 0;
  #notInSample = 0;
  readonly #fits = { FITS: 0, DOES_NOT_FIT: 0, CANNOT_TELL: 0 };
  #titlesStood = 0;
  #titlesNotAsked = 0;
  #whyNoTitles: string | null = null;

  add(reference: CheckedReference): void {
    const { known, isLookalike, fit, work } = reference;
    this.#references += 1;
    this.#outcomes[known.outcome] += 1;
    this.#lookalikes += Number(isLookalike);
    this.#aliases += Number(known.alias !== null);
    this.#tombstones += Number(known.tombstone !== null);
    this.#suspicious += Number(isSuspicious(reference));
    this.#stood += Number(known.asked !== null && known.reason !== null);
    this.#notInSample += Number(isNotInSample(known));
    if (fit !== null) this.#fits[fit] += 1;
    if (work !== null && work.reason !== null) {
      this.#titlesStood += Number(work.isOld);
      this.#titlesNotAsked += Number(!work.isOld);
      this.#whyNoTitles ??= work.reason;
    }
  }

  /** Old entries that are used because the look-up failed. */
  get stood(): number {
    return this.#stood;
  }

  get notInSample(): number {
    return this.#notInSample;
  }

  /** References whose title look-up failed. */
  get titles(): { readonly stood: number; readonly notAsked: number; readonly reason: string | null } {
    return { stood: this.#titlesStood, notAsked: this.#titlesNotAsked, reason: this.#whyNoTitles };
  }

  /** `12 references: 10 found, 1 absent, 1 cannot tell; 1 look-alike, 2 aliases` */
  told(): string {
    const { found, absent, unknown } = this.#outcomes;
    const outcomes = [`${found} found`, `${absent} absent`, `${unknown} cannot tell`].join(', ');
    const remarks = [
      counted(this.#lookalikes, 'look-alike', 'look-alikes'),
      counted(this.#aliases, 'alias', 'aliases'),
      counted(this.#tombstones, 'tombstone', 'tombstones'),
      ...this.#fitsTold(),
    ].filter((told) => !told.startsWith('0 '));
    const references = counted(this.#references, 'reference', 'references');
    return `${references}: ${outcomes}${remarks.length === 0 ? '' : `; ${remarks.join(', ')}`}`;
  }

  #fitsTold(): string[] {
    const { FITS, DOES_NOT_FIT, CANNOT_TELL } = this.#fits;
    if (FITS + DOES_NOT_FIT + CANNOT_TELL === 0) return [];
    return [`of the titles ${FITS} fit, ${DOES_NOT_FIT} do not fit, ${CANNOT_TELL} cannot tell`];
  }

  /** Failed look-ups come first, because such references may exist or not. */
  exitCode(isWhole: boolean, isStrict: boolean): number {
    if (!isWhole) return USAGE;
    if (this.#outcomes.unknown > 0) return COULD_NOT_ASK;
    if (this.#outcomes.absent > 0 || this.#fits.DOES_NOT_FIT > 0) return OTHERWISE;
    return isStrict && this.#suspicious > 0 ? OTHERWISE : FINE;
  }
}

export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
