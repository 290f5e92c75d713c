// The DOI names of a text with the places where they stand, as editors and compilers write them.

import { DoiFinder, type FoundDoi } from '../doi/find/doi-finder.ts';
import type { Input } from './read-input.ts';

export interface Reference {
  readonly file: string;
  /** from 1; lines end with a line feed */
  readonly line: number;
  /** of its first character, from 1, in UTF-16 units */
  readonly column: number;
  readonly match: FoundDoi;
}

/**
 * In the order of the text, in constant memory. Throws an UnreadableInputError.
 * @param withReferences also the words around each name
 */
export async function* referencesIn(input: Input, withReferences = false): AsyncGenerator<Reference, void> {
  const finder = new DoiFinder({ withReferences });
  const lines = new Lines();
  function* placed(matches: readonly FoundDoi[]): Generator<Reference, void> {
    for (const match of matches) yield { file: input.name, ...lines.placeOf(match.start), match };
  }
  for await (const piece of input.pieces()) {
    lines.add(piece);
    yield* placed(finder.add(piece));
    lines.settle(finder.settled);
  }
  yield* placed(finder.end());
}

/** Counts lines up to places that are asked for in their order. */
class Lines {
  #length = 0;
  #line = 1;
  #lineStart = 0;
  /** where the lines behind it begin, from `passed` on */
  #next: number[] = [];
  #passed = 0;

  add(piece: string): void {
    this.#next = this.#next.slice(this.#passed);
    this.#passed = 0;
    for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', at + 1)) {
      this.#next.push(this.#length + at + 1);
    }
    this.#length += piece.length;
  }

  /** No place before this one is asked for any more. */
  settle(place: number): void {
    for (;;) {
      const next = this.#next[this.#passed];
      if (next === undefined || next > place) return;
      this.#lineStart = next;
      this.#line += 1;
      this.#passed += 1;
    }
  }

  placeOf(place: number): { readonly line: number; readonly column: number } {
    this.settle(place);
    return { line: this.#line, column: place - this.#lineStart + 1 };
  }
}
