// A record under the name by which somebody asks for it.

import type { HandleName } from '../doi/name.ts';
import type { HandleRecord } from '../handle/record.ts';

const lastSpelled = new WeakMap<HandleRecord, HandleRecord>();

/** The record itself, or a copy in another spelling: one object for all who spell it like the last one did. */
export function spelledRecord(record: HandleRecord, name: HandleName): HandleRecord {
  if (record.handle === name) return record;
  const known = lastSpelled.get(record);
  if (known?.handle === name) return known;
  const copy = Object.freeze({ ...record, handle: name });
  lastSpelled.set(record, copy);
  return copy;
}
