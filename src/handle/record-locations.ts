// Reads the possible targets of a redirect from a record: its 10320/loc list and its URL values.

import type { HandleName } from 'doi-names';
import { foldBasicLatin } from 'doi-names/parts';
import { dataText } from './data.ts';
import { freezeJson, remember } from './json.ts';
import { fillIn, type LocationList, NO_LIST, readList } from './locations.ts';
import { type HandleValue, hasType } from './value.ts';

export interface RedirectWarning {
  readonly code: 'UNREADABLE_LOCATIONS' | 'UNSAFE_TARGET';
  readonly message: string;
}

export interface ReadLocations {
  /** NO_LIST if the record has no readable list */
  readonly list: LocationList;
  readonly warnings: readonly RedirectWarning[];
}

const LOCATIONS = '10320/loc';
const URL_TYPE = 'url';
const SUBTYPE_OF_URL = 'url.';
const NOTHING_READ: ReadLocations = freezeJson({ list: NO_LIST, warnings: [] });

/**
 * Reads the 10320/loc value with the lowest index, and fills in the name. If the value is unreadable, tries the next
 * value. Remembers the last result.
 */
export function readLocations(values: readonly HandleValue[], name: HandleName): ReadLocations {
  if (!values.some(holdsLocations)) return NOTHING_READ;
  const known = lastRead.get(values);
  if (known?.name === name) return known.read;
  const read = freezeJson(readFirstList(values, (list) => fillIn(list, name)));
  lastRead.set(values, { name, read });
  return read;
}

/** The last result for the values of a record. It depends on the spelling of the name, because of templates. */
const lastRead = new WeakMap<
  readonly HandleValue[],
  { readonly name: HandleName; readonly read: ReadLocations }
>();

/** Like `readLocations`, but does not fill in the templates. */
export function readLocationTemplates(values: readonly HandleValue[]): ReadLocations {
  return readFirstList(values, (list) => list);
}

function readFirstList(
  values: readonly HandleValue[],
  finish: (list: LocationList) => LocationList,
): ReadLocations {
  const warnings: RedirectWarning[] = [];
  for (const value of values.filter(holdsLocations).sort(byIndex)) {
    const templates = templatesOf(value);
    const list = templates && finish(templates);
    const fault = list ? list.fault : 'It is not text.';
    if (fault !== null) {
      warnings.push(
        unreadable(`The 10320/loc value at index ${value.index} could not be read to its end. ${fault}`),
      );
    }
    if (list && (list.fault === null || list.locations.length > 0)) return { list, warnings };
  }
  return { list: NO_LIST, warnings };
}

export function unreadable(message: string): RedirectWarning {
  return { code: 'UNREADABLE_LOCATIONS', message };
}

/** The list of a value, with templates. Null if the value is not text. */
const templatesOf = remember(({ data }: HandleValue) => {
  const text = dataText(data);
  return text === null ? null : readList(text);
});

export interface UrlValues {
  /** the texts of values of type URL, lowest index first */
  readonly plain: readonly string[];
  /** the texts of values of subtypes such as URL.PDF, lowest index first */
  readonly subtypes: readonly string[];
}

export function urlsOf(values: readonly HandleValue[]): UrlValues {
  const plain: HandleValue[] = [];
  const subtypes: HandleValue[] = [];
  for (const value of values) {
    if (value.data.kind !== 'string' || value.data.value === '') continue;
    if (isSubtypeOfUrl(value)) subtypes.push(value);
    else if (isUrl(value)) plain.push(value);
  }
  return { plain: textsByIndex(plain), subtypes: textsByIndex(subtypes) };
}

/** Whether a record can have a redirect. The locations of its prefix alone are not enough. */
export function canRedirect(values: readonly HandleValue[]): boolean {
  return values.some((value) => isUrl(value) || isSubtypeOfUrl(value) || holdsLocations(value));
}

function holdsLocations(value: HandleValue): boolean {
  return hasType(value, LOCATIONS);
}

function isUrl(value: HandleValue): boolean {
  return hasType(value, URL_TYPE);
}

function isSubtypeOfUrl({ type }: HandleValue): boolean {
  return foldBasicLatin(type.slice(0, SUBTYPE_OF_URL.length)) === SUBTYPE_OF_URL;
}

function textsByIndex(values: HandleValue[]): string[] {
  return values.sort(byIndex).flatMap(({ data }) => (data.kind === 'string' ? [data.value] : []));
}

export function byIndex(a: HandleValue, b: HandleValue): number {
  return a.index - b.index;
}
