// How many references came to what: the last line of a check, and its exit code.

import { COULD_NOT_ASK, FINE, OTHERWISE, USAGE } from '../exit-codes.ts';
import { isNotInSample } from './answer-names.ts';
import { type CheckedReference, isSuspicious } from './checked-reference.ts';

export class Tally {
  #references = 0;
  readonly #outcomes = { found: 0, absent: 0, unknown: 0 };
  #lookalikes = 0;
  #aliases = 0;
  #tombstones = 0;
  #suspicious = 0;
  #stood = 0;
  #notInSample = 0;

  add(reference: CheckedReference): void {
    const { known, isLookalike } = reference;
    this.#references += 1;
    this.#outcomes[known.outcome] += 1;
    this.#lookalikes += Number(isLookalike);
    this.#aliases += Number(known.alias !== null);
    this.#tombstones += Number(known.tombstone !== null);
    this.#suspicious += Number(isSuspicious(reference));
    this.#stood += Number(known.asked !== null && known.reason !== null);
    this.#notInSample += Number(isNotInSample(known));
  }

  /** Answers that could not be asked again, and stand as they were kept. */
  get stood(): number {
    return this.#stood;
  }

  get notInSample(): number {
    return this.#notInSample;
  }

  /** `12 references: 10 found, 1 absent, 1 cannot tell; 1 look-alike, 2 aliases` */
  told(): string {
    const { found, absent, unknown } = this.#outcomes;
    const outcomes = [`${found} found`, `${absent} absent`, `${unknown} cannot tell`].join(', ');
    const remarks = [
      counted(this.#lookalikes, 'look-alike', 'look-alikes'),
      counted(this.#aliases, 'alias', 'aliases'),
      counted(this.#tombstones, 'tombstone', 'tombstones'),
    ].filter((told) => !told.startsWith('0 '));
    const references = counted(this.#references, 'reference', 'references');
    return `${references}: ${outcomes}${remarks.length === 0 ? '' : `; ${remarks.join(', ')}`}`;
  }

  /** The part that was not looked at counts first: nothing follows from it. */
  exitCode(isWhole: boolean, isStrict: boolean): number {
    if (!isWhole) return USAGE;
    if (this.#outcomes.unknown > 0) return COULD_NOT_ASK;
    return this.#outcomes.absent > 0 || (isStrict && this.#suspicious > 0) ? OTHERWISE : FINE;
  }
}

export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
