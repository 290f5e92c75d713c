// Finds the entries of lists of references that have no DOI name, and the entries that have one.

import { ReferenceEntries, type ReferenceEntry } from './reference-entries.ts';

export class UnnamedEntries {
  readonly #entries = new ReferenceEntries();
  /** ended entries that can still have a name */
  #ended: ReferenceEntry[] = [];
  /** the offsets of the names that can be in an entry, in order */
  #names: number[] = [];

  /** Adds the next piece of the text. */
  add(piece: string): void {
    this.#ended.push(...this.#entries.add(piece));
  }

  /** Call it after the last piece. */
  end(): void {
    this.#ended.push(...this.#entries.end());
  }

  /** Adds a name by its offset in the whole text. Names must come in order. */
  addName(start: number): void {
    this.#names.push(start);
  }

  /** Returns the entries without a name that end before the offset. @param until the caller has added all names before it */
  take(until: number): ReferenceEntry[] {
    return this.takeDivided(until).unnamed;
  }

  /** Like `take`, and also returns the entries with a name. */
  takeDivided(until: number): { readonly unnamed: ReferenceEntry[]; readonly named: ReferenceEntry[] } {
    const taken = this.#ended.filter(({ end }) => end <= until);
    this.#ended = this.#ended.filter(({ end }) => end > until);
    const [unnamed, named]: [ReferenceEntry[], ReferenceEntry[]] = [[], []];
    for (const entry of taken) {
      const first = this.#names[indexFrom(this.#names, entry.start)];
      (first === undefined || first >= entry.end ? unnamed : named).push(entry);
    }
    const needed = this.#ended.reduce(
      (least, { start }) => Math.min(least, start),
      this.#entries.earliestStart,
    );
    this.#names = this.#names.slice(indexFrom(this.#names, Math.min(needed, until)));
    return { unnamed, named };
  }
}

/** The index of the first offset that is not below the bound. @param offsets in order */
function indexFrom(offsets: readonly number[], bound: number): number {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((offsets[middle] as number) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
