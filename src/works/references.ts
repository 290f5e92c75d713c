// Reads the references of a work: what the work cites, as its publisher deposited it.
// https://www.crossref.org/documentation/schema-library/markup-guide-metadata-segments/references/ and
// https://support.datacite.org/docs/connecting-to-works

import type { DoiName } from 'doi-names';
import { freezeJson } from '../handle/json.ts';
import { type AgencyObject, agencyDoi, listOf, members, word } from './agency-json.ts';
import { entriesOf, textReader } from './detail-readers.ts';
import { inOneLine } from './title-markup.ts';
import { WORK_LIMITS } from './work-limits.ts';

export interface DepositedReference {
  /** null if the reference has no DOI, or a text that is not a DOI name */
  readonly doi: DoiName | null;
  /** The reference in words, as deposited. Null if it has only a DOI. */
  readonly text: string | null;
  readonly title: string | null;
  readonly author: string | null;
  readonly year: number | null;
  readonly containerTitle: string | null;
  readonly volume: string | null;
  readonly page: string | null;
  /** who found the DOI: `publisher`, `crossref` or `DataCite`; null without a DOI */
  readonly assertedBy: string | null;
}

/** The members that `readReference` reads, in the order of a reference in words. */
const WORDS = [
  ...['author', 'year', 'article-title', 'volume-title', 'series-title', 'journal-title'],
  ...['edition', 'volume', 'issue', 'first-page'],
] as const;
const MEMBERS = ['DOI', 'doi-asserted-by', 'unstructured', ...WORDS] as const;

/** `{ reference }` of an item of Crossref's REST API, cut to the limits of a work. Null: no list. Frozen. Never throws. */
export function crossrefReferences(item: unknown): AgencyObject {
  const { reference } = members(item);
  if (reference === undefined || reference === null) return NO_LIST;
  return freezeJson({
    reference: entriesOf(reference).map((entry) => {
      const deposited = members(entry);
      const kept = MEMBERS.map((member) => [member, startOf(deposited[member])] as const);
      return Object.fromEntries(kept.filter(([, text]) => text !== null));
    }),
  });
}

/** The works that a DataCite record cites, in the form of `crossrefReferences`. Frozen. Never throws. */
export function dataciteReferences(attributes: unknown): AgencyObject {
  const { relatedIdentifiers } = members(attributes);
  if (relatedIdentifiers === undefined || relatedIdentifiers === null) return NO_LIST;
  const cited = new Map<string, AgencyObject>();
  for (const related of listOf(relatedIdentifiers)) {
    if (cited.size === WORK_LIMITS.listEntries) break;
    const { relationType, relatedIdentifier, relatedIdentifierType } = members(related);
    if (!CITING.has(word(relationType)?.toLowerCase() ?? '')) continue;
    const identifier = word(relatedIdentifier);
    if (identifier === null) continue;
    const isDoi = word(relatedIdentifierType)?.toLowerCase() === 'doi';
    const name = isDoi ? agencyDoi(identifier) : null;
    const entry = name === null ? { unstructured: identifier } : { DOI: name, 'doi-asserted-by': 'DataCite' };
    // A record can state one citation twice, as Cites and as References.
    if (!cited.has(name ?? identifier)) cited.set(name ?? identifier, entry);
  }
  return freezeJson({ reference: [...cited.values()] });
}

const NO_LIST: AgencyObject = Object.freeze({ reference: null });
const CITING: ReadonlySet<string> = new Set(['cites', 'references']);

/** The beginning of a text or of the first text of a list. Null for any other value. */
function startOf(value: unknown): string | null {
  const [first] = listOf(value);
  if (typeof first === 'number') return String(first);
  if (typeof first !== 'string') return null;
  const start = inOneLine(first.slice(0, WORK_LIMITS.textCharacters).toWellFormed());
  return first.length > WORK_LIMITS.textCharacters ? `${start}…` : start || null;
}

/** The entries of a cached answer, for `readReference`. Null if the agency gives no list. */
export function referenceEntries({ reference }: AgencyObject): readonly unknown[] | null {
  return reference === null || reference === undefined ? null : entriesOf(reference);
}

/** @param deposited the members of one entry. Never throws. */
export function readReference(deposited: AgencyObject): DepositedReference {
  const text = textReader();
  const doi = agencyDoi(deposited['DOI']);
  const [article, volumeTitle, series, journal] = (
    ['article-title', 'volume-title', 'series-title', 'journal-title'] as const
  ).map((member) => text(deposited[member]));
  return {
    doi,
    text: textOf(deposited, doi),
    title: article ?? volumeTitle ?? null,
    author: text(deposited['author']),
    year: yearOf(deposited['year']),
    containerTitle: journal ?? (article == null ? null : (volumeTitle ?? null)) ?? series ?? null,
    volume: text(deposited['volume']),
    page: text(deposited['first-page']),
    assertedBy: doi === null ? null : word(deposited['doi-asserted-by']),
  };
}

/** The deposited text, else its parts. A deposited DOI that is no DOI name is a part of the text. */
function textOf(deposited: AgencyObject, doi: DoiName | null): string | null {
  const words =
    startOf(deposited['unstructured']) ?? joined(WORDS.map((member) => startOf(deposited[member])));
  const wrongDoi = doi === null ? startOf(deposited['DOI']) : null;
  return joined([words, wrongDoi !== null && words?.includes(wrongDoi) ? null : wrongDoi]);
}

function joined(parts: readonly (string | null)[]): string | null {
  return parts.filter((part) => part !== null).join(', ') || null;
}

/** `1998a` is the year 1998. */
function yearOf(value: unknown): number | null {
  const [year] = /(?<!\d)\d{4}(?!\d)/.exec(word(value)?.slice(0, WORK_LIMITS.detailCharacters) ?? '') ?? [];
  return year === undefined ? null : Number(year);
}
