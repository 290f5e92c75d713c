// Makes CSL's lists of people from the members that agencies send.

import { type Affiliation, cslAffiliations, cslRor } from './affiliations.ts';
import { type AgencyObject, listOf, members, word } from './agency-json.ts';
import { type Creator, familyFirst, readCreators } from './creators.ts';
import { isCertainlyMisread, repairMisreadUtf8 } from './damaged-text.ts';
import { type MarkupBudget, markupBudget } from './markup-budget.ts';
import type { CslItem } from './work.ts';
import { WORK_LIMITS } from './work-limits.ts';

/** At most this many people with the same name are compared with each other. */
const MAX_NAMESAKES = 20;

/**
 * Null if no person has a name. A person who is in the list twice is written once.
 * @param listed people and organizations with the members of Crossref, or texts. Each member can have any type. `name` is
 * the name of an organization, or the whole name of a person.
 */
export function cslPeople(listed: unknown, budget = markupBudget()): readonly CslItem[] | null {
  const people: Person[] = [];
  const byName = new Map<string, Person[]>();
  for (const person of repaired(
    listOf(listed)
      .slice(0, WORK_LIMITS.creators)
      .map((value) => memberTexts(value, budget)),
  )) {
    const [creator] = readCreators({ ...person, ...nameParts(person, budget) }, budget);
    if (creator === undefined) continue;
    const candidate: Person = { creator, affiliation: affiliationText(creator.affiliations) };
    const key = creator.name.toLowerCase();
    const namesakes = byName.get(key) ?? [];
    const same = namesakes.find((namesake) => isProbablySame(namesake, candidate));
    if (same) same.creator = merged(same.creator, creator);
    else {
      people.push(candidate);
      if (namesakes.length < MAX_NAMESAKES) byName.set(key, [...namesakes, candidate]);
    }
  }
  return people.length === 0 ? null : people.map(({ creator }) => cslName(creator));
}

const NAME_MEMBERS = [
  'family',
  'given',
  'name',
  'suffix',
  'dropping-particle',
  'non-dropping-particle',
] as const;

/** The members of a person that are read. A text is a whole name: `Carberry, Josiah`. */
function memberTexts(value: unknown, budget: MarkupBudget): AgencyObject {
  const person = typeof value === 'string' ? wholeName(value, budget) : members(value);
  // One literal, because V8 makes an object from a literal much faster than from a list of entries.
  return {
    family: single(person['family'] ?? person['familyName']),
    given: single(person['given'] ?? person['givenName']),
    name: single(person['name']),
    suffix: single(person['suffix']),
    'dropping-particle': single(person['dropping-particle']),
    'non-dropping-particle': single(person['non-dropping-particle']),
    ORCID: single(person['ORCID']),
    affiliation: person['affiliation'],
    id: person['id'],
    nameType: single(person['nameType']),
  };
}

/** The first entry of a list, because some records have a list where other records have a text. */
function single(value: unknown): unknown {
  return (Array.isArray(value) ? (value as readonly unknown[])[0] : value) ?? null;
}

/** A longer name is repaired only if the name alone shows the damage. */
const MAX_REPAIRED_CHARACTERS = 500;

/**
 * Repairs names whose UTF-8 was misread. `MUÃ‘OZ` alone can be right. Beside a name that is certainly misread, `MUÃ‘OZ`
 * is misread too.
 */
function repaired(people: readonly AgencyObject[]): readonly AgencyObject[] {
  const isShort = (text: unknown): text is string =>
    typeof text === 'string' && text.length <= MAX_REPAIRED_CHARACTERS;
  const isDamaged = people.some((person) =>
    NAME_MEMBERS.some((member) => isShort(person[member]) && isCertainlyMisread(person[member])),
  );
  if (!isDamaged) return people;
  return people.map((person) => {
    const copy: Record<string, unknown> = { ...person };
    for (const member of NAME_MEMBERS) {
      const text = copy[member];
      if (isShort(text)) copy[member] = repairMisreadUtf8(text, { isDamaged });
    }
    return copy;
  });
}

/** In some records, one member contains the whole name, even if the record also has a family name. */
function nameParts({ family, given, name }: AgencyObject, budget: MarkupBudget): AgencyObject {
  const [surname, forename] = [word(family), word(given)];
  if (surname !== null && forename !== null) return { family, given: withoutFamily(forename, surname) };
  if (surname !== null) return familyFirst(surname, budget) ?? { family };
  if (forename === null) return { name };
  const [, last, first] = /^([^,]+),\s*([^,\s][^,]*)$/.exec(forename) ?? [];
  if (first !== undefined) return { family: last, given: first };
  return { given: null, name: word(name) ?? forename, nameType: 'Personal' };
}

/** Returns `Josiah` for `Carberry, Josiah`. A given name can end with the family name: `Omar A. Omar`. */
function withoutFamily(given: string, family: string): string {
  const start = `${family}, `;
  return given.toLowerCase().startsWith(start.toLowerCase()) ? given.slice(start.length) : given;
}

/** Family name and given name of `EXAMPLE, Ada`; any other text is the name of an organization or in spoken order. */
export function wholeName(text: string, budget = markupBudget()): AgencyObject {
  return familyFirst(text, budget) ?? { name: text };
}

interface Person {
  creator: Creator;
  readonly affiliation: string;
}

/** The names of the affiliations as one text, for comparisons only. */
function affiliationText(affiliations: readonly Affiliation[]): string {
  return affiliations.map(({ name }) => name).join('\n');
}

function merged(one: Creator, other: Creator): Creator {
  const { affiliations } = one.affiliations.length > 0 ? one : other;
  return { ...one, orcid: one.orcid ?? other.orcid, ror: one.ror ?? other.ror, affiliations };
}

/** Compares two people with the same name: by ORCID iD if both have one, else by affiliation. */
function isProbablySame(one: Person, other: Person): boolean {
  const [orcid, otherOrcid] = [one.creator.orcid, other.creator.orcid];
  if (orcid !== null && otherOrcid !== null) return orcid === otherOrcid;
  return one.affiliation === other.affiliation || one.affiliation === '' || other.affiliation === '';
}

/** Without a family name, the whole name becomes CSL's `literal`. Only the parts of the name are members of CSL. */
function cslName(creator: Creator): CslItem {
  const { name, given, family, particle, suffix, orcid, isOrganization, ror, affiliations } = creator;
  const item: Record<string, unknown> = family === null ? { literal: name } : { family };
  if (family !== null) {
    if (given !== null) item['given'] = given;
    if (particle !== null) item['dropping-particle'] = particle;
    if (suffix !== null) item['suffix'] = suffix;
  } else if (!isOrganization) item['nameType'] = 'Personal';
  if (orcid !== null) item['ORCID'] = `https://orcid.org/${orcid}`;
  if (ror !== null) item['id'] = cslRor(ror);
  if (affiliations.length > 0) item['affiliation'] = cslAffiliations(affiliations);
  return item;
}
