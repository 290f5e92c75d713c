// Chooses a location of a pool. Each method narrows the pool. Then a random draw decides.

import type { Location } from './locations.ts';
import { attributeOf } from './xml.ts';

export interface LocationCriteria {
  /** Pairs `key:value`, or only `key`. Each pair narrows the locations that the pair before left. */
  readonly locatt?: readonly string[];
  /** ISO 3166 alpha-2, in any letter case. Null or missing if unknown. */
  readonly country?: string | null;
}

/** A location in the pool of a record. */
export interface PoolLocation extends Location {
  /** whether this is a URL value of the record, and not a location in XML */
  readonly isUrlValue: boolean;
}

export type LocationMethod = 'LOCATT' | 'COUNTRY' | 'SCORE' | 'WEIGHTED';

export interface LocationChoice {
  readonly location: PoolLocation;
  readonly method: LocationMethod;
  /** the locations of the draw. For the other methods, the one location that is left. */
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
 * Applies the methods in order until one location is left. Skips unknown and repeated methods, and a method that would
 * leave no location. At `weighted`, or after the last method, draws one of the locations that are left.
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

/** Applies the pairs in order until one location is left. Skips a pair that would leave no location. */
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

/** The locations of each attribute, by `name` and by `name:value`. One index serves all pairs. */
function byAttribute(pool: Pool): ReadonlyMap<string, readonly PoolLocation[]> {
  const having = new Map<string, PoolLocation[]>();
  for (const location of pool) {
    for (const { name, value } of location.attributes) {
      // A name with a colon cannot occur in a pair, because the name in a pair ends at the first colon.
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

/** Draws in proportion to the weights. Skips weights of 0 or less. If all are so, all locations are equally likely. */
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
