// The answers to the documents of work-queries.js.

export interface Work {
  readonly title: string | null;
  readonly titleHtml: string | null;
  readonly creators: readonly { readonly name: string }[];
  readonly issued: { readonly year: number } | null;
  readonly containerTitle: string | null;
  readonly publisher: string | null;
  readonly volume: string | null;
  readonly issue: string | null;
  readonly page: string | null;
  readonly source: string;
  readonly fetchedAt: string;
  readonly stale: boolean;
}

export interface WorkAnswer {
  readonly doi: { readonly id: string; readonly metadata: Work | null } | null;
}

export interface CitationAnswer {
  readonly doi: { readonly id: string; readonly text: string | null } | null;
}
