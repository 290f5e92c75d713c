// Reads the JSON of the agencies' APIs. Any member can be missing or have another type.

import type { DoiName } from 'doi-names';
import { foldBasicLatin, parseDoi } from 'doi-names/parts';
import { WORK_LIMITS } from './work-limits.ts';

export type AgencyObject = Readonly<Record<string, unknown>>;

const NO_MEMBERS: AgencyObject = Object.freeze({});

/** The members of an object. Returns an object without members for any other value. */
export function members(value: unknown): AgencyObject {
  return isObject(value) ? value : NO_MEMBERS;
}

export function isObject(value: unknown): value is AgencyObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A single value becomes a list, because some records have a value where other records have a list. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/**
 * A number as text, or a trimmed text; of a list, its first entry. Null for an empty, very long or ill-formed text, and for
 * any other value.
 */
export function word(value: unknown): string | null {
  const [first] = listOf(value);
  if (typeof first === 'number') return String(first);
  if (typeof first !== 'string' || first.length > WORK_LIMITS.wordCharacters || !first.isWellFormed())
    return null;
  return first.trim() || null;
}

/** Reads a DOI in any form. A text that begins with `10.` is not decoded. Null if the value is not a DOI name. */
export function agencyDoi(value: unknown): DoiName | null {
  const text = word(value);
  if (text === null) return null;
  return parseDoi(text, text.startsWith('10.') ? 'NAME' : null).name;
}

/** Whether two names are equivalent. False if a name is null. */
export function isSameDoi(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && foldBasicLatin(one) === foldBasicLatin(other);
}
