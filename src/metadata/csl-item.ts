// Makes CSL JSON from the members that an agency's API returns.
// https://github.com/citation-style-language/schema, csl-data.json

import { type AgencyObject, listOf, members, word } from './agency-json.ts';
import { readPartialDate } from './partial-date.ts';
import { readMarkup } from './title-markup.ts';
import { type Creator, type CslItem, readCreators, readMarkedUpText, readPlainText } from './work.ts';
import { WORK_LIMITS } from './work-limits.ts';

/** At most this many people with the same name are compared with each other. */
const MAX_NAMESAKES = 20;

/** The CSL type of a work whose type is not in the agency's table. */
export const OTHER_CSL_TYPE = 'document';

/** For each word of the table, the key of its row. @param table each value is a list of words with spaces between */
export function typeByWord(table: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const rows = Object.entries(table);
  return new Map(rows.flatMap(([type, words]) => words.split(' ').map((each) => [each, type] as const)));
}

/** An item without the variables that are null. */
export function cslItem(variables: Readonly<Record<string, unknown>>): CslItem {
  const item: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(variables)) if (value !== null) item[name] = value;
  return item;
}

/** The first text that is not empty, with the markup that CSL allows: `i`, `b`, `sub` and `sup`. */
export function cslRichText(...values: readonly unknown[]): string | null {
  const text = values.map(readMarkedUpText).find((value) => value !== null);
  if (text === undefined) return null;
  // In CSL, a character is escaped only if a program would read it as markup.
  const plain = text.html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return readMarkup(plain).html === text.html ? plain : text.html;
}

/** The first text that is not empty, without markup. */
export function cslText(...values: readonly unknown[]): string | null {
  return values.map(readPlainText).find((text) => text !== null) ?? null;
}

/** The first date that has a year. */
export function cslDate(...values: readonly unknown[]): CslItem | null {
  const date = values.map(readPartialDate).find((value) => value !== null);
  if (date === undefined) return null;
  return { 'date-parts': [[date.year, date.month, date.day].filter((part) => part !== null)] };
}

/**
 * Null if no person has a name. A person who is in the list twice is written once.
 * @param listed people and organizations with the members of Crossref. Each member can have any type. `name` is the name
 * of an organization, or the whole name of a person.
 */
export function cslPeople(listed: unknown): readonly CslItem[] | null {
  const people: Person[] = [];
  const byName = new Map<string, Person[]>();
  for (const person of listOf(listed).slice(0, WORK_LIMITS.creators).map(members)) {
    const { suffix, ORCID, affiliation } = person;
    const [creator] = readCreators({ ...nameParts(person), suffix, ORCID });
    if (creator === undefined) continue;
    const candidate: Person = { creator, affiliation: affiliationText(affiliation) };
    const key = creator.name.toLowerCase();
    const namesakes = byName.get(key) ?? [];
    const same = namesakes.find((namesake) => isProbablySame(namesake, candidate));
    if (same) same.creator = { ...same.creator, orcid: same.creator.orcid ?? creator.orcid };
    else {
      people.push(candidate);
      if (namesakes.length < MAX_NAMESAKES) byName.set(key, [...namesakes, candidate]);
    }
  }
  return people.length === 0 ? null : people.map(({ creator }) => cslName(creator));
}

/** In some records, the given name contains the whole name, even if the record also has a family name. */
function nameParts({ family, given, name }: AgencyObject): AgencyObject {
  const [surname, forename] = [word(family), word(given)];
  if (surname !== null && forename !== null) return { family, given: withoutFamily(forename, surname) };
  if (surname !== null) return { family };
  if (forename === null) return { name };
  const [, last, first] = /^([^,]+),\s*([^,\s][^,]*)$/.exec(forename) ?? [];
  return first === undefined ? { name: word(name) ?? forename } : { family: last, given: first };
}

/** Returns `Josiah` for `Josiah Carberry`, `Carberry Josiah` and `Carberry, Josiah`. */
function withoutFamily(given: string, family: string): string {
  const [whole, part] = [given.toLowerCase(), family.toLowerCase()];
  if (whole.endsWith(` ${part}`)) return given.slice(0, -part.length - 1);
  const separator = [', ', ' '].find((characters) => whole.startsWith(part + characters));
  return separator === undefined ? given : given.slice(part.length + separator.length);
}

interface Person {
  creator: Creator;
  readonly affiliation: string;
}

/** The names of the affiliations as one text, for comparisons only. */
function affiliationText(affiliation: unknown): string {
  return listOf(affiliation)
    .map((item) => word(item) ?? word(members(item)['name']) ?? '')
    .join('\n');
}

/** Compares two people with the same name: by ORCID iD if both have one, else by affiliation. */
function isProbablySame(one: Person, other: Person): boolean {
  const [orcid, otherOrcid] = [one.creator.orcid, other.creator.orcid];
  if (orcid !== null && otherOrcid !== null) return orcid === otherOrcid;
  return one.affiliation === other.affiliation || one.affiliation === '' || other.affiliation === '';
}

/** Without a family name, the whole name becomes CSL's `literal`. */
function cslName({ name, given, family, particle, suffix, orcid }: Creator): CslItem {
  const parts =
    family === null ? { literal: name } : { family, given, 'dropping-particle': particle, suffix };
  return cslItem({ ...parts, ORCID: orcid === null ? null : `https://orcid.org/${orcid}` });
}
