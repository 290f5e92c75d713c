// The entries of lists of references that have no DOI: counted in the summary, and named after it.

import type { ReferenceEntry } from 'doi-names/parts';
import { safeText } from '../../../safe-text.ts';
import { countText } from '../output.ts';

/** At most this many are named. */
const MAX_NAMED = 1_000;

export class UnnamedReferences {
  #count = 0;
  #toName = 0;
  readonly #named: string[] = [];

  /** Counts an entry that is named elsewhere. */
  addSearched(): void {
    this.#count += 1;
  }

  add(file: string, { line, words }: ReferenceEntry): void {
    this.#count += 1;
    this.#toName += 1;
    if (this.#toName <= MAX_NAMED) this.#named.push(safeText(`${file}:${line}: without a DOI: ${words}`));
  }

  /** A part of the summary; empty if each entry has a DOI. @param matches Example: `2 found, 1 cannot tell` */
  summary(matches: string): string[] {
    if (this.#count === 0) return [];
    const count = countText(this.#count, 'entry without a DOI', 'entries without a DOI');
    return [matches === '' ? count : `${count}: ${matches}`];
  }

  /** Example: `thesis.tex:12: without a DOI: Smith, J. (2020). A title. …` */
  notes(): string[] {
    const more = this.#toName - this.#named.length;
    return [...this.#named, ...(more > 0 ? [`… and ${more} more without a DOI`] : [])];
  }
}
