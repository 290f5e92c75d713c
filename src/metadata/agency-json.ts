// Reads the JSON of the agencies' own APIs, where any member may be missing or of another kind.

import { type DoiName, foldBasicLatin } from '../doi/name.ts';
import { parseDoi } from '../doi/parse.ts';

export type AgencyObject = Readonly<Record<string, unknown>>;

const NO_MEMBERS: AgencyObject = Object.freeze({});

/** An object without members for every other value. */
export function members(value: unknown): AgencyObject {
  return isObject(value) ? value : NO_MEMBERS;
}

export function isObject(value: unknown): value is AgencyObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A single value where a list belongs is a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** Words of a vocabulary, record ids and identifiers are much shorter. */
const MAX_WORD_CHARACTERS = 2_000;

/** A number as text, or a text without white space around it; null for an empty or a very long text. */
export function word(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value.length > MAX_WORD_CHARACTERS || !value.isWellFormed()) return null;
  return value.trim() || null;
}

/** A bare DOI name is read literally, `doi:…` and `https://doi.org/…` without their label. Null if it is no DOI name. */
export function agencyDoi(value: unknown): DoiName | null {
  const text = word(value);
  if (text === null) return null;
  return parseDoi(text, text.startsWith('10.') ? 'NAME' : null).name;
}

/** Whether two names are equivalent. */
export function isSameDoi(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && foldBasicLatin(one) === foldBasicLatin(other);
}
