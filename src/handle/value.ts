// One typed value of a handle record, decoded and frozen.

import { foldBasicLatin } from '../doi/name.ts';
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
import type { HandleStatus } from './response-codes.ts';
import { toEpochMs, toRfc3339 } from './time.ts';

// How long an answer of the directory may be believed.

export const LONGEST_LIFE_MS = 86_400_000;

/** Of an answer that something is not there: it may come to be at any time. */
export const ABSENT_LIFE_MS = 300_000;

/** How long a record is fresh: the smallest ttl of its values, a day at most; absence five minutes. */
export function recordLifeMs(
  status: HandleStatus,
  values: readonly HandleValue[],
  fetchedAt: number,
): number {
  if (status === 'ERROR') return 0;
  if (status !== 'SUCCESS') return ABSENT_LIFE_MS;
  let lifeMs = LONGEST_LIFE_MS;
  for (const value of values) {
    lifeMs = Math.min(lifeMs, valueLifeMs(value, fetchedAt));
    if (lifeMs <= 0) return 0;
  }
  return lifeMs;
}

function valueLifeMs({ ttl, wire }: HandleValue, fetchedAt: number): number {
  if (ttl !== null) return ttl * 1000;
  const expiresAt = wire['ttl'];
  // An unreadable time may be past; without a time the default applies.
  return typeof expiresAt === 'string' ? (toEpochMs(expiresAt) ?? fetchedAt) - fetchedAt : LONGEST_LIFE_MS;
}

export interface HandleValue {
  readonly index: number;
  /** any string: `URL`, `HS_ADMIN`, `10320/loc`, `#HS_SITE#rackspace` */
  readonly type: string;
  readonly data: HandleData;
  /** seconds; null when the value expires at a fixed time, or the directory does not say */
  readonly ttl: number | null;
  readonly permissions: string | null;
  readonly references: readonly HandleReference[];
  /** the value as received, with its members in order, for the REST API */
  readonly wire: WireObject;
}

/** Decodes a record's `values`. Throws MalformedRecordError, naming the value, if any of them is unreadable. */
export function decodeValues(wire: unknown): readonly HandleValue[] {
  return Object.freeze(asArray(wire, 'values').map(decodeValue));
}

/**
 * The values that `decodeValues` once made of wire objects equal to these. Only for a cache, and only for
 * text that it wrote itself where no other program can write (its own memory; not Redis): no value is
 * checked for content that JSON may not have, and neither `wire` nor the text data of a value is frozen.
 * Throws MalformedRecordError, if at all, for what is plainly no value.
 */
export function trustedValues(wire: readonly WireObject[]): readonly HandleValue[] {
  return Object.freeze(wire.map((value) => toValue(value, trustedData(value['data'] as WireObject))));
}

function decodeValue(wire: unknown, position: number): HandleValue {
  try {
    const value = freezeJson(asObject(wire, 'it'));
    return toValue(value, decodeData(value['data']));
  } catch (error) {
    if (!(error instanceof MalformedRecordError)) throw error;
    throw new MalformedRecordError(`value ${position}: ${error.message}`);
  }
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

// Times are read when they are asked for: a record may have 50,000, which take longer than all else in it.

/** RFC 3339; null unless the value expires at a fixed time. */
export function expiresAtOf({ wire }: HandleValue): string | null {
  return timeOf(wire['ttl']);
}

/** RFC 3339, of the last change; null when the directory does not say. */
export function timestampOf({ wire }: HandleValue): string | null {
  return timeOf(wire['timestamp']);
}

function timeOf(wire: unknown): string | null {
  return typeof wire === 'string' ? toRfc3339(wire) : null;
}

const NO_REFERENCES: readonly HandleReference[] = Object.freeze([]);

/** Whether a value matches the requested types and indexes. */
export type ValueFilter = (value: HandleValue) => boolean;

/**
 * A filter for the values that match any of the types or indexes; null where nothing is asked, and all
 * match. A type ignores ASCII case and is exact, but with a full stop at its end it takes subtypes as well:
 * `URL.` matches `URL` and `URL.PDF`. The empty type matches nothing. Made once an operation, for all its
 * records: what it costs to make grows with what is asked, what it costs to apply hardly does.
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

/** Sorted, and without prefixes that another prefix covers, so that at most one can match a type. */
function familiesOf(types: Iterable<string>): readonly string[] {
  const inOrder = [...types].filter((type) => type.endsWith('.')).sort((a, b) => (a < b ? -1 : 1));
  const families: string[] = [];
  for (const type of inOrder) {
    const last = families.at(-1);
    if (last === undefined || !type.startsWith(last)) families.push(type);
  }
  return families;
}

/** Only the last family that is not behind the type in order can begin it. */
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

/** The values that a filter for these types and indexes lets through, in record order. */
export function selectValues(
  values: readonly HandleValue[],
  types: readonly string[],
  indexes: readonly number[],
): readonly HandleValue[] {
  const filter = valueFilter(types, indexes);
  return filter === null ? values : values.filter(filter);
}
