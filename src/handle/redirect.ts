// Chooses the redirect of a handle record, with the reason for the choice (Resolution doc, sections 1 and 3).

import {
  chooseLocation,
  isForPrograms,
  type LocationCriteria,
  type LocationMethod,
  type PoolLocation,
  type RandomSource,
} from './choose-location.ts';
import { type ClientPreferences, FOR_PROGRAMS } from './client-preferences.ts';
import { remember } from './json.ts';
import { appendToTarget, locationHeader } from './location-header.ts';
import { DEFAULT_STATUS, fillIn, type Location, type LocationList, NO_LIST } from './locations.ts';
import type { PrefixLocations } from './prefix-locations.ts';
import type { HandleRecord } from './record.ts';
import {
  canRedirect,
  type RedirectWarning,
  readLocations,
  type UrlValues,
  urlsOf,
} from './record-locations.ts';
import { attributeOf } from './xml.ts';

export type RedirectChoice = LocationMethod | 'URL' | 'ONLY_LOCATION' | 'NONE';

export interface Redirect {
  /** the URL for the Location header; null if the record has no target */
  readonly url: string | null;
  readonly chosenBy: RedirectChoice;
  /** the chosen location; null if the target is a URL value */
  readonly location: Location | null;
  /** the locations of the random draw, or only the chosen location; without URL values */
  readonly candidates: readonly Location[];
  /** the HTTP status; null if the record has no target */
  readonly statusCode: number | null;
  readonly warnings: readonly RedirectWarning[];
  /** whether chance decides, so that the same request can get another URL next time */
  readonly isDrawn: boolean;
  /** the parts of a request on which the URL can depend */
  readonly dependsOn: Dependences;
}

/** Each member says whether clients that differ in this part can get different URLs. */
export interface Dependences {
  readonly accept: boolean;
  readonly language: boolean;
  readonly userAgent: boolean;
  readonly country: boolean;
}

export const INDEPENDENT: Dependences = Object.freeze({
  accept: false,
  language: false,
  userAgent: false,
  country: false,
});

export const NO_REDIRECT: Redirect = Object.freeze({
  url: null,
  chosenBy: 'NONE',
  location: null,
  candidates: [],
  statusCode: null,
  warnings: [],
  isDrawn: false,
  dependsOn: INDEPENDENT,
});

export interface RedirectRequest extends LocationCriteria {
  readonly urlAppend?: string | null;
  /** read from the client's headers; missing: the client prefers no location */
  readonly preferences?: ClientPreferences;
}

/** The caller must follow aliases before it calls this function. */
export function chooseRedirect(
  record: HandleRecord,
  prefix: PrefixLocations,
  request: RedirectRequest,
  random: RandomSource,
): Redirect {
  const { handle, values } = record;
  const { list, warnings: unreadable } = readLocations(values, handle);
  const warnings = [...unreadable];
  if (!canRedirect(values)) return { ...NO_REDIRECT, warnings };
  const fromPrefix = list.excludesPrefix ? [] : prefix.lists;
  if (!list.excludesPrefix) warnings.push(...prefix.warnings);

  const own = usableOf(list);
  const shared = fromPrefix.flatMap((templates) => usableIn(fillIn(templates, handle), warnings));
  const locations = [...own.locations, ...shared];
  warnings.push(...own.warnings);
  const urls = list.excludesUrls ? [] : urlValuesInPool(urlsOf(values), list !== NO_LIST, warnings);
  const all = [list, ...fromPrefix];
  const dependsOn = dependencesOf(all);

  const wantsData = request.preferences?.wantsData ?? false;
  const [first, ...others] = [...locations, ...urls];
  if (first === undefined) return { ...NO_REDIRECT, warnings, dependsOn };
  const choice = chooseLocation(
    [first, ...others],
    list.chooseBy,
    { ...request, locatt: locattOf(request), isPerson: !wantsData },
    random,
  );
  const { location, method, candidates } = choice;
  const forClient = locations.filter((each) => each === location || wantsData || !isForPrograms(each));
  const isOnly = method === 'WEIGHTED' && forClient.length === 1 && candidates.length === 1;
  return {
    url: urlOf(location, request, warnings),
    chosenBy: location.isUrlValue ? 'URL' : isOnly ? 'ONLY_LOCATION' : method,
    location: location.isUrlValue ? null : location,
    candidates: candidates.filter((candidate) => !candidate.isUrlValue),
    statusCode:
      [location, ...all].map((each) => each.statusCode).find((status) => status !== null) ?? DEFAULT_STATUS,
    warnings,
    isDrawn: candidates.length > 1,
    dependsOn,
  };
}

