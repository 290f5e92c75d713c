// Finds the DOI names in a text that arrives in pieces. The text can have any length.

import { type DoiMatch, type Reading, type ReadingPlace, readingsIn } from './find-dois.ts';
import { punctuatedNames } from './punctuated-names.ts';
import { MAX_BEFORE, type ReferenceText, referenceAround } from './reference-around.ts';

export interface FoundDoi extends DoiMatch {
  /** with `withPunctuation` also the name with the punctuation behind it */
  readonly alternatives: Reading['alternatives'];
  /** the words around the name; null without `withReferences` */
  readonly reference: ReferenceText | null;
}

interface FinderOptions {
  readonly withReferences?: boolean;
  readonly withPunctuation?: boolean;
}

/** At most this many characters are read before a name: its address, its label, its CSV line, its reference. */
const LOOK_BACK = MAX_BEFORE + 512;
/** At most this many characters are read after a name: tags, the CSV line, the paragraph up to a closing bracket. */
const LOOK_AHEAD = 1_024;
/** At most this many characters are kept while the end of a name is unknown. */
const MAX_KEPT = 1_000_000;

/**
 * Finds the same names as `findDois` in the whole text. How the text is divided into pieces makes no difference. But a
 * name ends after a million characters.
 */
export class DoiFinder {
  readonly #withReferences: boolean;
  readonly #withPunctuation: boolean;
  #kept = '';
  /** the offset of `#kept` in the whole text */
  #keptFrom = 0;
  /** where reading continues in `#kept` */
  #place: ReadingPlace = { at: 0, floor: 0, context: null };
  /** `#kept` is read again only at this length. Otherwise each piece of a long name would be read many times. */
  #minLengthToRead = 0;

  constructor({ withReferences = false, withPunctuation = false }: FinderOptions = {}) {
    this.#withReferences = withReferences;
    this.#withPunctuation = withPunctuation;
  }

  /** Returns the names that no later piece can change. Their offsets are offsets in the whole text. */
  add(piece: string): FoundDoi[] {
    this.#kept += piece;
    if (this.#kept.length < this.#minLengthToRead) return [];
    const found = this.#read(this.#kept.length - LOOK_AHEAD);
    if (this.#kept.length > MAX_KEPT) found.push(...this.end());
    this.#minLengthToRead = 2 * this.#kept.length;
    return found;
  }

  /** Call it after the last piece: returns the remaining names. */
  end(): FoundDoi[] {
    return this.#read(this.#kept.length);
  }

  /** An offset in the whole text. Every name that is found later begins at this offset or after it. */
  get earliestNext(): number {
    return Math.max(0, this.#keptFrom + this.#place.at - LOOK_BACK);
  }

  /** An offset in the whole text. All names before this offset are found. */
  get foundUntil(): number {
    return this.#keptFrom + this.#place.at;
  }

  /** @param certainEnd later text cannot change the names before this offset */
  #read(certainEnd: number): FoundDoi[] {
    if (certainEnd <= this.#place.at) return [];
    const found: FoundDoi[] = [];
    let place = this.#place;
    let continueAt = certainEnd;
    for (const { start, match, alternatives, next } of readingsIn(this.#kept, place)) {
      if (start >= certainEnd || next.at > certainEnd) {
        continueAt = Math.min(start, certainEnd);
        break;
      }
      if (match) {
        const reference = this.#withReferences ? referenceAround(this.#kept, match) : null;
        const [start, end] = [match.start + this.#keptFrom, match.end + this.#keptFrom];
        const punctuated = this.#withPunctuation ? punctuatedNames(this.#kept, match) : [];
        found.push({ ...match, start, end, alternatives: [...punctuated, ...alternatives], reference });
      }
      place = next;
    }
    const at = Math.max(place.at, continueAt);
    const dropped = Math.max(0, at - LOOK_BACK);
    this.#kept = this.#kept.slice(dropped);
    this.#keptFrom += dropped;
    this.#place = { ...place, at: at - dropped, floor: Math.max(0, place.floor - dropped) };
    return found;
  }
}
