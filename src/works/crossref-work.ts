// Reads a work from Crossref's REST API: its metadata as CSL, its updates and its relations.
// https://api.crossref.org/swagger-ui/index.html, https://github.com/CrossRef/rest-api-doc/blob/master/api_format.md

import type { HandleName } from 'doi-names';
import { freezeJson, MalformedRecordError } from '../handle/json.ts';
import { abstractText } from './abstract-text.ts';
import { type AgencyObject, agencyDoi, members, word } from './agency-json.ts';
import { readContainers } from './container-titles.ts';
import { CROSSREF_DETAIL_FIELDS, readCrossrefDetails, readSubjects } from './crossref-details.ts';
import { cslDate, cslIdentifiers, cslItem, cslKeyword, cslPages, cslText, cslTitles } from './csl-item.ts';
import { cslPeople } from './csl-people.ts';
import { readCrossrefRelations } from './relations.ts';
import { readCrossrefUpdates } from './retractions-and-updates.ts';
import type { AgencyWork, CslItem } from './work.ts';
import { CROSSREF_DATES } from './work-dates.ts';
import { cslTypeOf } from './work-types.ts';

/** Members that can have the date of publication. The first member with a year is used. */
const DATES = ['issued', 'published', 'published-print', 'published-online', 'posted', 'approved'] as const;

/**
 * The value of `select`: the members that `readCrossrefWork` reads. Crossref refuses a request that selects `language`.
 * `readCrossrefWork` never reads `language`, so that a work has the same CSL alone and in a list.
 */
export const CROSSREF_FIELDS: readonly string[] = Object.freeze([
  ...['DOI', 'URL', 'type', 'degree', 'title', 'subtitle', 'original-title', 'short-title'],
  ...['author', 'editor', 'translator', 'chair'],
  ...new Set([...DATES, ...CROSSREF_DATES]),
  ...['container-title', 'short-container-title', 'event', 'publisher', 'publisher-location'],
  'abstract',
  ...['volume', 'issue', 'page', 'article-number', 'ISSN', 'ISBN', 'relation', 'update-to', 'updated-by'],
  ...CROSSREF_DETAIL_FIELDS,
]);

/**
 * Reads one item of `/works`, or the message of `/works/{doi}`. The result is frozen. Throws MalformedRecordError if the
 * item has no DOI. Leaves out any other member that it cannot read.
 * @param lookedUp the name that was looked up. If it is an alias, the DOI of the item is a different name.
 */
export function readCrossrefWork(item: unknown, lookedUp: HandleName): AgencyWork {
  const work = members(item);
  const doi = agencyDoi(work['DOI']);
  if (doi === null) throw new MalformedRecordError('a work of Crossref has no DOI');
  const csl = cslItem({ id: doi, ...crossrefVariables(work), DOI: doi });
  const history = {
    updates: readCrossrefUpdates(work, lookedUp),
    relations: readCrossrefRelations(work),
    details: readCrossrefDetails(work),
  };
  return freezeJson({ csl, history });
}

/** The variables of CSL for the members of Crossref, in CSL JSON too. A variable without a value is null. */
export function crossrefVariables(work: AgencyObject): CslItem {
  const { container, series } = readContainers(
    work['container-title'],
    work['short-container-title'],
    members(work['event'])['name'],
  );
  const ISBN = cslIdentifiers(work['ISBN']);
  return {
    type: typeOf(word(work['type']), container, ISBN),
    URL: word(work['URL']),
    ...cslTitles(
      [work['title'], work['original-title'], work['short-title']],
      work['subtitle'],
      work['short-title'],
    ),
    author: cslPeople(work['author']),
    editor: cslPeople(work['editor']),
    translator: cslPeople(work['translator']),
    chair: cslPeople(work['chair']),
    issued: cslDate(...DATES.map((member) => work[member])),
    'container-title': container,
    'container-title-short': cslText(work['short-container-title']),
    'collection-title': series,
    genre: cslText(work['degree']),
    publisher: cslText(work['publisher']),
    'publisher-place': cslText(work['publisher-location']),
    volume: cslText(work['volume']),
    issue: cslText(work['issue']),
    page: cslPages(work['page'], work['article-number']),
    ISSN: cslIdentifiers(work['ISSN']),
    ISBN,
    abstract: abstractText(work['abstract']),
    keyword: cslKeyword(readSubjects(work['subject'])),
    'event-title': cslText(members(work['event'])['name']),
  };
}

/** Crossref has no type for chapters that publishers deposit as `other`. Such a chapter has the ISBN of its book. */
function typeOf(type: string | null, container: string | null, isbn: string | null): string {
  return type === 'other' && container !== null && isbn !== null ? 'chapter' : cslTypeOf(type);
}

/** The language of a work; null if Crossref gives no language. It is not in the CSL: Crossref's lists have none. */
export function readCrossrefLanguage(item: unknown): string | null {
  return word(members(item)['language']);
}
