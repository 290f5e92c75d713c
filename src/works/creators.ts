// Reads the people and organizations that made a work.

import { isOrcid } from 'doi-names/parts';
import { type Affiliation, readAffiliations, rorOf } from './affiliations.ts';
import { type AgencyObject, isObject } from './agency-json.ts';
import { type MarkupBudget, markupBudget, plainWithin } from './markup-budget.ts';
import { WORK_LIMITS } from './work-limits.ts';

/** A person or an organization that made a work. */
export interface Creator {
  /** the whole name in spoken order: "Ludwig van Beethoven" */
  readonly name: string;
  readonly given: string | null;
  readonly family: string | null;
  /** CSL's dropping particle: "de" of "Charles de Gaulle". Neither `given` nor `family` contains it. */
  readonly particle: string | null;
  /** "Jr." */
  readonly suffix: string | null;
  /** "0000-0002-1825-0097" */
  readonly orcid: string | null;
  readonly isOrganization: boolean;
  /** "https://ror.org/03yrm5c26" */
  readonly ror: string | null;
  readonly affiliations: readonly Affiliation[];
}

/** Reads a list or a single item. Reads only the first people of a long list. Leaves out a person without a name. */
export function readCreators(names: unknown, budget = markupBudget()): readonly Creator[] {
  const all: readonly unknown[] = Array.isArray(names) ? names.slice(0, WORK_LIMITS.creators) : [names];
  return all.map((value) => readCreator(value, budget)).filter((creator) => creator !== null);
}

function readCreator(value: unknown, budget: MarkupBudget): Creator | null {
  if (typeof value === 'string') return fromText(value, budget);
  if (!isObject(value)) return null;
  const nameText = (name: unknown): string | null => readName(name, budget);
  const common = {
    orcid: readOrcid(value),
    ror: rorOf(value),
    affiliations: readAffiliations(value['affiliation'], budget),
  };
  const given = nameText(firstValue(value, ['given', 'givenName', 'firstName']));
  const family = nameText(firstValue(value, ['family', 'familyName', 'lastName']));
  if (given === null && family === null) {
    const wholeName = nameText(firstValue(value, ['literal', 'name']));
    return withWholeName(wholeName, { ...common, isOrganization: value['nameType'] !== 'Personal' });
  }
  const surname = joined(nameText(value['non-dropping-particle']), family);
  const particle = nameText(value['dropping-particle']);
  const suffix = nameText(value['suffix']);
  const name = joined(given, particle, surname, suffix);
  const isOrganization = value['nameType'] === 'Organizational';
  return name === null ? null : { name, given, family: surname, particle, suffix, ...common, isOrganization };
}

/** The first value that is not empty. @param keys a key of CSL, then the keys of DataCite's metadata and of Zotero */
function firstValue(person: AgencyObject, keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = person[key];
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

/** `Carberry, Josiah`: one comma with a few words on both sides. Any other text is a name in spoken order. */
const FAMILY_FIRST = /^([^,;\s]+(?: [^,;\s]+){0,2}), ([^,;\s]+(?: [^,;\s]+){0,2})$/u;
const OF_ORGANIZATIONS = /\b(?:of|for|and|inc|ltd|llc|gmbh|university|institute|department)\b|&/i;

function fromText(text: string, budget: MarkupBudget): Creator | null {
  const parts = familyFirst(text, budget);
  return parts === null ? withWholeName(readName(text, budget), NO_DETAILS) : readCreator(parts, budget);
}

/** Family name and given name of a text such as `Carberry, Josiah`. Null for an organization and any other text. */
export function familyFirst(
  text: string,
  budget = markupBudget(),
): { readonly family: string; readonly given: string } | null {
  const name = readName(text, budget) ?? '';
  const [, family, given] = OF_ORGANIZATIONS.test(name) ? [] : (FAMILY_FIRST.exec(name) ?? []);
  return family === undefined || given === undefined ? null : { family, given };
}

type CreatorDetails = Pick<Creator, 'orcid' | 'isOrganization' | 'ror' | 'affiliations'>;
const NO_DETAILS: CreatorDetails = Object.freeze({
  ...{ orcid: null, isOrganization: true, ror: null, affiliations: [] },
});

/** An organization, or a person whose name has no parts. */
function withWholeName(name: string | null, details: CreatorDetails): Creator | null {
  return name === null ? null : { name, given: null, family: null, particle: null, suffix: null, ...details };
}

/** The plain text, without the commas between this name and other names. Null if the text is empty. */
function readName(value: unknown, budget: MarkupBudget): string | null {
  if (typeof value !== 'string') return null;
  const text = plainWithin(value, budget, WORK_LIMITS.nameCharacters);
  // A pattern such as /[ ,;]+$/ would read a run of commas again from each of its commas.
  const isComma = (at: number): boolean => ' ,;'.includes(text.charAt(at));
  let [start, end] = [0, text.length];
  while (end > 0 && isComma(end - 1)) end -= 1;
  while (start < end && isComma(start)) start += 1;
  return start === end ? null : text.slice(start, end);
}

function joined(...parts: readonly (string | null)[]): string | null {
  return parts.filter((part) => part !== null).join(' ') || null;
}

const ORCID_AT_END = /(?<!\d)(\d{4})-?(\d{4})-?(\d{4})-?(\d{3}[\dX])\s*\/?\s*$/i;

/** Null if the check digit is wrong. */
function readOrcid(person: AgencyObject): string | null {
  const value = firstValue(person, ['ORCID', 'orcid']);
  const [, ...parts] = typeof value === 'string' ? (ORCID_AT_END.exec(value.slice(0, 100)) ?? []) : [];
  const orcid = parts.join('-').toUpperCase();
  return parts.length > 0 && isOrcid(orcid) ? orcid : null;
}

export interface People {
  readonly authors: readonly Creator[];
  readonly editors: readonly Creator[];
  readonly translators: readonly Creator[];
}

export function readPeople(csl: AgencyObject): People {
  const budget = markupBudget();
  const people = (role: string) => readCreators(csl[role], budget);
  return { authors: people('author'), editors: people('editor'), translators: people('translator') };
}

export function madeBy({ authors, editors }: Pick<People, 'authors' | 'editors'>): readonly Creator[] {
  return authors.length > 0 ? authors : editors;
}
