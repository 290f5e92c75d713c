// Identifiers that are not DOI names. The page looks up handles, and links other identifiers to their own resolvers.

import type { ReadAtOnce } from './answers.ts';

/**
 * Whether an input that is no DOI name should be another handle: the input is labelled as a handle, or the
 * number before its slash is not 10. `doi show` has the same rule.
 */
export function shouldBeHandle({ form, problem, meant }: Pick<ReadAtOnce, 'form' | 'problem' | 'meant'>) {
  if (!problem || problem.code === 'SHORT_DOI' || meant.length > 1) return false;
  const isNumbered = problem.code === 'INVALID_DIRECTORY_INDICATOR' || problem.looksLike === 'HANDLE';
  return form === 'HANDLE_URI' || (form === null && isNumbered);
}

const RESOLVERS: Readonly<
  Record<string, { pattern: RegExp; address: (id: string) => string; words: string }>
> = {
  PMID: {
    pattern: /[1-9][0-9]{0,8}/,
    address: (id) => `https://pubmed.ncbi.nlm.nih.gov/${id}/`,
    words: 'PubMed',
  },
  PMCID: {
    pattern: /pmc[1-9][0-9]{0,8}/i,
    address: (id) => `https://pmc.ncbi.nlm.nih.gov/articles/${id.toUpperCase()}/`,
    words: 'PubMed Central',
  },
  ISBN: {
    pattern: /[0-9](?:[0-9 ]|[-\u2010-\u2013]){7,18}[0-9x]/i,
    address: (id) => `https://openlibrary.org/isbn/${id.replaceAll(/[^0-9x]/gi, '').toUpperCase()}`,
    words: 'Open Library',
  },
};

/** The label of an identifier, such as "ISBN-13:". It is no part of the number. */
const ISBN_LABEL = /^.*?isbn(?:[- ]?1[03])?:?\s*/i;

/** @param kind of OtherIdentifier @returns null if the page knows no resolver */
export function resolverOf(kind: string, input: string): { href: string; words: string } | null {
  const resolver = Object.hasOwn(RESOLVERS, kind) ? RESOLVERS[kind] : undefined;
  const [id] = resolver?.pattern.exec(input.replace(ISBN_LABEL, '')) ?? [];
  return resolver && id !== undefined ? { href: resolver.address(id), words: resolver.words } : null;
}
