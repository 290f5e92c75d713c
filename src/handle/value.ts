// Decodes and freezes the values of a handle record. Filters values by type and index.

import { foldBasicLatin } from 'doi-names/parts';
import { decodeData, type HandleData, type HandleReference, toReferences, trustedData } from './data.ts';
import {
  asArray,
  asInt32,
  asObject,
  asString,
  freezeJson,
  MalformedRecordError,
  type WireObject,
} from './json.ts';
import { toRfc3339 } from './time.ts';

export interface HandleValue {
  readonly index: number;
  /** any string, for example `URL`, `HS_ADMIN`, `10320/loc`, `#HS_SITE#rackspace` */
  readonly type: string;
  readonly data: HandleData;
  /** in seconds; null if the value expires at a fixed time, or if the directory sent no ttl */
  readonly ttl: number | null;
  /** four bits, of which the third is 1, as other values are hidden; null if the directory sent no permissions */
  readonly permissions: string | null;
  readonly references: readonly HandleReference[];
  /** the value as received, with its members in order, for the REST API */
  readonly wire: WireObject;
}

/**
 * Decodes the public values. Skips hidden values before it reads them, so that no other code can see them.
 * @param wire the member `values` of a record. Throws a MalformedRecordError that names the first invalid value.
 */
export function decodeValues(wire: unknown): readonly HandleValue[] {
  const values: HandleValue[] = [];
  for (const [position, value] of asArray(wire, 'values').entries()) {
    if (isPublic(value)) values.push(decodeValue(value, position));
  }
  return Object.freeze(values);
}

/**
 * Decodes values with few checks. Use it only for JSON that the gateway itself wrote into its memory from decoded
 * values. Do not use it for Redis, where other programs can write. Does not freeze `wire` and text data.
 */
export function trustedValues(wire: readonly WireObject[]): readonly HandleValue[] {
  const values: HandleValue[] = [];
  for (const value of wire) {
    // A text from Redis can come from a version of the gateway that kept hidden values.
    if (!isPublic(value)) continue;
    const whole = withDataObject(value);
    values.push(toValue(whole, trustedData(whole['data'] as WireObject)));
  }
  return Object.freeze(values);
}

/**
 * Whether everybody may read the value. Its four permissions: administrators read, administrators write, everybody reads,
 * everybody writes (RFC 3651, section 3.1). A value without permissions is public. If the permissions are unreadable, the
 * value is hidden.
 */
function isPublic(wire: unknown): boolean {
  const permissions = (wire as Partial<WireObject> | null)?.['permissions'];
  return typeof permissions !== 'string' || PUBLIC.test(permissions);
}

const PUBLIC = /^[01]{2}1[01]$/;

function decodeValue(wire: unknown, position: number): HandleValue {
  try {
    const value = freezeJson(withDataObject(asObject(wire, 'the value')));
    return toValue(value, decodeData(value['data']));
  } catch (error) {
    if (!(error instanceof MalformedRecordError)) throw error;
    throw new MalformedRecordError(`value ${position}: ${error.message}`);
  }
}

/** `data` can be a bare JSON string. Then the string is the text of the value. */
function withDataObject(value: WireObject): WireObject {
  const { data } = value;
  return typeof data === 'string' ? { ...value, data: { format: 'string', value: data } } : value;
}

function toValue(wire: WireObject, data: HandleData): HandleValue {
  const { index, type, ttl, permissions, references } = wire;
  return Object.freeze({
    index: asInt32(index, 'index'),
    type: asString(type, 'type'),
    data,
    ttl: typeof ttl === 'string' || ttl === undefined ? null : asInt32(ttl, 'ttl'),
    permissions: permissions === undefined ? null : asString(permissions, 'permissions'),
    references: references === undefined ? NO_REFERENCES : toReferences(references),
    wire,
  });
}

// The times are read only when a caller needs them, because reading them takes longer than decoding all other members.

/** In RFC 3339. Null if the value does not expire at a fixed time. */
export function expiresAtOf({ wire }: HandleValue): string | null {
  return timeOf(wire['ttl']);
}

/** The time of the last change, in RFC 3339. Null if the directory sent no time. */
export function timestampOf({ wire }: HandleValue): string | null {
  return timeOf(wire['timestamp']);
}

function timeOf(wire: unknown): string | null {
  return typeof wire === 'string' ? toRfc3339(wire) : null;
}

const NO_REFERENCES: readonly HandleReference[] = Object.freeze([]);

/** Whether the value has this type, in any letter case. @param folded the type in lower case */
export function hasType({ type }: HandleValue, folded: string): boolean {
  // Comparing the lengths first is fast. A record can have thousands of values.
  return type.length === folded.length && foldBasicLatin(type) === folded;
}

/** Whether a value has one of the requested types or indexes. */
export type ValueFilter = (value: HandleValue) => boolean;

/**
 * Makes a filter for values with one of the types or indexes. Null if both lists are empty: then all values match.
 * - Types ignore the letter case of ASCII letters.
 * - A type with a full stop at its end also matches subtypes: `URL.` matches `URL` and `URL.PDF`.
 * - The empty type matches no value.
 *
 * Use one filter for all records of an operation, because making a filter with many types is slow.
 */
export function valueFilter(types: readonly string[], indexes: readonly number[]): ValueFilter | null {
  if (types.length === 0 && indexes.length === 0) return null;
  const wantedIndexes = new Set(indexes.filter((index) => index >= 0));
  const wantedTypes = new Set(types.map(foldBasicLatin));
  const families = familiesOf(wantedTypes);
  return ({ index, type }) => {
    if (wantedIndexes.has(index)) return true;
    if (wantedTypes.size === 0 || type === '') return false;
    const folded = foldBasicLatin(type);
    return wantedTypes.has(folded) || isInFamily(`${folded}.`, families);
  };
}

/** The types with a full stop at their end, sorted. Omits `URL.PDF.` if the list has `URL.`, which matches more. */
function familiesOf(types: Iterable<string>): readonly string[] {
  const inOrder = [...types].filter((type) => type.endsWith('.')).sort((a, b) => (a < b ? -1 : 1));
  const families: string[] = [];
  for (const type of inOrder) {
    const last = families.at(-1);
    if (last === undefined || !type.startsWith(last)) families.push(type);
  }
  return families;
}

/** Whether the type begins with a family. Binary search: only the last family that sorts before the type can match. */
function isInFamily(type: string, families: readonly string[]): boolean {
  let low = 0;
  let high = families.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((families[middle] ?? '') <= type) low = middle + 1;
    else high = middle;
  }
  const family = families[low - 1];
  return family !== undefined && type.startsWith(family);
}

/** The values with one of the types or indexes, in the order of the record. */
export function selectValues(
  values: readonly HandleValue[],
  types: readonly string[],
  indexes: readonly number[],
): readonly HandleValue[] {
  const filter = valueFilter(types, indexes);
  return filter === null ? values : values.filter(filter);
}
