// Looks up the data for a redirect: the record at the end of the alias chain, and the locations of the name's prefix.

import { canonicalName, type HandleName } from '../doi/name.ts';
import { GatewayError, MAX_ALIASES } from '../errors.ts';
import { NO_PREFIX_LOCATIONS, type PrefixLocations } from '../handle/prefix-locations.ts';
import { aliasOf, type HandleRecord } from '../handle/record.ts';
import { mapSoon, type Soon, withinMs } from '../time.ts';
import type { AnswerExpiry } from './answer-expiry.ts';
import type { Freshness } from './batches.ts';
import { type PrefixAnswer, UNKNOWN_PREFIX } from './prefix-answer.ts';

export interface AliasChain {
  /** the record at the end of the chain; it can be the record of an absent name */
  readonly record: HandleRecord;
  /** the targets of the aliases in order, including the last; empty if there is no alias */
  readonly via: readonly HandleName[];
}

type LoadRecord = (name: HandleName) => Soon<HandleRecord>;

const NO_ALIASES: readonly HandleName[] = Object.freeze([]);

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

export interface ResolvedOptions {
  readonly freshness?: Freshness | undefined;
  /** default: false */
  readonly ignoresAliases?: boolean;
  /** true: does not look up the locations of the prefix; default: false */
  readonly withoutPrefix?: boolean;
}

/** The end of an alias chain, and the locations of the prefix of its last name. */
export interface Resolved extends AliasChain {
  readonly prefix: PrefixLocations;
}

interface RecordLoaders {
  answeredRecord(name: HandleName, freshness?: Freshness): Soon<HandleRecord>;
  aliasChain(name: HandleName, freshness?: Freshness): Soon<AliasChain>;
}

/** When the record is there, a redirect waits at most this time for the locations of the prefix. */
const WAIT_MS = 1_000;

/**
 * @param prefixOf returns null for a name without a prefix; never fails
 * @param expiry if the locations come too late, the answer must not be cached
 */
export function resolveName(
  name: HandleName,
  loaders: RecordLoaders,
  prefixOf: (name: HandleName) => Soon<PrefixAnswer | null>,
  expiry: AnswerExpiry,
  { freshness, ignoresAliases = false, withoutPrefix = false }: ResolvedOptions = {},
): Soon<Resolved> {
  // This look-up starts before the look-up of the record, so that both are in the same batch.
  const first = withoutPrefix ? null : prefixOf(name);
  const chain = ignoresAliases
    ? mapSoon(loaders.answeredRecord(name, freshness), (record) => ({ record, via: NO_ALIASES }))
    : loaders.aliasChain(name, freshness);
  return mapSoon(chain, ({ record, via }) => {
    if (record.status === 'HANDLE_NOT_FOUND') return { record, via, prefix: NO_PREFIX_LOCATIONS };
    const last = via.length === 0 || withoutPrefix ? first : prefixOf(record.handle);
    const soonEnough = last instanceof Promise ? withinMs(WAIT_MS, last, UNKNOWN_PREFIX) : last;
    return mapSoon(soonEnough, (answer) => {
      if (answer) expiry.include(answer);
      return { record, via, prefix: answer?.locations ?? NO_PREFIX_LOCATIONS };
    });
  });
}
