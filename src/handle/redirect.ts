// The redirect of a handle record and its reason (Resolution doc, sections 1 and 3).

import { foldBasicLatin, type HandleName } from '../doi/name.ts';
import { chooseLocation, type LocationCriteria, type RandomSource } from './choose-location.ts';
import { textOf } from './data.ts';
import { freezeJson, remember } from './json.ts';
import { attributeOf, fillIn, type Location, type LocationList, readTemplates } from './locations.ts';
import type { HandleRecord } from './record.ts';
import type { HandleValue } from './value.ts';

/** Clients and servers in between refuse headers of more than 8 to 16 kB. */
const MAX_LENGTH = 8_000;

const REDIRECTABLE = /^(?:https?|ftp):$/;
// RFC 3986: unreserved, reserved and the percent sign.
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/;

/**
 * The URL as it goes into a Location header: as stored, unless it holds characters that no URI may hold;
 * then it is serialised by the rules of the WHATWG URL standard, which also drop line breaks. Null when
 * it is not an absolute http, https or ftp URL, or too long for a header.
 */
export function redirectTarget(stored: string): string | null {
  // Of one decision the same text is asked for twice in a row.
  if (stored !== last.stored) last = { stored, target: parseTarget(stored) };
  return last.target;
}

let last: { readonly stored: string; readonly target: string | null } = { stored: '', target: null };

function parseTarget(stored: string): string | null {
  if (stored.length > MAX_LENGTH || !URL.canParse(stored)) return null;
  const { protocol, href } = new URL(stored);
  if (!REDIRECTABLE.test(protocol)) return null;
  if (href.length > MAX_LENGTH) return null;
  const isAsTyped = stored.toLowerCase().startsWith(`${protocol}//`) && URI_CHARACTERS.test(stored);
  return isAsTyped ? stored : href;
}

/**
 * `stored` with the proxy's `urlappend` at its end, as one target. Null when that is no redirectable URL
 * or leads to another host: `https://example.org` and `.evil.example` would make one.
 */
export function appendToTarget(stored: string, appended: string): string | null {
  const target = redirectTarget(stored + appended);
  return target !== null && authorityOf(target) === authorityOf(stored) ? target : null;
}

function authorityOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, username, password, host } = new URL(url);
  return `${protocol}//${username}:${password}@${host}`;
}

export type RedirectChoice = 'URL' | 'LOCATT' | 'COUNTRY' | 'WEIGHTED' | 'ONLY_LOCATION' | 'NONE';

export interface Redirect {
  /** as it goes into a Location header; null when there is nothing to redirect to */
  readonly url: string | null;
  readonly chosenBy: RedirectChoice;
  /** the location whose URL it is; null for a plain URL value */
  readonly location: Location | null;
  readonly candidates: readonly Location[];
  readonly statusCode: number | null;
  readonly warnings: readonly RedirectWarning[];
}

export const NO_REDIRECT: Redirect = Object.freeze({
  url: null,
  chosenBy: 'NONE',
  location: null,
  candidates: [],
  statusCode: null,
  warnings: [],
});

export interface RedirectWarning {
  readonly code: 'UNREADABLE_LOCATIONS' | 'UNSAFE_TARGET';
  readonly message: string;
}

export interface RedirectRequest extends LocationCriteria {
  readonly urlAppend?: string | null;
  /** the client wants a concrete media type other than HTML */
  readonly wantsData?: boolean;
}

/** Whether asking again may lead elsewhere. */
export function isDrawn({ chosenBy, candidates }: Redirect): boolean {
  return chosenBy === 'WEIGHTED' && candidates.length > 1;
}

/** Decides for one record. Following its alias first is the caller's work. */
export function chooseRedirect(
  record: HandleRecord,
  request: RedirectRequest,
  random: RandomSource,
): Redirect {
  const { handle, values } = record;
  const { list, warnings: unreadable } = readLocations(values, handle);
  const usable = usableOf(list);
  const warnings = [...unreadable, ...usable.warnings];
  // Locations for content negotiation are only for programs that request data.
  const isDataWanted = request.wantsData === true && usable.forData.length > 0;
  const [first, ...others] = isDataWanted ? usable.forData : usable.forPeople;
  const choice = first ? chooseLocation([first, ...others], list.chooseBy, request, random) : null;
  const stored = choice?.location.href ?? firstUsable(urlsOf(values).flat(), warnings);
  if (stored === null) {
    return { ...NO_REDIRECT, warnings };
  }
  const appended = request.urlAppend ? appendToTarget(stored, request.urlAppend) : null;
  if (request.urlAppend && appended === null) {
    warnings.push(unsafeTarget('The text of `urlappend` leads to another host and is left out.'));
  }
  return {
    url: appended ?? redirectTarget(stored),
    chosenBy: choice?.chosenBy ?? 'URL',
    location: choice?.location ?? null,
    candidates: choice?.candidates ?? [],
    statusCode: choice?.location.statusCode ?? 302,
    warnings,
  };
}

