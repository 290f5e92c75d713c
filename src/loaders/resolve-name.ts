// Looks up the data for a redirect: the record at the end of the alias chain, and the locations of the name's prefix.

import type { HandleName } from '../doi/name.ts';
import { NO_PREFIX_LOCATIONS, type PrefixLocations } from '../handle/prefix-locations.ts';
import type { HandleRecord } from '../handle/record.ts';
import { mapSoon, type Soon, withinMs } from '../time.ts';
import type { AnswerExpiry } from './answer-expiry.ts';
import type { Freshness } from './batches.ts';
import { type AliasChain, NO_ALIASES } from './follow-aliases.ts';
import { type PrefixAnswer, UNKNOWN_PREFIX } from './prefix-answer.ts';

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

/** After the record has arrived, a redirect waits at most this time for the locations of the prefix. */
const WAIT_MS = 1_000;

/**
 * @param prefixOf returns null for a name without a prefix; never fails
 * @param expiry includes the locations; if they come too late, the response must not be cached
 */
export function resolveName(
  name: HandleName,
  loaders: RecordLoaders,
  prefixOf: (name: HandleName) => Soon<PrefixAnswer | null>,
  expiry: AnswerExpiry,
  { freshness, ignoresAliases = false, withoutPrefix = false }: ResolvedOptions = {},
): Soon<Resolved> {
  // This look-up starts before the look-up of the record, so that both are sent in the same tick.
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
