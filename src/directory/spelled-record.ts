// A record under the name by which somebody asks for it.

import type { HandleName } from '../doi/name.ts';
import type { HandleRecord } from '../handle/record.ts';

const lastSpelled = new WeakMap<HandleRecord, HandleRecord>();

/** The record itself, or a copy in another spelling: one object for all who spell it like the last one did. */
export function spelledRecord(record: HandleRecord, name: HandleName): HandleRecord {
  if (record.handle === name) return record;
  const known = lastSpelled.get(record);
  if (known?.handle === name) return known;
  // A name that was cut from a request would keep the whole of it in memory.
  const handle = Buffer.from(name).toString() as HandleName;
  const copy = Object.freeze({ ...record, handle });
  lastSpelled.set(record, copy);
  return copy;
}
