// Follows aliases through a loader, so that the chains of a list are looked up hop by hop, each name once.

import { canonicalName, type HandleName } from '../doi/name.ts';
import { GatewayError } from '../errors.ts';
import { aliasOf } from '../handle/alias.ts';
import type { HandleRecord } from '../handle/record.ts';

export interface AliasChain {
  /** what the chain ends with; may be a name that is not found */
  readonly record: HandleRecord;
  /** the handles gone through after the first, the last one included; empty where there is no alias */
  readonly via: readonly HandleName[];
  /** milliseconds since the epoch; when the first of its records has to be looked at anew */
  readonly freshUntil: number;
}

const MAX_HOPS = 20;

/** Rejects with ALIAS_LOOP for a chain that comes back to itself or is longer than 20, else as `load` does. */
export async function followAliases(
  name: HandleName,
  load: (name: HandleName) => Promise<HandleRecord>,
): Promise<AliasChain> {
  const seen = new Set([canonicalName(name)]);
  const via: HandleName[] = [];
  let record = await load(name);
  let { freshUntil } = record;
  for (let alias = aliasOf(record); alias !== null; alias = aliasOf(record)) {
    if (seen.has(canonicalName(alias)) || via.length === MAX_HOPS) throw new GatewayError('ALIAS_LOOP');
    seen.add(canonicalName(alias));
    via.push(alias);
    record = await load(alias);
    freshUntil = Math.min(freshUntil, record.freshUntil);
  }
  return { record, via, freshUntil };
}
