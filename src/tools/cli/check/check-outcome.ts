// Counts references by outcome, for the last line of a check and its exit code.

import { outcomeText } from '../../gateway-client/work-updates.ts';
import { COULD_NOT_ASK, FINE, OTHERWISE, USAGE } from '../exit-codes.ts';
import type { Known } from './answer-works.ts';
import { type CheckedReference, isRefused, isSuspicious } from './checked-reference.ts';
import { isNotInSample } from './name-answers.ts';

/** Counts references whose title or update could not be looked up. */
class FailedLookUps {
  /** an old result is used */
  stood = 0;
  notAsked = 0;
  /** of the first */
  reason: string | null = null;

  add(known: Known<unknown> | null): void {
    if (known === null || known.reason === null) return;
    this.stood += Number(known.isOld);
    this.notAsked += Number(!known.isOld);
    this.reason ??= known.reason;
  }
}

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
  #refused = 0;
  readonly #updates = new Map<string, number>();
  readonly #parts = { titles: new FailedLookUps(), updates: new FailedLookUps() };

  add(reference: CheckedReference): void {
    const { known, isLookalike, fit, work, updates } = reference;
    this.#references += 1;
    this.#outcomes[known.outcome] += 1;
    this.#lookalikes += Number(isLookalike);
    this.#aliases += Number(known.alias !== null);
    this.#tombstones += Number(known.tombstone !== null);
    this.#suspicious += Number(isSuspicious(reference));
    this.#stood += Number(known.asked !== null && known.reason !== null);
    this.#notInSample += Number(isNotInSample(known));
    if (fit !== null) this.#fits[fit] += 1;
    this.#parts.titles.add(work);
    this.#parts.updates.add(updates);
    this.#refused += Number(isRefused(reference));
    if (!updates?.part?.notices.length) return;
    const outcome = outcomeText(updates.part).toLowerCase();
    this.#updates.set(outcome, (this.#updates.get(outcome) ?? 0) + 1);
  }

  /** Old entries that are used because the look-up failed. */
  get stood(): number {
    return this.#stood;
  }

  get notInSample(): number {
    return this.#notInSample;
  }

  /** References without a new result. */
  get parts(): Readonly<Record<string, FailedLookUps>> {
    return this.#parts;
  }

  /** `12 references: 10 found, 1 absent, 1 cannot tell; 1 look-alike, 2 aliases` */
  summary(): string {
    const { found, absent, unknown } = this.#outcomes;
    const outcomes = [`${found} found`, `${absent} absent`, `${unknown} cannot tell`].join(', ');
    const remarks = [
      counted(this.#lookalikes, 'look-alike', 'look-alikes'),
      counted(this.#aliases, 'alias', 'aliases'),
      counted(this.#tombstones, 'tombstone', 'tombstones'),
      ...this.#fitsTold(),
      ...Array.from(this.#updates, ([outcome, count]) => `${count} ${outcome}`),
    ].filter((part) => !part.startsWith('0 '));
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
    if (this.#outcomes.unknown > 0 || this.#parts.updates.notAsked > 0) return COULD_NOT_ASK;
    if (this.#outcomes.absent + this.#fits.DOES_NOT_FIT + this.#refused > 0) return OTHERWISE;
    return isStrict && this.#suspicious > 0 ? OTHERWISE : FINE;
  }
}

export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
