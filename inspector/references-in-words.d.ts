/** Bundled from src/works/reference-lists/references-in-words.ts by `npm run build`. Null in a gateway that is not built. */
export const referencesInWords: ((text: string) => ListInWords) | null;

export interface ReferenceInWords {
  /** empty for a record without a title */
  readonly text: string;
  /** the number of its first line, from 1 */
  readonly line: number;
  /** offsets in the text */
  readonly start: number;
  readonly end: number;
}

export interface ListInWords {
  readonly references: readonly ReferenceInWords[];
  /** Example: `numbered` */
  readonly layout: string;
  readonly otherLines: number;
}
