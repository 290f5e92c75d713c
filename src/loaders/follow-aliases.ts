// Follows aliases through a loader, so that the chains of a list are looked up hop by hop, each name once.

import { canonicalName, type HandleName } from '../doi/name.ts';
import { GatewayError, MAX_ALIASES } from '../errors.ts';
import { aliasOf, type HandleRecord } from '../handle/record.ts';
import { mapSoon, type Soon } from '../time.ts';

export interface AliasChain {
  /** what the chain ends with; may be a name that is not found */
  readonly record: HandleRecord;
  /** the handles gone through after the first, the last one included; empty where there is no alias */
  readonly via: readonly HandleName[];
  /** milliseconds since the epoch; when the first of its records expires */
  readonly freshUntil: number;
}

const NO_HANDLES: readonly HandleName[] = Object.freeze([]);

/**
 * The chain itself where all of its records are at hand, else a promise. Fails with ALIAS_LOOP for a chain that
 * comes back to itself or is longer than MAX_ALIASES, else as `load` does.
 */
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

interface Way {
  readonly seen: Set<HandleName>;
  readonly via: HandleName[];
  readonly load: (name: HandleName) => Soon<HandleRecord>;
}

function followFrom(alias: HandleName, way: Way, until: number): Soon<AliasChain> {
  const { seen, via, load } = way;
  if (seen.has(canonicalName(alias)) || via.length === MAX_ALIASES) throw new GatewayError('ALIAS_LOOP');
  seen.add(canonicalName(alias));
  via.push(alias);
  return mapSoon(load(alias), (record) => {
    const freshUntil = Math.min(until, record.freshUntil);
    const next = aliasOf(record);
    return next === null ? { record, via, freshUntil } : followFrom(next, way, freshUntil);
  });
}
