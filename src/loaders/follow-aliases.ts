// Follows aliases with a loader, which merges the look-ups of many names: each step of all chains is one batch.

import { canonicalName, type HandleName } from '../doi/name.ts';
import { GatewayError, MAX_ALIASES } from '../errors.ts';
import { aliasOf, type HandleRecord } from '../handle/record.ts';
import { mapSoon, type Soon } from '../time.ts';

export interface AliasChain {
  /** the record at the end of the chain; it can be the record of an absent name */
  readonly record: HandleRecord;
  /** the targets of the aliases in order, including the last; empty if there is no alias */
  readonly via: readonly HandleName[];
  /** when the first record of the chain expires, in milliseconds since 1970 */
  readonly freshUntil: number;
}

const NO_HANDLES: readonly HandleName[] = Object.freeze([]);

/** Fails if `load` fails. Fails with ALIAS_LOOP if the chain has a loop or more than MAX_ALIASES aliases. */
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
