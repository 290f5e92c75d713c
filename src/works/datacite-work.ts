// Reads a work from DataCite's REST API: its metadata as CSL, its updates and its relations.
// https://support.datacite.org/reference/get_dois, https://datacite-metadata-schema.readthedocs.io/en/4.6/

import type { DoiName, HandleName } from 'doi-names';
import { freezeJson } from '../handle/json.ts';
import { type AgencyObject, agencyDoi, isObject, listOf, members, word } from './agency-json.ts';
import {
  cslDate,
  cslIdentifiers,
  cslItem,
  cslKeyword,
  cslPages,
  cslRichText,
  cslText,
  cslTitles,
  isVolumeStatement,
} from './csl-item.ts';
import { cslPeople } from './csl-people.ts';
import {
  DATACITE_DETAIL_FIELDS,
  readDataciteAbstract,
  readDataciteDetails,
  readDataciteSubjects,
} from './datacite-details.ts';
import { knownText, listedPerson } from './datacite-people.ts';
import { readPartialDate } from './partial-date.ts';
import { readDataciteRelations } from './relations.ts';
import { readDataciteUpdates } from './retractions-and-updates.ts';
import { isThesis } from './theses.ts';
import type { AgencyWork, CslItem } from './work.ts';
import { WORK_LIMITS } from './work-limits.ts';
import { cslTypeOf, cslTypeOfDatacite, OTHER_CSL_TYPE } from './work-types.ts';

/** The value of `fields[dois]`: the members that `readDataciteWork` reads. */
export const DATACITE_FIELDS: readonly string[] = Object.freeze([
  ...['doi', 'titles', 'creators', 'contributors', 'publisher', 'publicationYear', 'types', 'dates'],
  ...[
    'container',
    'relatedItems',
    'identifiers',
    'language',
    'version',
    'relatedIdentifiers',
    'state',
    'url',
  ],
  'client',
  ...DATACITE_DETAIL_FIELDS,
]);

/** Reads one entry of `/dois`. Frozen. Leaves out a member that it cannot read. Null if `dataciteDoi` returns null. */
export function readDataciteWork(item: unknown, lookedUp: HandleName): AgencyWork | null {
  const doi = dataciteDoi(item);
  if (doi === null) return null;
  const record = members(members(item)['attributes']);
  const types = members(record['types']);
  const place = placeOf(record);
  const type = cslType(types);
  const csl = cslItem({
    id: doi,
    type,
    DOI: doi,
    URL: word(record['url']),
    ...titlesOf(record['titles']),
    author: cslPeople(peopleIn(record['creators']).map(listedPerson)),
    editor: contributorsOf(record, 'Editor'),
    translator: contributorsOf(record, 'Translator'),
    issued: cslDate(...issuedOf(record), record['publicationYear']),
    ...place,
    genre: type === 'thesis' ? cslText(types['resourceType']) : null,
    publisher: knownText(cslText(record['publisher'])),
    ISSN: cslIdentifiers(identifiersOf(record, ISSN)),
    ISBN: cslIdentifiers(identifiersOf(record, ISBN)),
    version: cslText(record['version']),
    language: word(record['language']),
    abstract: readDataciteAbstract(record),
    keyword: cslKeyword(readDataciteSubjects(record['subjects'])),
  });
  const history = {
    updates: readDataciteUpdates({ ...record, doi }, lookedUp),
    relations: readDataciteRelations(record),
    details: readDataciteDetails(record),
  };
  return freezeJson({ csl, history });
}

function contributorsOf(record: AgencyObject, type: 'Editor' | 'Translator'): readonly CslItem[] | null {
  const all = peopleIn(record['contributors']);
  return cslPeople(
    all.filter((person) => word(members(person)['contributorType']) === type).map(listedPerson),
  );
}

/** A longer list is cut before it is read. */
function peopleIn(list: unknown): readonly unknown[] {
  return listOf(Array.isArray(list) ? list.slice(0, WORK_LIMITS.creators) : list);
}

/** The DOI of an entry. Null for an entry without a DOI, a hidden entry, and a copy of another agency's record. */
export function dataciteDoi(item: unknown): DoiName | null {
  const { id, attributes, relationships } = members(item);
  const record = members(attributes);
  const isOwn = record['state'] === 'findable' && hasOwnClient(relationships);
  return isOwn ? (agencyDoi(record['doi']) ?? agencyDoi(id)) : null;
}

/** A copy of another agency's record has no client, or a client such as `crossref.citations`. */
function hasOwnClient(relationships: unknown): boolean {
  // DataCite always sends `relationships`, but a mirror of its API can leave them out.
  if (!isObject(relationships)) return true;
  const client = word(members(members(relationships['client'])['data'])['id']);
  return client !== null && !client.toLowerCase().endsWith('.citations');
}

