// The locations that all names of a prefix share. The record of the prefix, `0.NA/10.5555`, has an HS_NAMESPACE value.
// This value names other handles, and the records of these handles have the locations.

import { canonicalName, type HandleName } from 'doi-names';
import { toHandleName } from 'doi-names/parts';
import { dataText } from './data.ts';
import { freezeJson, remember } from './json.ts';
import { type LocationList, NO_LIST } from './locations.ts';
import type { HandleRecord } from './record.ts';
import { byIndex, type RedirectWarning, readLocationTemplates, unreadable } from './record-locations.ts';
import { type HandleValue, hasType } from './value.ts';
import { readXml } from './xml.ts';

/** The parts of a redirect that come from the prefix. */
export interface PrefixLocations {
  /** False if the directory did not return the locations in time. Then the gateway chooses without these locations. */
  readonly isKnown: boolean;
  /** Whether the prefix is inactive, so that its names do not redirect. */
  readonly isInactive: boolean;
  /** the lists, in the order of their handles in the HS_NAMESPACE value; templates are not filled in yet */
  readonly lists: readonly LocationList[];
  readonly warnings: readonly RedirectWarning[];
}

export const NO_PREFIX_LOCATIONS: PrefixLocations = freezeJson({
  isKnown: true,
  isInactive: false,
  lists: [],
  warnings: [],
});
export const UNKNOWN_PREFIX_LOCATIONS: PrefixLocations = freezeJson({
  ...NO_PREFIX_LOCATIONS,
  isKnown: false,
});

const HS_NAMESPACE = 'hs_namespace';
const MAX_HANDLES = 8;
const STATUS = 'status';
const LOCS = {
  isWanted: (name: string, depth: number) => name === 'locs' || (name === STATUS && depth === 1),
  // The status is one of the elements.
  maxElements: MAX_HANDLES + 1,
  plural: 'handles of locations',
};

const NAMING_AUTHORITY = '0.NA';

/** For `10.5555/x`: `0.NA/10.5555`. Null for `0.NA/10.5555` itself, and for a name without a prefix. */
export function prefixHandleOf(name: HandleName): HandleName | null {
  const prefix = name.slice(0, Math.max(0, name.indexOf('/')));
  return prefix === '' || prefix === NAMING_AUTHORITY
    ? null
    : (`${NAMING_AUTHORITY}/${prefix}` as HandleName);
}

/** The HS_NAMESPACE value of a prefix. */
export interface Namespace {
  readonly isInactive: boolean;
  /** the handles whose records have the locations, without duplicates */
  readonly handles: readonly HandleName[];
  readonly warnings: readonly RedirectWarning[];
}

/** Reads the HS_NAMESPACE value with the lowest index. Remembers the result while the values are in memory. */
export const readNamespace = remember((values: readonly HandleValue[]): Namespace => {
  const [value] = values.filter((value) => hasType(value, HS_NAMESPACE)).sort(byIndex);
  const text = value && dataText(value.data);
  if (!text) return NO_NAMESPACE;
  const { elements, fault } = readXml(text, LOCS);
  const [, ...children] = elements;
  const status = children.find(({ name }) => name === STATUS);
  const byName = new Map<HandleName, HandleName>();
  for (const { name, text: written } of children) {
    if (name === STATUS || byName.size === MAX_HANDLES) continue;
    const handle = toHandleName(written.trim());
    if (handle !== null) byName.set(canonicalName(handle), handle);
  }
  return {
    isInactive: status?.text.trim() === 'inactive',
    handles: [...byName.values()],
    warnings:
      fault === null
        ? []
        : [unreadable(`The HS_NAMESPACE value of the prefix could not be read to its end. ${fault}`)],
  };
});

const NO_NAMESPACE: Namespace = freezeJson({ isInactive: false, handles: [], warnings: [] });

/** @param records the records of `handles`, in the same order; an absent record has no locations */
export function prefixLocationsOf(
  { isInactive, warnings }: Namespace,
  records: readonly HandleRecord[],
): PrefixLocations {
  const read = records.map(({ handle, values }) => ({ handle, ...readLocationTemplates(values) }));
  const lists = read.map(({ list }) => list).filter((list) => list !== NO_LIST);
  const ownWarnings = read.flatMap(({ handle, warnings: own }) =>
    own.map(({ message }) => unreadable(`${handle}, for all names of the prefix: ${message}`)),
  );
  if (!isInactive && lists.length === 0 && warnings.length + ownWarnings.length === 0)
    return NO_PREFIX_LOCATIONS;
  return Object.freeze({ isKnown: true, isInactive, lists, warnings: [...warnings, ...ownWarnings] });
}
