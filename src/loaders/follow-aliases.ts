// Follows the aliases of a handle to the record at the end of the chain.

import { canonicalName, type HandleName } from '../doi/name.ts';
import { GatewayError, MAX_ALIASES } from '../errors.ts';
import { aliasOf, type HandleRecord } from '../handle/record.ts';
import { mapSoon, type Soon } from '../time.ts';

export interface AliasChain {
  /** the record at the end of the chain; it can be the record of an absent name */
  readonly record: HandleRecord;
  /** the targets of the aliases in order, including the last; empty if there is no alias */
  readonly via: readonly HandleName[];
}

type LoadRecord = (name: HandleName) => Soon<HandleRecord>;

export const NO_ALIASES: readonly HandleName[] = Object.freeze([]);

/**
 * Each step of all chains is one batch, because `load` merges the look-ups of many names. Fails if `load` fails, and with
 * ALIAS_LOOP if the chain has a loop or more than MAX_ALIASES aliases.
 */
export function followAliases(name: HandleName, load: LoadRecord): Soon<AliasChain> {
  return mapSoon(load(name), (record) => {
    const alias = aliasOf(record);
    if (alias === null) return { record, via: NO_ALIASES };
    return followFrom(alias, { seen: new Set([canonicalName(name)]), via: [], load });
  });
}

interface Progress {
  readonly seen: Set<HandleName>;
  readonly via: HandleName[];
  readonly load: LoadRecord;
}

function followFrom(alias: HandleName, progress: Progress): Soon<AliasChain> {
  const { seen, via, load } = progress;
  if (seen.has(canonicalName(alias)) || via.length === MAX_ALIASES) throw new GatewayError('ALIAS_LOOP');
  seen.add(canonicalName(alias));
  via.push(alias);
  return mapSoon(load(alias), (record) => {
    const next = aliasOf(record);
    return next === null ? { record, via } : followFrom(next, progress);
  });
}
