// The choice among the locations of a pool: each method narrows the pool, and a random draw ends it.

import type { Location } from './locations.ts';
import { attributeOf } from './xml.ts';

export interface LocationCriteria {
  /** `key:value` or `key` each; each narrows the locations that the one before it left */
  readonly locatt?: readonly string[];
  /** ISO 3166 alpha-2, any case; null or left out where it is not known */
  readonly country?: string | null;
}

/** A location in the pool of a record. */
export interface PoolLocation extends Location {
  /** a URL value of the record instead of a location in XML */
  readonly isUrlValue: boolean;
}

export type LocationMethod = 'LOCATT' | 'COUNTRY' | 'SCORE' | 'WEIGHTED';

export interface LocationChoice {
  readonly location: PoolLocation;
  readonly method: LocationMethod;
  /** the locations of the draw; for the other methods the remaining location */
  readonly candidates: readonly PoolLocation[];
}

/** A number from 0 up to but not including 1. */
export type RandomSource = () => number;

export type Pool = readonly [PoolLocation, ...PoolLocation[]];

interface NarrowingMethod {
  readonly method: LocationMethod;
  narrow(pool: Pool, criteria: LocationCriteria): readonly PoolLocation[];
}

const METHODS: Readonly<Record<string, NarrowingMethod>> = {
  locatt: { method: 'LOCATT', narrow: matchingAttributes },
  country: { method: 'COUNTRY', narrow: ofCountry },
  score: { method: 'SCORE', narrow: ofHighestScore },
};

/**
 * Applies the methods in order, up to `weighted`, which ends every list. A method that would leave nothing leaves the
 * pool as it was. Unknown methods and repeated ones are skipped. As soon as one location is left it wins.
 */
export function chooseLocation(
  pool: Pool,
  chooseBy: readonly string[],
  criteria: LocationCriteria,
  random: RandomSource,
): LocationChoice {
  let left = pool;
  for (const name of new Set(chooseBy)) {
    if (name === 'weighted' || left.length === 1) break;
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (!method) continue;
    const narrowed = method.narrow(left, criteria);
    if (!isSome(narrowed)) continue;
    left = narrowed;
    if (left.length === 1) return { location: left[0], method: method.method, candidates: left };
  }
  return draw(left, random);
}

/** One pair after the other. A pair that would leave nothing is skipped, and one location left ends it. */
function matchingAttributes(pool: Pool, { locatt = [] }: LocationCriteria): readonly PoolLocation[] {
  if (locatt.length === 0) return pool;
  const having = byAttribute(pool);
  let left: readonly PoolLocation[] = pool;
  for (const pair of new Set(locatt)) {
    const matching = having.get(pair);
    if (matching === undefined) continue;
    const before = new Set(left);
    const narrowed = matching.filter((location) => before.has(location));
    if (narrowed.length > 0) left = narrowed;
    if (left.length === 1) break;
  }
  return left;
}

/** The locations that have an attribute, by `name` and by `name:value`. Read once, however many pairs there are. */
function byAttribute(pool: Pool): ReadonlyMap<string, readonly PoolLocation[]> {
  const having = new Map<string, PoolLocation[]>();
  for (const location of pool) {
    for (const { name, value } of location.attributes) {
      // The name in a pair ends at its first colon.
      if (name.includes(':')) continue;
      for (const key of [name, `${name}:${value}`]) {
        const others = having.get(key);
        if (others) others.push(location);
        else having.set(key, [location]);
      }
    }
  }
  return having;
}

function ofCountry(pool: Pool, { country }: LocationCriteria): readonly PoolLocation[] {
  if (!country) return pool;
  const wanted = country.toLowerCase();
  const there = pool.filter((location) => attributeOf(location, 'country')?.toLowerCase() === wanted);
  if (there.length > 0) return there;
  return pool.filter((location) => !location.isUrlValue && attributeOf(location, 'country') === null);
}

function ofHighestScore(pool: Pool): readonly PoolLocation[] {
  const scores = pool.map(scoreOf);
  const highest = scores.reduce((most, score) => Math.max(most, score));
  return pool.filter((_, position) => scores[position] === highest);
}

function scoreOf(location: PoolLocation): number {
  const score = Number(attributeOf(location, 'score') ?? 0);
  return Number.isFinite(score) ? score : 0;
}

/** In proportion to weight. Weights of 0 and less are out, unless all are: then all are equally likely. */
function draw(pool: Pool, random: RandomSource): LocationChoice {
  const weighted = pool.filter(({ weight }) => weight > 0);
  const candidates = isSome(weighted) ? weighted : pool;
  const weights = candidates.map(({ weight }) => (isSome(weighted) ? weight : 1));
  let rest = random() * weights.reduce((sum, weight) => sum + weight, 0);
  const drawn = candidates.find((_, position) => {
    rest -= weights[position] ?? 0;
    return rest < 0;
  });
  return { location: drawn ?? candidates[0], method: 'WEIGHTED', candidates };
}

function isSome(locations: readonly PoolLocation[]): locations is Pool {
  return locations.length > 0;
}
