/** Price of one DOI: 148, or 271 for an input of 64 characters or more; a gateway allows 250,000. `titleHtml` is left out: a title is text here. */
export const query =
  'query DoiLinks($inputs:[String!]!){dois(inputs:$inputs){url whichRa{status agency{name}}metadata{title}updates{outcome source notices{kind date{text}doi{url}}}}}';

/** A row of the response. */
export interface Row {
  readonly url: string;
  readonly whichRa: { readonly status: string; readonly agency: { readonly name: string } | null } | null;
  readonly metadata: { readonly title: string | null } | null;
  readonly updates: Updates | null;
}

export interface Updates {
  readonly outcome: string;
  readonly source: string;
  readonly notices: readonly Notice[];
}

export interface Notice {
  readonly kind: string;
  readonly date: { readonly text: string } | null;
  readonly doi: { readonly url: string } | null;
}

export interface GraphqlError {
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string; readonly retryAfterSeconds?: number };
}
