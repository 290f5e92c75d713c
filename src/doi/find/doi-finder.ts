// Finds the DOI names of a text that comes in pieces, however long it is.

import { type DoiMatch, type Reading, type ReadingPlace, readingsIn } from './find-dois.ts';
import { MOST_BEFORE, type ReferenceText, referenceAround } from './reference-around.ts';

export interface FoundDoi extends DoiMatch, Pick<Reading, 'uncut'> {
  /** the words around it; null where they were not asked for */
  readonly reference: ReferenceText | null;
}

/** What stands before a name is looked at no further back than this: an address, a label, a line of CSV, its reference. */
const LOOK_BACK = MOST_BEFORE + 512;
/** And what stands behind it no further ahead: tags, lines of CSV, a paragraph that closes a bracket. */
const LOOK_AHEAD = 1_024;
/** So much is kept until it is known where a name ends: a longer one ends there. */
const MOST_KEPT = 1_000_000;

/**
 * The same names as `findDois` finds in the whole text, wherever it is divided, as long as no name is longer than a
 * megabyte. Keeps at most that much of the text.
 */
export class DoiFinder {
  readonly #withReferences: boolean;
  /** the text in memory, and its offset in the whole text */
  #kept = '';
  #keptFrom = 0;
  /** in the text in memory */
  #place: ReadingPlace = { at: 0, floor: 0, context: null };
  /** how much has to be there until it is read once more: a name without an end is not read for each piece */
  #enough = 0;

  constructor({ withReferences = false }: { readonly withReferences?: boolean } = {}) {
    this.#withReferences = withReferences;
  }

  /** The names that are certain now, their places counted from the beginning of the whole text. */
  add(piece: string): FoundDoi[] {
    this.#kept += piece;
    if (this.#kept.length < this.#enough) return [];
    const found = this.#read(this.#kept.length - LOOK_AHEAD);
    if (this.#kept.length > MOST_KEPT) found.push(...this.end());
    this.#enough = 2 * this.#kept.length;
    return found;
  }

  /** The names in the remaining text, at the end of the text. */
  end(): FoundDoi[] {
    return this.#read(this.#kept.length);
  }

  /** No name that is still to come begins before this place in the whole text. */
  get settled(): number {
    return Math.max(0, this.#keptFrom + this.#place.at - LOOK_BACK);
  }

  /** @param certain text that follows changes nothing before this offset */
  #read(certain: number): FoundDoi[] {
    if (certain <= this.#place.at) return [];
    const found: FoundDoi[] = [];
    let place = this.#place;
    let goOnAt = certain;
    for (const { start, match, uncut, next } of readingsIn(this.#kept, place)) {
      if (start >= certain || next.at > certain) {
        goOnAt = Math.min(start, certain);
        break;
      }
      if (match) {
        const reference = this.#withReferences ? referenceAround(this.#kept, match) : null;
        found.push({ ...this.#inWhole(match), uncut, reference });
      }
      place = next;
    }
    this.#goOn({ ...place, at: Math.max(place.at, goOnAt) });
    return found;
  }

  #goOn({ at, floor, context }: ReadingPlace): void {
    const dropped = Math.max(0, at - LOOK_BACK);
    this.#kept = this.#kept.slice(dropped);
    this.#keptFrom += dropped;
    this.#place = { at: at - dropped, floor: Math.max(0, floor - dropped), context };
  }

  #inWhole(match: DoiMatch): DoiMatch {
    return { ...match, start: match.start + this.#keptFrom, end: match.end + this.#keptFrom };
  }
}
