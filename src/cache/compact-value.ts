// Handle values without the names of their members, which are most of a small record's JSON.

import { MalformedRecordError } from '../handle/json.ts';
import { asArray, type WireObject } from '../handle/shape.ts';

const DATA_MEMBERS = ['format', 'value'];
const MEMBERS = ['index', 'type', 'data', 'ttl'];
const DATED_MEMBERS = [...MEMBERS, 'timestamp'];

/** A row, for a value with the members that nearly all have, in the order that they have them in; else itself. */
export function compact(wire: WireObject): WireObject | readonly unknown[] {
  const { index, type, data, ttl, timestamp } = wire;
  const { format, value } = data as WireObject;
  if (!hasMembers(data as WireObject, DATA_MEMBERS)) return wire;
  if (hasMembers(wire, MEMBERS)) return [index, type, format, value, ttl];
  return hasMembers(wire, DATED_MEMBERS) ? [index, type, format, value, ttl, timestamp] : wire;
}

/** What `compact` was given, where it is known to be from there. */
export function expandOwn(compacted: unknown): unknown {
  if (!Array.isArray(compacted)) return compacted;
  const [index, type, format, value, ttl, timestamp] = compacted as readonly unknown[];
  const data = { format, value };
  return compacted.length === 6 ? { index, type, data, ttl, timestamp } : { index, type, data, ttl };
}

/** What `compact` was given; checks no more than it needs to. Throws MalformedRecordError for a row of another length. */
export function expand(compacted: unknown): unknown {
  if (!Array.isArray(compacted)) return compacted;
  const [index, type, format, value, ttl, timestamp] = asArray(compacted, 'a cached value');
  const undated = { index, type, data: { format, value }, ttl };
  if (compacted.length === 5) return undated;
  if (compacted.length === 6) return { ...undated, timestamp };
  throw new MalformedRecordError('a cached value is no row of 5 or 6');
}

function hasMembers(wire: WireObject, members: readonly string[]): boolean {
  const names = Object.keys(wire);
  return names.length === members.length && names.every((name, i) => name === members[i]);
}
