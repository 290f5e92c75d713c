// The entries of lists of references that have no DOI: counted in the summary, and named after it.

import type { ReferenceEntry } from 'doi-names/parts';
import { safeText } from '../../../safe-text.ts';
import { countText } from '../output.ts';

/** At most this many are named. */
const MAX_NAMED = 1_000;

export class UnnamedReferences {
  #count = 0;
  readonly #named: string[] = [];

  add(file: string, { line, words }: ReferenceEntry): void {
    this.#count += 1;
    if (this.#count <= MAX_NAMED) this.#named.push(safeText(`${file}:${line}: without a DOI: ${words}`));
  }

  /** A part of the summary; empty if each entry has a DOI. */
  summary(): string[] {
    return this.#count === 0 ? [] : [countText(this.#count, 'entry without a DOI', 'entries without a DOI')];
  }

  /** Example: `thesis.tex:12: without a DOI: Smith, J. (2020). A title. …` */
  notes(): string[] {
    const more = this.#count - this.#named.length;
    return [...this.#named, ...(more > 0 ? [`… and ${more} more without a DOI`] : [])];
  }
}
