// Other works that a work is related to: versions, preprints, translations.

export const RELATION_KINDS = [
  'HAS_PREPRINT',
  'IS_PREPRINT_OF',
  'HAS_VERSION',
  'IS_VERSION_OF',
  'IS_NEW_VERSION_OF',
  'IS_PREVIOUS_VERSION_OF',
  'REPLACES',
  'IS_REPLACED_BY',
  'IS_SAME_AS',
  'HAS_TRANSLATION',
  'IS_TRANSLATION_OF',
  'HAS_REVIEW',
  'IS_REVIEW_OF',
  'IS_SUPPLEMENTED_BY',
  'IS_SUPPLEMENT_TO',
  'HAS_PART',
  'IS_PART_OF',
  'OTHER',
] as const;
export type RelationKind = (typeof RELATION_KINDS)[number];

export interface Relation {
  readonly kind: RelationKind;
  /** the agency's own word: `is-preprint-of`, `IsNewVersionOf` */
  readonly type: string;
  /** as the agency writes it: `10.5555/12345678`, `arXiv:2101.00001` */
  readonly identifier: string;
  /** the agency's own word: `doi`, `arXiv`, `URL` */
  readonly identifierType: string;
  /** `subject` or `object`: the side whose metadata states the relation; null if the agency does not say */
  readonly assertedBy: string | null;
}
