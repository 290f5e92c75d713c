// The details of a work that a citation does not have: its kind, people, dates, licences, funding, files and counts.

import type { AgencyObject } from './agency-json.ts';
import type { PartialDate } from './partial-date.ts';
import type { WorkDate } from './work-dates.ts';
import type { WorkKind } from './work-kinds.ts';

export interface License {
  readonly url: string | null;
  readonly name: string | null;
  /** "CC-BY-4.0" */
  readonly spdx: string | null;
  /** Crossref's `content-version`: "vor", "am", "tdm" */
  readonly appliesTo: string | null;
  readonly from: PartialDate | null;
}

/** One award, or a funder without awards. */
export interface Funding {
  readonly funder: string;
  /** `https://doi.org/10.13039/…` or `https://ror.org/…` */
  readonly funderId: string | null;
  readonly awardNumber: string | null;
  readonly awardTitle: string | null;
  readonly awardUrl: string | null;
}

export interface FullText {
  readonly url: string;
  readonly contentType: string | null;
  readonly version: string | null;
  readonly intendedFor: string | null;
}

/** Plain JSON. A list is empty and a value is null if the agency does not give it. */
export interface WorkDetails {
  readonly kind: WorkKind;
  /** the agency's own word: "journal-article", "Dataset" */
  readonly agencyType: string | null;
  /** the free words beside it: "preprint", "Census data" */
  readonly resourceType: string | null;
  readonly subjects: readonly string[];
  /** names of CSL with the member `contributorType`; null if the CSL has all contributors */
  readonly contributors: readonly AgencyObject[] | null;
  readonly dates: readonly WorkDate[];
  readonly licenses: readonly License[];
  readonly funding: readonly Funding[];
  readonly sizes: readonly string[];
  readonly formats: readonly string[];
  readonly fullTexts: readonly FullText[];
  readonly referenceCount: number | null;
  readonly citationCount: number | null;
  /** when the agency registered the name, in ISO 8601 */
  readonly registeredAt: string | null;
}
