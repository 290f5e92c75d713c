// The updates of a work: the notices that retract, correct or replace it.

import type { PartialDate } from './partial-date.ts';

/** The gravest first, in the order of SPEC 10. NONE_RECORDED and NOT_REPORTED have no notice. */
export const UPDATE_OUTCOMES = [
  'CONTRADICTORY',
  'RETRACTED',
  'REMOVED',
  'WITHDRAWN',
  'PARTLY_RETRACTED',
  'CONCERN',
  'CORRECTED',
  'UPDATED',
  'NONE_RECORDED',
  'NOT_REPORTED',
] as const;
export type UpdateOutcome = (typeof UPDATE_OUTCOMES)[number];

export const UPDATE_KINDS = [
  'RETRACTION',
  'PARTIAL_RETRACTION',
  'WITHDRAWAL',
  'REMOVAL',
  'EXPRESSION_OF_CONCERN',
  'CORRECTION',
  'ERRATUM',
  'CORRIGENDUM',
  'ADDENDUM',
  'CLARIFICATION',
  'NEW_EDITION',
  'NEW_VERSION',
  'OTHER',
] as const;
export type UpdateKind = (typeof UPDATE_KINDS)[number];

/** A notice about a work. In `isNoticeFor`, the work that the notice is about. */
export interface Update {
  readonly kind: UpdateKind;
  /** the agency's own word: `retraction`, `Withdrawn` */
  readonly type: string;
  /** the DOI name as the agency spells it; null if the agency names none */
  readonly doi: string | null;
  readonly date: PartialDate | null;
  readonly sources: readonly string[];
  readonly recordIds: readonly string[];
}

export interface Updates {
  readonly outcome: UpdateOutcome;
  readonly notices: readonly Update[];
  readonly isNoticeFor: readonly Update[];
}

export const NOT_REPORTED: Updates = Object.freeze({
  outcome: 'NOT_REPORTED',
  notices: Object.freeze([]),
  isNoticeFor: Object.freeze([]),
});
