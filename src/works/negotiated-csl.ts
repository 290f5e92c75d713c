// Cleans CSL JSON from content negotiation. Services send lists for texts, no `id`, and the words of Crossref.
// https://github.com/CrossRef/rest-api-doc/issues/580

import type { HandleName } from 'doi-names';
import { freezeJson } from '../handle/json.ts';
import { type AgencyObject, agencyDoi, listOf, members, word } from './agency-json.ts';
import { crossrefVariables } from './crossref-work.ts';
import { cslDate, cslItem, cslRichText, cslText } from './csl-item.ts';
import { cslPeople, wholeName } from './csl-people.ts';
import { entriesOf } from './detail-readers.ts';
import type { CslItem } from './work.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The variables of CSL by their kinds, without the variables that `crossrefVariables` reads. CSL 1.0.2, appendix IV. */
const TEXTS = words(`
  annote archive archive_collection archive_location archive-place authority call-number chapter-number
  collection-number dimensions division edition event-place genre jurisdiction keyword language medium note number
  number-of-pages number-of-volumes original-publisher original-publisher-place part PMCID PMID printing
  publisher-place references reviewed-genre scale section source status supplement version year-suffix
  container-title-short collection-title event-title
`);
const TITLES = words('original-title part-title reviewed-title volume-title volume-title-short title-short');
const PEOPLE = words(`
  author editor translator chair collection-editor compiler composer container-author contributor curator director
  editorial-director executive-producer guest host illustrator interviewer narrator organizer original-author performer
  producer recipient reviewed-author script-writer series-creator
`);
const DATES = words('accessed available-date event-date original-date submitted');

/** Crossref's words for licences and funding, which CSL does not have. Some agencies use them in their CSL JSON. */
const MEMBERS_OF_CROSSREF = ['license', 'funder'];

/** Other names of variables, in CSL JSON of older programs and of services. */
const ALIASES: Readonly<Record<string, string>> = {
  'title-short': 'shortTitle',
  'container-title-short': 'journalAbbreviation',
  'event-title': 'event',
  keyword: 'subject',
  'number-of-pages': 'page-count',
};

/** The item that pandoc, citeproc and Zotero can read. Frozen. Other members are dropped. */
export function cleanCsl(item: CslItem, name: HandleName): CslItem {
  const doi = agencyDoi(item['DOI']) ?? name;
  const read = (variables: readonly string[], reader: (value: unknown) => unknown) =>
    variables.map((variable) => [variable, reader(item[variable]) ?? reader(item[ALIASES[variable] ?? ''])]);
  const people = Object.fromEntries(PEOPLE.map((role) => [role, listOf(item[role]).map(personOf)]));
  const ownVariables = Object.fromEntries([
    ...read(TEXTS, cslText),
    ...read(TITLES, cslRichText),
    ...read(DATES, cslDate),
    ...MEMBERS_OF_CROSSREF.map((member) => [member, cutList(item[member])]),
    ...PEOPLE.map((role) => [role, cslPeople(people[role])]),
  ]);
  const crossref = crossrefVariables({ ...item, ...people });
  const given = Object.fromEntries(Object.entries(crossref).filter(([, value]) => value !== null));
  return freezeJson(cslItem({ id: doi, ...ownVariables, ...given, DOI: doi }));
}

/** A list with at most `listEntries` entries. Null for a missing member. */
function cutList(value: unknown): readonly unknown[] | null {
  const entries = entriesOf(value);
  return entries.length === 0 ? null : entries;
}

/** mEDRA sends `{"literal": "EXAMPLE, Ada"}` for a person, and other agencies send `name` for `literal`. */
function personOf(value: unknown): AgencyObject | string {
  if (typeof value === 'string') return value;
  const person = members(value);
  const text = word(person['literal']) ?? word(person['name']);
  const isWhole = text !== null && word(person['family']) === null && word(person['given']) === null;
  return isWhole ? { ...person, ...wholeName(text) } : person;
}
