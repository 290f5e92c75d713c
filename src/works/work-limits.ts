// The limits for foreign records. Longer texts and lists are cut before the gateway reads them.

/** In UTF-16 units, or in items of a list. `csl` keeps what the agency sent; its limit is the size of the response. */
export const WORK_LIMITS = {
  /** A title, a publisher. A longer text is cut and gets an ellipsis. */
  textCharacters: 10_000,
  /** One name of a person or organization, or a part of a name. A longer name is cut and gets an ellipsis. */
  nameCharacters: 1_000,
  /**
   * All names of one work that have markup, or letters that a wrong encoding can cause, together. Further names keep
   * their markup. The longest known list of names, with 15,025 names, has no such name.
   */
  markedUpNameCharacters: 20_000,
  /** A volume, an issue, pages, a type, a language. A longer text is cut and gets an ellipsis. */
  detailCharacters: 1_000,
  /** A word of a vocabulary, a record id, an identifier. A longer word is ignored, because a part would be another word. */
  wordCharacters: 2_000,
  /** Subjects, licences, awards, links. More entries are left out. */
  listEntries: 2_000,
  /** Affiliations of all people of a work together. An article of 3,000 authors has about 6,000. */
  affiliations: 10_000,
  /** An abstract as plain text. A longer abstract is cut and gets an ellipsis. */
  abstractCharacters: 20_000,
  /** An abstract with its markup: formulas in MathML are ten times as long as their text. */
  abstractSourceCharacters: 100_000,
  /** Authors, editors or translators. The longest known list of authors has 15,025 names. */
  creators: 20_000,
} as const;
