// One typed value of a handle record, decoded and frozen.

import { foldBasicLatin } from '../doi/name.ts';
import { decodeData, type HandleData, type HandleReference, toReferences } from './data.ts';
import { freezeJson, MalformedRecordError } from './json.ts';
import { asArray, asInt32, asObject, asString, type WireObject } from './shape.ts';
import { toRfc3339 } from './time.ts';

export interface HandleValue {
  readonly index: number;
  /** any string: `URL`, `HS_ADMIN`, `10320/loc`, `#HS_SITE#rackspace` */
  readonly type: string;
  readonly data: HandleData;
  /** seconds; null when the value expires at a fixed time, or the directory does not say */
  readonly ttl: number | null;
  /** RFC 3339; null unless the value expires at a fixed time */
  readonly expiresAt: string | null;
  /** RFC 3339, of the last change; null when the directory does not say */
  readonly timestamp: string | null;
  readonly permissions: string | null;
  readonly references: readonly HandleReference[];
  /** the value as it came, its members in order: what the REST API passes on */
  readonly wire: WireObject;
}

/** Decodes a record's `values`. Throws MalformedRecordError, naming the value, if any of them is unreadable. */
export function decodeValues(wire: unknown): readonly HandleValue[] {
  return Object.freeze(asArray(wire, 'values').map(decodeValue));
}

function decodeValue(wire: unknown, position: number): HandleValue {
  try {
    return toValue(freezeJson(asObject(wire, 'it')));
  } catch (error) {
    if (!(error instanceof MalformedRecordError)) throw error;
    throw new MalformedRecordError(`value ${position}: ${error.message}`);
  }
}

function toValue(wire: WireObject): HandleValue {
  const { index, type, data, ttl, timestamp, permissions, references } = wire;
  return Object.freeze({
    index: asInt32(index, 'index'),
    type: asString(type, 'type'),
    data: decodeData(data),
    ttl: typeof ttl === 'string' || ttl === undefined ? null : asInt32(ttl, 'ttl'),
    expiresAt: typeof ttl === 'string' ? toRfc3339(ttl) : null,
    timestamp: typeof timestamp === 'string' ? toRfc3339(timestamp) : null,
    permissions: permissions === undefined ? null : asString(permissions, 'permissions'),
    references: references === undefined ? NO_REFERENCES : toReferences(references),
    wire,
  });
}

const NO_REFERENCES: readonly HandleReference[] = Object.freeze([]);

/**
 * The values that match any of the types or indexes, in record order; all of them when nothing is asked.
 * A type ignores ASCII case and is exact, but with a full stop at its end it takes subtypes as well:
 * `URL.` matches `URL` and `URL.PDF`. The empty type matches nothing.
 */
export function selectValues(
  values: readonly HandleValue[],
  types: readonly string[],
  indexes: readonly number[],
): readonly HandleValue[] {
  if (types.length === 0 && indexes.length === 0) return values;
  const wantedIndexes = new Set(indexes.filter((index) => index >= 0));
  const wantedTypes = new Set(types.map(foldBasicLatin));
  const families = [...wantedTypes].filter((type) => type.endsWith('.'));
  return values.filter((value) => {
    if (wantedIndexes.has(value.index)) return true;
    const type = foldBasicLatin(value.type);
    if (type === '') return false;
    return (
      wantedTypes.has(type) || families.some((family) => type.startsWith(family) || `${type}.` === family)
    );
  });
}
