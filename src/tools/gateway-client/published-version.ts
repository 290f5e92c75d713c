// Finds the published version of a preprint, among the related works that the agency of the preprint names.

import { canonicalName, type DoiName } from 'doi-names';

/** A selection in the GraphQL type DOI. Its fields share one look-up with `updates`. */
export const PUBLISHED_VERSION =
  'name metadata { kind } published: relations(kinds: [IS_PREPRINT_OF, IS_VERSION_OF, IS_PREVIOUS_VERSION_OF]) { kind doi { name } }';

export interface PublishedVersionFields {
  readonly name: DoiName;
  /** null if the agency has no metadata */
  readonly metadata: { readonly kind: string } | null;
  readonly published:
    | readonly { readonly kind: string; readonly doi: { readonly name: DoiName } | null }[]
    | null;
}

/**
 * Prefixes of servers that publish preprints and copies: arXiv, bioRxiv, SSRN, OSF, Research Square, Preprints.org, ChemRxiv,
 * Authorea, TechRxiv, Zenodo, figshare, ResearchGate. A version there is no published version.
 */
const PREPRINT_SERVERS: ReadonlySet<string> = new Set(
  '10.48550 10.1101 10.64898 10.2139 10.31219 10.31234 10.31235 10.21203 10.20944 10.26434 10.22541 10.36227 10.5281 10.6084 10.13140'.split(
    ' ',
  ),
);

/**
 * Null if the record of the name names no published version. Crossref has a relation for it. At DataCite, arXiv and other
 * servers call the article a version of the preprint, as they call the next version on the same server.
 * https://www.crossref.org/documentation/research-nexus/posted-content-includes-preprints/
 */
export function publishedVersion({ name, metadata, published }: PublishedVersionFields): DoiName | null {
  const others = (published ?? []).flatMap(({ kind, doi }) =>
    doi === null || canonicalName(doi.name) === canonicalName(name) ? [] : [{ kind, other: doi.name }],
  );
  const named = others.find(({ kind }) => kind === 'IS_PREPRINT_OF');
  if (named !== undefined || metadata?.kind !== 'PREPRINT') return named?.other ?? null;
  const elsewhere = others.find(({ other }) => !isOnServer(other, name));
  return elsewhere?.other ?? null;
}

function isOnServer(other: DoiName, preprint: DoiName): boolean {
  const prefix = prefixOf(other);
  return prefix === prefixOf(preprint) || PREPRINT_SERVERS.has(prefix);
}

function prefixOf(name: DoiName): string {
  return name.slice(0, name.indexOf('/'));
}
