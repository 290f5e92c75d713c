// What a redirect depends on: the record that a name's aliases lead to, and the locations of its prefix.

import type { HandleName } from '../doi/name.ts';
import { NO_PREFIX_LOCATIONS, type PrefixLocations } from '../handle/prefix-locations.ts';
import type { HandleRecord } from '../handle/record.ts';
import { mapSoon, type Soon, withinMs } from '../time.ts';
import type { AnswerExpiry } from './answer-expiry.ts';
import type { Freshness } from './batches.ts';
import type { AliasChain } from './follow-aliases.ts';
import { type PrefixAnswer, UNKNOWN_PREFIX } from './prefix-answer.ts';

export interface ResolvedOptions {
  readonly freshness?: Freshness | undefined;
  /** left out: they are followed */
  readonly ignoresAliases?: boolean;
  /** left out: the locations of the prefix are looked up */
  readonly withoutPrefix?: boolean;
}

/** The end of an alias chain, and the locations of the prefix of its last name. */
export interface Resolved extends Pick<AliasChain, 'record' | 'via'> {
  readonly prefix: PrefixLocations;
}

interface RecordLoaders {
  answeredRecord(name: HandleName, freshness?: Freshness): Soon<HandleRecord>;
  aliasChain(name: HandleName, freshness?: Freshness): Soon<AliasChain>;
}

/** How long a redirect waits for the locations of a prefix, after it has the record. */
const WAIT_MS = 1_000;
const NO_ALIASES: readonly HandleName[] = Object.freeze([]);

/**
 * @param prefixOf null for a name without a prefix; never fails
 * @param expiry of the answer: locations that could not be had in time must not be cached
 */
export function resolveName(
  name: HandleName,
  loaders: RecordLoaders,
  prefixOf: (name: HandleName) => Soon<PrefixAnswer | null>,
  expiry: AnswerExpiry,
  { freshness, ignoresAliases = false, withoutPrefix = false }: ResolvedOptions = {},
): Soon<Resolved> {
  // Both are looked up in the same batch.
  const first = withoutPrefix ? null : prefixOf(name);
  const chain = ignoresAliases
    ? mapSoon(loaders.answeredRecord(name, freshness), (record) => ({ record, via: NO_ALIASES }))
    : loaders.aliasChain(name, freshness);
  return mapSoon(chain, ({ record, via }) => {
    if (record.status === 'HANDLE_NOT_FOUND') return { record, via, prefix: NO_PREFIX_LOCATIONS };
    const last = via.length === 0 || withoutPrefix ? first : prefixOf(record.handle);
    const inTime = last instanceof Promise ? withinMs(WAIT_MS, last, UNKNOWN_PREFIX) : last;
    return mapSoon(inTime, (answer) => {
      if (answer) expiry.include(answer);
      return { record, via, prefix: answer?.locations ?? NO_PREFIX_LOCATIONS };
    });
  });
}