/** General types that say little, so the words of `resourceType` can say that the work is a thesis. */
const MAYBE_THESIS: ReadonlySet<string | null> = new Set([
  null,
  'Text',
  'Other',
  'Book',
  'Report',
  'Preprint',
]);
/** General types for which `citeproc` says more. For every other type, DataCite's fallback is `article`. */
const CITEPROC_COUNTS: ReadonlySet<string | null> = new Set([null, 'Text', 'Preprint']);

function cslType({ citeproc, resourceType, resourceTypeGeneral }: AgencyObject): string {
  const general = word(resourceTypeGeneral);
  if (MAYBE_THESIS.has(general) && isThesis(word(resourceType))) return 'thesis';
  const ownType = cslTypeOfDatacite(general);
  const ofCiteproc = CITEPROC_COUNTS.has(general) ? word(citeproc) : null;
  return ofCiteproc === null ? (ownType ?? OTHER_CSL_TYPE) : cslTypeOf(ofCiteproc);
}

/** The first title without a `titleType`, and the subtitle. */
function titlesOf(titles: unknown): CslItem {
  const all = listOf(titles);
  const typeOf = (title: unknown): string | null => word(members(title)['titleType']);
  const mainTitles = all.filter((title) => typeOf(title) === null);
  const subtitles = all.filter((title) => typeOf(title) === 'Subtitle');
  return cslTitles(
    [mainTitles, all].map((each) => knownText(cslRichText(each))),
    subtitles,
  );
}

/** Where the work was published: the first `relatedItems` of type IsPublishedIn, else the container. */
function placeOf(record: AgencyObject): AgencyObject {
  const item = publishedIn(record);
  const container = members(record['container']);
  const title = cslText(container['title']);
  return {
    'container-title':
      titlesOf(item['titles'])['title'] ?? (title === null || isVolumeStatement(title) ? null : title),
    volume: cslText(item['volume'], container['volume']),
    issue: cslText(item['issue'], container['issue']),
    page: pagesOf(item) ?? pagesOf(container),
  };
}

function publishedIn(record: AgencyObject): AgencyObject {
  const items = listOf(record['relatedItems']).slice(0, MAX_RELATED).map(members);
  return items.find(({ relationType }) => word(relationType) === 'IsPublishedIn') ?? NO_ITEM;
}

/** At most this many related items are read. */
const MAX_RELATED = 1_000;
const NO_ITEM: AgencyObject = Object.freeze({});

const ISSN = 'issn';
const ISBN = 'isbn';
/** The relations to the book or the journal that a work is a part of. */
const CONTAINING: ReadonlySet<unknown> = new Set(['IsPartOf', 'IsPublishedIn']);

/**
 * The identifiers of one scheme: of the container, of works that contain this work, and of this work. The scheme is
 * written in many ways: `ISSN`, `EISSN`, `LISSN`, `ISBN-13`, `Print ISBN`.
 */
function identifiersOf(record: AgencyObject, scheme: typeof ISSN | typeof ISBN): readonly unknown[] {
  const container = members(record['container']);
  const objectsIn = (member: string) => listOf(record[member]).slice(0, MAX_RELATED).map(members);
  const isContaining = ({ relationType }: AgencyObject) => CONTAINING.has(word(relationType));
  return [
    [container['identifier'], container['identifierType']],
    ...objectsIn('relatedItems')
      .filter(isContaining)
      .map((item) => (isObject(item['relatedItemIdentifier']) ? item['relatedItemIdentifier'] : item))
      .map((item) => [item['relatedItemIdentifier'], item['relatedItemIdentifierType']]),
    ...objectsIn('relatedIdentifiers')
      .filter(isContaining)
      .map((other) => [other['relatedIdentifier'], other['relatedIdentifierType']]),
    ...objectsIn('identifiers').map(({ identifier, identifierType }) => [identifier, identifierType]),
  ]
    .filter(([, type]) => word(type)?.toLowerCase().includes(scheme))
    .map(([identifier]) => identifier);
}

/** The dates of type Issued. The date in the year of publication comes first. */
function issuedOf(record: AgencyObject): readonly unknown[] {
  const dates = listOf(record['dates'])
    .map(members)
    .filter(({ dateType }) => word(dateType) === 'Issued')
    .map(({ date }) => date);
  const year = readPartialDate(record['publicationYear'])?.year;
  const inYear = dates.find((date) => year !== undefined && readPartialDate(date)?.year === year);
  return [inYear, ...dates];
}

function pagesOf(container: AgencyObject): string | null {
  const pages = [cslPages(container['firstPage']), cslPages(container['lastPage'])];
  return pages[0] === null ? null : pages.filter((page) => page !== null).join('-');
}
