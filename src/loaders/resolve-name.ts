// Looks up the data for a redirect: the record at the end of the alias chain, and the locations of the name's prefix.

import { canonicalName, type HandleName } from 'doi-names';
import { GatewayError } from '../errors.ts';
import {
  NO_PREFIX_LOCATIONS,
  type PrefixLocations,
  prefixHandleOf,
  prefixLocationsOf,
  readNamespace,
  UNKNOWN_PREFIX_LOCATIONS,
} from '../handle/prefix-locations.ts';
import { aliasOf, type HandleRecord, isRegistered } from '../handle/record.ts';
import { mapSoon, type Soon, withinMs } from '../time.ts';
import type { AnswerExpiry } from './answer-expiry.ts';
import type { Freshness } from './batches.ts';
import type { Loaders } from './loaders.ts';

export interface AliasChain {
  /** the record at the end of the chain; it can be the record of an absent name */
  readonly record: HandleRecord;
  /** the targets of the aliases in order, including the last; empty if there is no alias */
  readonly via: readonly HandleName[];
}

/** The gateway follows at most this many aliases from one name. */
const MAX_ALIASES = 20;

const NO_ALIASES: readonly HandleName[] = Object.freeze([]);

/**
 * Looks up the record at the end of the alias chain. Each step of many chains is one batch, because the loaders merge
 * look-ups. Fails if `answeredRecord` fails, and with ALIAS_LOOP if the chain has a loop or more than MAX_ALIASES aliases.
 */
export function followAliases(
  name: HandleName,
  loaders: Pick<Loaders, 'answeredRecord'>,
  freshness?: Freshness,
): Soon<AliasChain> {
  return mapSoon(loaders.answeredRecord(name, freshness), (record) => {
    const alias = aliasOf(record);
    if (alias === null) return { record, via: NO_ALIASES };
    const via: HandleName[] = [];
    const seen = new Set([canonicalName(name)]);
    const follow = (next: HandleName): Soon<AliasChain> => {
      if (seen.has(canonicalName(next)) || via.length === MAX_ALIASES) throw aliasLoop();
      seen.add(canonicalName(next));
      via.push(next);
      return mapSoon(loaders.answeredRecord(next, freshness), (last) => {
        const target = aliasOf(last);
        return target === null ? { record: last, via } : follow(target);
      });
    };
    return follow(alias);
  });
}

function aliasLoop(): GatewayError {
  return new GatewayError('ALIAS_LOOP', {
    message: `The alias leads back to itself, or through more than ${MAX_ALIASES} handles.`,
  });
}

export interface ResolvedOptions {
  readonly freshness?: Freshness | undefined;
  /** default: false */
  readonly ignoresAliases?: boolean;
  /** whether to omit the look-up of the prefix's locations; default: false */
  readonly ignoresPrefix?: boolean;
}

/** The end of an alias chain, and the locations of the prefix of its last name. */
export interface Resolved extends AliasChain {
  readonly prefix: PrefixLocations;
}

/** After the record has arrived, a redirect waits at most this time for the locations of the prefix. */
const WAIT_MS = 1_000;

/** The record of a prefix, then the records with its locations; null: a failed look-up. Empty: there is no prefix. */
type PrefixRecords = readonly (HandleRecord | null)[];

const NO_PREFIX: PrefixRecords = Object.freeze([]);
const TOO_LATE: PrefixRecords = Object.freeze([null]);

/**
 * Looks up the end of the alias chain and the locations of the prefix. Fails only if `followAliases` fails.
 * @param request its `expiry` includes the locations; if they fail or are late, `expiry` forbids to cache the response
 */
export function resolveName(
  name: HandleName,
  { loaders, expiry }: { readonly loaders: Loaders; readonly expiry: AnswerExpiry },
  { freshness, ignoresAliases = false, ignoresPrefix = false }: ResolvedOptions = {},
): Soon<Resolved> {
  // This look-up starts before the look-up of the record, so that both are sent in the same tick.
  const first = ignoresPrefix ? NO_PREFIX : prefixRecords(name, loaders);
  const chain = ignoresAliases
    ? mapSoon(loaders.answeredRecord(name, freshness), (record) => ({ record, via: NO_ALIASES }))
    : followAliases(name, loaders, freshness);
  return mapSoon(chain, ({ record, via }) => {
    if (record.status === 'HANDLE_NOT_FOUND') return { record, via, prefix: NO_PREFIX_LOCATIONS };
    const last = via.length === 0 || ignoresPrefix ? first : prefixRecords(record.handle, loaders);
    const recordsInTime = last instanceof Promise ? withinMs(WAIT_MS, last, TOO_LATE) : last;
    return mapSoon(recordsInTime, (records) => ({ record, via, prefix: locationsOf(records, expiry) }));
  });
}

/** Looks up the record of the name's prefix, and the records with its locations. Never fails. */
function prefixRecords(name: HandleName, loaders: Pick<Loaders, 'prefixRecord'>): Soon<PrefixRecords> {
  const handle = prefixHandleOf(name);
  if (handle === null) return NO_PREFIX;
  return mapSoon(loaders.prefixRecord(handle), (prefix): Soon<PrefixRecords> => {
    const handles = prefix === null ? [] : readNamespace(prefix.values).handles;
    const records = [prefix, ...handles.map((of) => loaders.prefixRecord(of))];
    return records.some((record) => record instanceof Promise)
      ? Promise.all(records)
      : (records as PrefixRecords);
  });
}

/** Returns the same object for the same records. The expiry of an absent record is ignored. */
function locationsOf(records: PrefixRecords, expiry: AnswerExpiry): PrefixLocations {
  for (const record of records) {
    if (record === null) {
      expiry.mustNotBeCached();
      return UNKNOWN_PREFIX_LOCATIONS;
    }
    if (record.stale || isRegistered(record)) expiry.include(record);
  }
  const [prefix, ...others] = records as readonly HandleRecord[];
  if (prefix === undefined || !isRegistered(prefix)) return NO_PREFIX_LOCATIONS;
  const values = others.map((record) => record.values);
  const last = lastLocations.get(prefix.values);
  if (last?.values.every((known, position) => known === values[position])) return last.locations;
  const locations = prefixLocationsOf(readNamespace(prefix.values), others);
  lastLocations.set(prefix.values, { values, locations });
  return locations;
}

/** The last result for a prefix. Key: the values of the prefix's record; `values`: those of the other records. */
const lastLocations = new WeakMap<
  HandleRecord['values'],
  { readonly values: readonly HandleRecord['values'][]; readonly locations: PrefixLocations }
>();