/** The locations of a list that may be redirected to, and a warning for each other. */
const usableOf = remember(({ locations }: LocationList) => {
  const warnings: RedirectWarning[] = [];
  const usable = locations.filter(({ href }) => isUsable(href, warnings));
  return {
    forData: usable.filter(isForData),
    forPeople: usable.filter((location) => !isForData(location)),
    warnings,
  };
});

function firstUsable(urls: readonly string[], warnings: RedirectWarning[]): string | null {
  return urls.find((url) => isUsable(url, warnings)) ?? null;
}

function isUsable(url: string, warnings: RedirectWarning[]): boolean {
  if (redirectTarget(url) !== null) return true;
  warnings.push(unsafeTarget(`${shown(url)} is not an http, https or ftp URL, and is passed over.`));
  return false;
}

export interface ReadLocations {
  readonly list: LocationList;
  readonly warnings: readonly RedirectWarning[];
}

const LOCATIONS = '10320/loc';
const URL_TYPE = 'url';
const SUBTYPE_OF_URL = 'url.';
const NOTHING_READ: ReadLocations = freezeJson({
  list: { chooseBy: [], locations: [], fault: null },
  warnings: [],
});

/** The locations of the first 10320/loc value, by index, that can be read at all. Read once a record. */
export function readLocations(values: readonly HandleValue[], asked: HandleName): ReadLocations {
  if (!values.some(holdsLocations)) return NOTHING_READ;
  const known = lastRead.get(values);
  if (known?.asked === asked) return known.read;
  const read = freezeJson(readFirstList(values.filter(holdsLocations).sort(byIndex), asked));
  lastRead.set(values, { asked, read });
  return read;
}

/** By the values of a record, with the name that they were asked for with: templates depend on it. */
const lastRead = new WeakMap<
  readonly HandleValue[],
  { readonly asked: HandleName; readonly read: ReadLocations }
>();

function holdsLocations({ type }: HandleValue): boolean {
  return type.length === LOCATIONS.length && foldBasicLatin(type) === LOCATIONS;
}

function readFirstList(inOrder: readonly HandleValue[], asked: HandleName): ReadLocations {
  const warnings: RedirectWarning[] = [];
  for (const value of inOrder) {
    const templates = templatesOf(value);
    const list = templates && fillIn(templates, asked);
    const fault = list ? list.fault : 'It is not text.';
    if (fault !== null) {
      const message = `The 10320/loc value at index ${value.index} could not be read to its end. ${fault}`;
      warnings.push({ code: 'UNREADABLE_LOCATIONS', message });
    }
    if (list && (list.fault === null || list.locations.length > 0)) return { list, warnings };
  }
  return { list: NOTHING_READ.list, warnings };
}

/** Null where the value is not text. */
const templatesOf = remember(({ data }: HandleValue) => {
  const text = textOf(data);
  return text === null ? null : readTemplates(text);
});

/** Plain URL values by index; subtypes such as URL.PDF are in the second list. */
export function urlsOf(values: readonly HandleValue[]): readonly [plain: string[], subtypes: string[]] {
  const plain: HandleValue[] = [];
  const subtypes: HandleValue[] = [];
  for (const value of values) {
    if (value.data.kind !== 'string' || value.data.value === '') continue;
    const start = foldBasicLatin(value.type.slice(0, SUBTYPE_OF_URL.length));
    if (start === SUBTYPE_OF_URL) subtypes.push(value);
    else if (start === URL_TYPE) plain.push(value);
  }
  return [textsByIndex(plain), textsByIndex(subtypes)];
}

function textsByIndex(values: HandleValue[]): string[] {
  return values.sort(byIndex).flatMap(({ data }) => (data.kind === 'string' ? [data.value] : []));
}

/** A location for content negotiation: where there is one the choice depends on the Accept header. */
export function isForData(location: Location): boolean {
  return attributeOf(location, 'http_role') === 'conneg';
}

function byIndex(a: HandleValue, b: HandleValue): number {
  return a.index - b.index;
}

function unsafeTarget(message: string): RedirectWarning {
  return { code: 'UNSAFE_TARGET', message };
}

function shown(url: string): string {
  return `"${url.length > 100 ? `${url.slice(0, 100)}…` : url}"`;
}
