// Where a handle record sends whoever resolves it, and why there (Resolution doc, sections 1 and 3).

import { foldBasicLatin, type HandleName } from '../doi/name.ts';
import { chooseLocation, type LocationCriteria, type RandomSource } from './choose-location.ts';
import { textOf } from './data.ts';
import { attributeOf, type Location, type LocationList, parseLocations } from './locations.ts';
import type { HandleRecord } from './record.ts';
import { appendToTarget, redirectTarget } from './target.ts';
import type { HandleValue } from './value.ts';

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
  /** whoever asks wants a concrete media type other than HTML */
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
  const warnings = [...unreadable];
  const isRedirectable = (url: string): boolean => {
    if (redirectTarget(url) !== null) return true;
    warnings.push(unsafeTarget(`${shown(url)} is not an http, https or ftp URL, and is passed over.`));
    return false;
  };

  const locations = list.locations.filter(({ href }) => isRedirectable(href));
  const [first, ...others] = locationsFor(locations, request.wantsData ?? false);
  const choice = first ? chooseLocation([first, ...others], list.chooseBy, request, random) : null;
  const stored = choice?.location.href ?? urlsOf(values).flat().find(isRedirectable) ?? null;
  if (stored === null) {
    return { ...NO_REDIRECT, warnings };
  }
  const appended = appendToTarget(stored, request.urlAppend ?? '');
  if (appended === null) {
    warnings.push(unsafeTarget('What was to be appended leads to another host, and is left out.'));
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

export interface ReadLocations {
  readonly list: LocationList;
  readonly warnings: readonly RedirectWarning[];
}

const NO_LOCATIONS: LocationList = { chooseBy: [], locations: [], fault: null };

/** The locations of the first 10320/loc value, by index, that can be read at all. */
export function readLocations(values: readonly HandleValue[], asked: HandleName): ReadLocations {
  const warnings: RedirectWarning[] = [];
  const lists = values.filter(({ type }) => foldBasicLatin(type) === '10320/loc').sort(byIndex);
  for (const { index, data } of lists) {
    const text = textOf(data);
    const list = text === null ? null : parseLocations(text, asked);
    const fault = list ? list.fault : 'It is not text.';
    if (fault !== null) {
      const message = `The 10320/loc value at index ${index} could not be read to its end. ${fault}`;
      warnings.push({ code: 'UNREADABLE_LOCATIONS', message });
    }
    if (list && (list.fault === null || list.locations.length > 0)) return { list, warnings };
  }
  return { list: NO_LOCATIONS, warnings };
}

/** Plain URL values by index; subtypes such as URL.PDF are in the second list. */
export function urlsOf(values: readonly HandleValue[]): readonly [plain: string[], subtypes: string[]] {
  const texts = (wanted: (type: string) => boolean): string[] =>
    values
      .filter(({ type }) => wanted(foldBasicLatin(type)))
      .sort(byIndex)
      .flatMap(({ data }) => (data.kind === 'string' && data.value !== '' ? [data.value] : []));
  return [texts((type) => type === 'url'), texts((type) => type.startsWith('url.'))];
}

/** Locations for content negotiation are for programs that ask for data, and for nobody else. */
function locationsFor(locations: readonly Location[], wantsData: boolean): readonly Location[] {
  const forData = locations.filter(isForData);
  return wantsData && forData.length > 0 ? forData : locations.filter((location) => !isForData(location));
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
