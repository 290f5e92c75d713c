// The data of the responses to the documents of work-queries.js.

import type { NamedDoi } from './answers.js';

export interface Creator {
  readonly name: string;
  readonly affiliations: readonly { readonly name: string }[];
}

export interface License {
  readonly url: string | null;
  readonly name: string | null;
  readonly spdx: string | null;
  readonly appliesTo: string | null;
}

export interface Funding {
  readonly funder: string;
  readonly funderId: string | null;
  readonly awardNumber: string | null;
  readonly awardTitle: string | null;
  readonly awardUrl: string | null;
}

export interface Reference {
  readonly text: string | null;
  readonly title: string | null;
  readonly year: number | null;
  readonly doi: NamedDoi | null;
}

export interface ReferencesAnswer {
  readonly doi: { readonly references: readonly Reference[] | null } | null;
}

export interface Work {
  readonly title: string | null;
  readonly titleHtml: string | null;
  readonly creators: readonly Creator[];
  readonly issued: { readonly year: number } | null;
  readonly containerTitle: string | null;
  readonly publisher: string | null;
  readonly volume: string | null;
  readonly issue: string | null;
  readonly page: string | null;
  readonly kind: string;
  readonly abstract: string | null;
  readonly licenses: readonly License[];
  readonly funding: readonly Funding[];
  readonly referenceCount: number | null;
  readonly source: string;
  readonly fetchedAt: string;
  readonly stale: boolean;
}

export interface Update {
  readonly kind: string;
  /** the agency's own word */
  readonly type: string;
  readonly doi: NamedDoi | null;
  readonly date: { readonly text: string } | null;
  readonly sources: readonly string[];
}

/** What this work says of another work, as its notice. */
export interface NoticedWork extends Omit<Update, 'doi' | 'sources'> {
  readonly work: NamedDoi | null;
}

export interface UpdatesOutcome {
  readonly outcome: string;
  readonly source: string;
}

export interface Updates extends UpdatesOutcome {
  readonly notices: readonly Update[];
  readonly noticeOf: readonly NoticedWork[];
}

export interface Relation {
  readonly kind: string;
  readonly doi: NamedDoi | null;
  readonly identifier: string;
}

/** A work with its updates and its relations to other works. */
export interface DescribedWork {
  readonly id: string;
  readonly metadata: Work | null;
  readonly updates: Updates | null;
  readonly relations: readonly Relation[] | null;
}

export interface WorkAnswer {
  readonly doi: DescribedWork | null;
}

export interface ListedWork {
  readonly metadata: {
    readonly title: string | null;
    readonly issued: { readonly year: number } | null;
  } | null;
  readonly updates: UpdatesOutcome | null;
}

export interface ListTitlesAnswer {
  readonly dois: readonly (ListedWork | null)[];
}

export interface ListBibtexAnswer {
  readonly dois: readonly ({ readonly bibtex: string | null } | null)[];
}

export interface CitationAnswer {
  readonly doi: { readonly id: string; readonly text: string | null } | null;
}

export interface Evidence {
  readonly detail: string;
  readonly verdict: string;
  readonly inReference: string | null;
  readonly inWork: string | null;
}

export interface ReferenceMatch {
  readonly outcome: string;
  readonly doi: NamedDoi | null;
  readonly evidence: readonly Evidence[];
  readonly candidates: readonly { readonly doi: NamedDoi; readonly evidence: readonly Evidence[] }[];
  readonly sources: readonly string[];
}

export interface MatchesAnswer {
  readonly matchReferences: readonly (ReferenceMatch | null)[] | null;
}