/** All locations and URL values of a record and its prefix, even if no redirect can use them. */
export function candidatesOf(
  { handle, values }: HandleRecord,
  prefix: PrefixLocations,
): { readonly locations: readonly Location[]; readonly urls: readonly string[] } {
  if (!canRedirect(values)) return { locations: [], urls: [] };
  const { list } = readLocations(values, handle);
  const lists = list.excludesPrefix ? [] : prefix.lists.map((templates) => fillIn(templates, handle));
  const { plain, subtypes } = urlsOf(values);
  return {
    locations: [list, ...lists].flatMap(({ locations }) => locations),
    urls: list.excludesUrls ? [] : plain.length > 0 ? plain : subtypes,
  };
}

function urlOf(
  { href }: Location,
  { urlAppend }: RedirectRequest,
  warnings: RedirectWarning[],
): string | null {
  const appended = urlAppend ? appendToTarget(href, urlAppend) : null;
  if (urlAppend && appended === null) {
    warnings.push(
      unsafeTarget(
        'With the text of `urlappend`, the URL would lead to another host. The text is not appended.',
      ),
    );
  }
  return appended ?? locationHeader(href);
}

/** The pairs of the request, then the pairs of the client's preferences. Persons cannot request a location for programs. */
function locattOf({ locatt = [], preferences }: RedirectRequest): readonly string[] {
  if (preferences === undefined) return locatt;
  const own = preferences.wantsData ? locatt : locatt.filter((pair) => pair !== FOR_PROGRAMS);
  return [...own, ...preferences.locatt];
}

/** The usable locations of the record's own list, and a warning for each of its other locations. */
const usableOf = remember((list: LocationList) => {
  const warnings: RedirectWarning[] = [];
  return { locations: usableIn(list, warnings), warnings };
});

function usableIn({ locations }: LocationList, warnings: RedirectWarning[]): readonly PoolLocation[] {
  return locations
    .filter(({ href }) => isUsable(href, warnings))
    .map((location) => ({ ...location, isUrlValue: false }));
}

/**
 * The URL values for the pool: the first usable URL value, and the usable values of subtypes such as URL.PDF. If no URL
 * value is usable: the first usable subtype. If the record has its own list of locations, these values have weight 0.
 */
function urlValuesInPool(
  { plain, subtypes }: UrlValues,
  hasOwnList: boolean,
  warnings: RedirectWarning[],
): readonly PoolLocation[] {
  const weight = hasOwnList ? 0 : 1;
  const best = plain.find((url) => isUsable(url, warnings));
  if (best !== undefined) {
    const usable = subtypes.filter((url) => locationHeader(url) !== null);
    return [urlValue(best, weight), ...usable.map((url) => urlValue(url, 0))];
  }
  const other = subtypes.find((url) => isUsable(url, warnings));
  return other === undefined ? [] : [urlValue(other, weight)];
}

function urlValue(href: string, weight: number): PoolLocation {
  return { href, weight, statusCode: null, attributes: NO_ATTRIBUTES, isUrlValue: true };
}

const NO_ATTRIBUTES: Location['attributes'] = Object.freeze([]);

function isUsable(url: string, warnings: RedirectWarning[]): boolean {
  if (locationHeader(url) !== null) return true;
  warnings.push(unsafeTarget(`${shortened(url)} is not an http, https or ftp URL. The gateway skips it.`));
  return false;
}

/** @param lists the record's own list first: its methods decide whether the client's preferences count */
function dependencesOf(lists: readonly LocationList[]): Dependences {
  const [own] = lists;
  const negotiates = own?.chooseBy.includes('locatt') ?? false;
  const found = lists.map(attributesThatDecide);
  return {
    accept: found.some(({ conneg, accept }) => conneg || (negotiates && accept)),
    language: negotiates && found.some(({ language }) => language),
    userAgent: negotiates && found.some(({ userAgent }) => userAgent),
    country: found.some(({ country }) => country),
  };
}

/** Which attributes of the preferences, and of a country, the locations of a list have. */
const attributesThatDecide = remember(({ locations }: LocationList) => {
  const has = (name: string, isMeant: (value: string) => boolean = () => true): boolean =>
    locations.some((location) => {
      const value = attributeOf(location, name);
      return value !== null && isMeant(value);
    });
  const isHtml = (value: string): boolean => value === 'text/html';
  return {
    // The DOI proxy sends `Vary: Accept` for each role that contains this word.
    conneg: has('http_role', (role) => role.includes('conneg')),
    accept: has('http_role', (role) => role === 'browser') || has('ctype') || has('media-type'),
    // Without an Accept header, only the User-Agent says whether the client is a browser.
    userAgent:
      has('http_role', (role) => role === 'browser' || role === 'no_conneg') ||
      has('ctype', isHtml) ||
      has('media-type', isHtml),
    language: has('language'),
    country: has('country'),
  };
});

function unsafeTarget(message: string): RedirectWarning {
  return { code: 'UNSAFE_TARGET', message };
}

function shortened(url: string): string {
  return `"${url.length > 100 ? `${url.slice(0, 100)}…` : url}"`;
}
