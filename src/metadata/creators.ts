// The people and organizations behind a work, as CSL names them.

import { isOrcid } from '../doi/other-identifiers.ts';
import { readMarkup } from './markup.ts';

export interface Creator {
  /** in the order in which it is spoken: "Ludwig van Beethoven" */
  readonly name: string;
  readonly given: string | null;
  readonly family: string | null;
  /** "0000-0002-1825-0097" */
  readonly orcid: string | null;
}

/** Whoever has no name is left out. */
export function readCreators(names: unknown): readonly Creator[] {
  return Array.isArray(names) ? names.map(readCreator).filter((creator) => creator !== null) : [];
}

function readCreator(value: unknown): Creator | null {
  if (typeof value === 'string') return organization(value, null);
  if (typeof value !== 'object' || value === null) return null;
  const person = value as Readonly<Record<string, unknown>>;
  const orcid = readOrcid(person['ORCID'] ?? person['orcid']);
  const given = words(person['given']);
  const family = words(person['family']);
  if (given === null && family === null) return organization(person['literal'] ?? person['name'], orcid);
  const surname = joined(words(person['non-dropping-particle']), family);
  const name = joined(given, words(person['dropping-particle']), surname, words(person['suffix']));
  return name === null ? null : { name, given, family: surname, orcid };
}

function organization(value: unknown, orcid: string | null): Creator | null {
  const name = words(value);
  return name === null ? null : { name, given: null, family: null, orcid };
}

function words(value: unknown): string | null {
  const text = typeof value === 'string' ? readMarkup(value).text : '';
  return text === '' ? null : text;
}

function joined(...parts: readonly (string | null)[]): string | null {
  return parts.filter((part) => part !== null).join(' ') || null;
}

const ORCID_AT_END = /(\d{4}-\d{4}-\d{4}-\d{3}[\dX])\s*\/?\s*$/i;

/** One whose check digit is wrong is none. */
function readOrcid(value: unknown): string | null {
  const orcid =
    typeof value === 'string' ? ORCID_AT_END.exec(value.slice(0, 100))?.[1]?.toUpperCase() : undefined;
  return orcid !== undefined && isOrcid(orcid) ? orcid : null;
}
