// Reads a work from Crossref's REST API: its metadata as CSL, its updates and its relations.
// https://api.crossref.org/swagger-ui/index.html, https://github.com/CrossRef/rest-api-doc/blob/master/api_format.md

import type { HandleName } from '../doi/name.ts';
import { freezeJson, MalformedRecordError } from '../handle/json.ts';
import { agencyDoi, members, word } from './agency-json.ts';
import { cslDate, cslItem, cslPeople, cslRichText, cslText, OTHER_CSL_TYPE, typeByWord } from './csl-item.ts';
import { readCrossrefRelations } from './relations.ts';
import { readCrossrefUpdates } from './retractions-and-updates.ts';
import type { AgencyWork } from './work.ts';

/** Members that can have the date of publication. The first member with a year is used. */
const DATES = ['issued', 'published', 'published-print', 'published-online', 'posted'] as const;

/**
 * The value of `select`: the members that `readCrossrefWork` reads. Crossref refuses a request that selects `language`.
 * `readCrossrefWork` never reads `language`, so that a work has the same CSL alone and in a list.
 */
export const CROSSREF_FIELDS: readonly string[] = Object.freeze([
  ...['DOI', 'URL', 'type', 'title', 'original-title', 'short-title', 'author', 'editor', 'translator'],
  ...DATES,
  ...['container-title', 'short-container-title', 'publisher', 'publisher-location'],
  ...['volume', 'issue', 'page', 'article-number', 'ISSN', 'ISBN', 'relation', 'update-to', 'updated-by'],
]);

/** For each type of CSL 1.0.2 (appendix III), the types of Crossref (https://api.crossref.org/types) */
const TYPES = typeByWord({
  article: 'posted-content',
  'article-journal': 'journal-article',
  book: 'book book-series book-set edited-book monograph proceedings proceedings-series reference-book',
  chapter: 'book-chapter book-part book-section book-track report-component',
  dataset: 'database dataset',
  'entry-encyclopedia': 'reference-entry',
  'paper-conference': 'proceedings-article',
  periodical: 'journal journal-issue journal-volume',
  report: 'report report-series',
  review: 'peer-review',
  standard: 'standard',
  thesis: 'dissertation',
});

/**
 * Reads one item of `/works`, or the message of `/works/{doi}`. The result is frozen. Throws MalformedRecordError if the
 * item has no DOI. Leaves out any other member that it cannot read.
 * @param lookedUp the name that was looked up. If it is an alias, the DOI of the item is a different name.
 */
export function readCrossrefWork(item: unknown, lookedUp: HandleName): AgencyWork {
  const work = members(item);
  const doi = agencyDoi(work['DOI']);
  if (doi === null) throw new MalformedRecordError('a work of Crossref has no DOI');
  const csl = cslItem({
    id: doi,
    type: TYPES.get(word(work['type']) ?? '') ?? OTHER_CSL_TYPE,
    DOI: doi,
    URL: word(work['URL']),
    title: cslRichText(work['title'], work['original-title'], work['short-title']),
    'title-short': cslRichText(work['short-title']),
    author: cslPeople(work['author']),
    editor: cslPeople(work['editor']),
    translator: cslPeople(work['translator']),
    issued: cslDate(...DATES.map((member) => work[member])),
    'container-title': cslText(work['container-title']),
    'container-title-short': cslText(work['short-container-title']),
    publisher: cslText(work['publisher']),
    'publisher-place': cslText(work['publisher-location']),
    volume: cslText(work['volume']),
    issue: cslText(work['issue']),
    page: cslText(work['page'], work['article-number']),
    ISSN: cslText(work['ISSN']),
    ISBN: cslText(work['ISBN']),
  });
  const history = { updates: readCrossrefUpdates(work, lookedUp), relations: readCrossrefRelations(work) };
  return freezeJson({ csl, history });
}

/** The language of a work; null if Crossref gives no language. It is not in the CSL: Crossref's lists have none. */
export function readCrossrefLanguage(item: unknown): string | null {
  return word(members(item)['language']);
}
