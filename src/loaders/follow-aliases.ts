// Follows aliases with a loader. The loader merges the look-ups of a list: one batch for each step, each name once.

import { canonicalName, type HandleName } from '../doi/name.ts';
import { GatewayError, MAX_ALIASES } from '../errors.ts';
import { aliasOf, type HandleRecord } from '../handle/record.ts';
import { mapSoon, type Soon } from '../time.ts';

export interface AliasChain {
  /** the record at the end of the chain; its name may be absent */
  readonly record: HandleRecord;
  /** all handles after the first, including the last; empty if there is no alias */
  readonly via: readonly HandleName[];
  /** when the first record of the chain expires, in milliseconds since the epoch */
  readonly freshUntil: number;
}

const NO_HANDLES: readonly HandleName[] = Object.freeze([]);

/** Fails as `load` does, or with ALIAS_LOOP if the chain returns to one of its names or has more than MAX_ALIASES. */
export function followAliases(
  name: HandleName,
  load: (name: HandleName) => Soon<HandleRecord>,
): Soon<AliasChain> {
  return mapSoon(load(name), (record) => {
    const alias = aliasOf(record);
    if (alias === null) return { record, via: NO_HANDLES, freshUntil: record.freshUntil };
    return followFrom(alias, { seen: new Set([canonicalName(name)]), via: [], load }, record.freshUntil);
  });
}

interface Progress {
  readonly seen: Set<HandleName>;
  readonly via: HandleName[];
  readonly load: (name: HandleName) => Soon<HandleRecord>;
}

function followFrom(alias: HandleName, progress: Progress, until: number): Soon<AliasChain> {
  const { seen, via, load } = progress;
  if (seen.has(canonicalName(alias)) || via.length === MAX_ALIASES) throw new GatewayError('ALIAS_LOOP');
  seen.add(canonicalName(alias));
  via.push(alias);
  return mapSoon(load(alias), (record) => {
    const freshUntil = Math.min(until, record.freshUntil);
    const next = aliasOf(record);
    return next === null ? { record, via, freshUntil } : followFrom(next, progress, freshUntil);
  });
}
