// The people and organizations behind a work, as CSL names them.

import { isOrcid } from '../doi/other-identifiers.ts';
import { readMarkup } from './title-markup.ts';

export interface Creator {
  /** in the order in which it is spoken: "Ludwig van Beethoven" */
  readonly name: string;
  readonly given: string | null;
  readonly family: string | null;
  /** "0000-0002-1825-0097" */
  readonly orcid: string | null;
}

/** A list, or now and then one alone. Whoever has no name is left out. */
export function readCreators(names: unknown): readonly Creator[] {
  const all: readonly unknown[] = Array.isArray(names) ? names : [names];
  return all.map(readCreator).filter((creator) => creator !== null);
}

function readCreator(value: unknown): Creator | null {
  if (typeof value === 'string') return fromText(value);
  if (typeof value !== 'object' || value === null) return null;
  const person = value as Readonly<Record<string, unknown>>;
  const orcid = readOrcid(person);
  const given = words(first(person, ['given', 'givenName', 'firstName']));
  const family = words(first(person, ['family', 'familyName', 'lastName']));
  if (given === null && family === null) return organization(first(person, ['literal', 'name']), orcid);
  const surname = joined(words(person['non-dropping-particle']), family);
  const name = joined(given, words(person['dropping-particle']), surname, words(person['suffix']));
  return name === null ? null : { name, given, family: surname, orcid };
}

/** CSL's own name for it, or that of DataCite's metadata and of Zotero. */
function first(person: Readonly<Record<string, unknown>>, keys: readonly string[]): unknown {
  return keys
    .map((key) => person[key])
    .find((value) => value !== undefined && value !== null && value !== '');
}

/** `Carberry, Josiah`: a text with one comma and a few words on both sides of it; everything else is as it is spoken. */
const TURNED_ROUND = /^([^,;\s]+(?: [^,;\s]+){0,2}), ([^,;\s]+(?: [^,;\s]+){0,2})$/u;
const OF_ORGANIZATIONS = /\b(?:of|for|and|inc|ltd|llc|gmbh|university|institute|department)\b|&/i;

function fromText(text: string): Creator | null {
  const name = words(text);
  const [, family, given] = OF_ORGANIZATIONS.test(name ?? '') ? [] : (TURNED_ROUND.exec(name ?? '') ?? []);
  if (family === undefined || given === undefined) return organization(name, null);
  return { name: `${given} ${family}`, given, family, orcid: null };
}

function organization(value: unknown, orcid: string | null): Creator | null {
  const name = words(value);
  return name === null ? null : { name, given: null, family: null, orcid };
}

/** A comma at the end is what divided the names of a list. */
function words(value: unknown): string | null {
  const text = typeof value === 'string' ? readMarkup(value).text.replace(/[\s,;]+$/, '') : '';
  return text === '' ? null : text;
}

function joined(...parts: readonly (string | null)[]): string | null {
  return parts.filter((part) => part !== null).join(' ') || null;
}

const ORCID_AT_END = /(?<!\d)(\d{4})-?(\d{4})-?(\d{4})-?(\d{3}[\dX])\s*\/?\s*$/i;

/** One whose check digit is wrong is none. */
function readOrcid(person: Readonly<Record<string, unknown>>): string | null {
  const value = first(person, ['ORCID', 'orcid']);
  const [, ...parts] = typeof value === 'string' ? (ORCID_AT_END.exec(value.slice(0, 100)) ?? []) : [];
  const orcid = parts.join('-').toUpperCase();
  return parts.length > 0 && isOrcid(orcid) ? orcid : null;
}
