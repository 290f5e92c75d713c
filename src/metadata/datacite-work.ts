// Reads a work from DataCite's REST API: its metadata as CSL, its updates and its relations.
// https://support.datacite.org/reference/get_dois, https://datacite-metadata-schema.readthedocs.io/en/4.6/

import type { DoiName, HandleName } from '../doi/name.ts';
import { freezeJson } from '../handle/json.ts';
import { type AgencyObject, agencyDoi, isObject, listOf, members, word } from './agency-json.ts';
import { cslDate, cslItem, cslPeople, cslRichText, cslText, OTHER_CSL_TYPE, typeByWord } from './csl-item.ts';
import { readDataciteRelations } from './relations.ts';
import { readDataciteUpdates } from './retractions-and-updates.ts';
import type { AgencyWork } from './work.ts';

/** The value of `fields[dois]`: the members that `readDataciteWork` reads. */
export const DATACITE_FIELDS: readonly string[] = Object.freeze([
  ...['doi', 'titles', 'creators', 'contributors', 'publisher', 'publicationYear', 'types', 'dates'],
  ...['container', 'language', 'version', 'relatedIdentifiers', 'state', 'url', 'client'],
]);

/** The CSL type for each general type of DataCite, for records without `citeproc`. */
const TYPES = typeByWord({
  article: 'Preprint',
  'article-journal': 'DataPaper JournalArticle',
  book: 'Book ConferenceProceeding',
  chapter: 'BookChapter',
  collection: 'Collection',
  dataset: 'Dataset',
  event: 'Event',
  graphic: 'Image',
  motion_picture: 'Audiovisual',
  'paper-conference': 'ConferencePaper',
  periodical: 'Journal',
  report: 'Report',
  review: 'PeerReview',
  software: 'ComputationalNotebook Software',
  song: 'Sound',
  speech: 'Poster Presentation',
  standard: 'Standard',
  thesis: 'Dissertation',
});

/** Reads one entry of `/dois`. Frozen. Leaves out a member that it cannot read. Null if `dataciteDoi` returns null. */
export function readDataciteWork(item: unknown, lookedUp: HandleName): AgencyWork | null {
  const doi = dataciteDoi(item);
  if (doi === null) return null;
  const record = members(members(item)['attributes']);
  const container = members(record['container']);
  const csl = cslItem({
    id: doi,
    type: cslType(members(record['types'])),
    DOI: doi,
    URL: word(record['url']),
    title: knownText(cslRichText(record['titles'])),
    author: cslPeople(listOf(record['creators']).map(listedPerson)),
    editor: cslPeople(
      listOf(record['contributors'])
        .filter((person) => members(person)['contributorType'] === 'Editor')
        .map(listedPerson),
    ),
    issued: cslDate(...datesOf(record, 'Issued'), record['publicationYear']),
    'container-title': cslText(container['title']),
    publisher: knownText(cslText(record['publisher'])),
    volume: cslText(container['volume']),
    issue: cslText(container['issue']),
    page: pagesOf(container),
    ISSN: container['identifierType'] === 'ISSN' ? cslText(container['identifier']) : null,
    version: cslText(record['version']),
    language: word(record['language']),
  });
  const history = {
    updates: readDataciteUpdates({ ...record, doi }, lookedUp),
    relations: readDataciteRelations(record),
  };
  return freezeJson({ csl, history });
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

/** `citeproc` has no type for software. So for software, the general type replaces `citeproc`. */
function cslType({ citeproc, resourceTypeGeneral }: AgencyObject): string {
  const type = TYPES.get(word(resourceTypeGeneral) ?? '');
  return type === 'software' ? type : (word(citeproc) ?? type ?? OTHER_CSL_TYPE);
}

/** `:(unav)`, `(:unkn)`: codes for an unknown value, in the metadata schema's appendix 3. */
const UNKNOWN = /^[(:]{1,2}(?:unac|unal|unap|unas|unav|unkn|none|null|tba)\)?$/i;

function knownText(text: string | null): string | null {
  return text === null || UNKNOWN.test(text) ? null : text;
}

/** A person as `cslPeople` reads it. */
function listedPerson(value: unknown): AgencyObject {
  const person = members(value);
  const { familyName, givenName, nameType, affiliation } = person;
  const name = knownText(cslText(person['name']));
  const common = { ORCID: orcidOf(person), affiliation };
  if (nameType === 'Organizational') return { ...common, name };
  const isWholeName = nameType === 'Personal' && word(familyName) === null && word(givenName) === null;
  if (isWholeName) return { ...common, given: name };
  return { ...common, name, family: knownText(word(familyName)), given: knownText(word(givenName)) };
}

function orcidOf(person: AgencyObject): unknown {
  return listOf(person['nameIdentifiers'])
    .map(members)
    .find(({ nameIdentifierScheme }) => word(nameIdentifierScheme)?.toUpperCase() === 'ORCID')?.[
    'nameIdentifier'
  ];
}

function datesOf(record: AgencyObject, type: string): readonly unknown[] {
  return listOf(record['dates'])
    .map(members)
    .filter(({ dateType }) => dateType === type)
    .map(({ date }) => date);
}

function pagesOf(container: AgencyObject): string | null {
  const pages = [cslText(container['firstPage']), cslText(container['lastPage'])];
  return pages.filter((page) => page !== null).join('-') || null;
}
