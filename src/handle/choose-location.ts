// Chooses one location of a record. Each method removes locations. If several locations remain, a random draw decides.

import type { Location } from './locations.ts';
import { attributeOf } from './xml.ts';

export interface LocationCriteria {
  /** Attributes that the location should have: `key:value`, or only `key`. */
  readonly locatt?: readonly string[];
  /** the client's country: ISO 3166 alpha-2, in any letter case; null or missing if unknown */
  readonly country?: string | null;
  /** whether the client is a person, who gets a location for programs only if the draw has no other; default: false */
  readonly isPerson?: boolean;
}

export interface PoolLocation extends Location {
  /** whether this is a URL value of the record, and not a location of a 10320/loc value */
  readonly isUrlValue: boolean;
}

export type LocationMethod = 'LOCATT' | 'COUNTRY' | 'SCORE' | 'WEIGHTED';

export interface LocationChoice {
  readonly location: PoolLocation;
  readonly method: LocationMethod;
  /** the locations of the draw; without a draw, only the chosen location */
  readonly candidates: readonly PoolLocation[];
}

/** Returns a number from 0 up to but not including 1. */
export type RandomSource = () => number;

/** The locations among which a redirect chooses. */
export type Pool = readonly [PoolLocation, ...PoolLocation[]];

type Narrow = (pool: Pool, criteria: LocationCriteria) => readonly PoolLocation[];

const METHODS: ReadonlyMap<string, readonly [LocationMethod, Narrow]> = new Map([
  ['locatt', ['LOCATT', matchingAttributes]],
  ['country', ['COUNTRY', ofCountry]],
  ['score', ['SCORE', ofHighestScore]],
]);

/**
 * Applies the methods in order until only one location is left. Skips unknown methods, repeated methods, and methods
 * that would leave no location. At the method `weighted`, or after the last method, draws one of the locations that are
 * left.
 * @param chooseBy the names of the methods
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
    const [method, narrow] = METHODS.get(name) ?? [];
    const narrowed = narrow?.(left, criteria) ?? [];
    if (method === undefined || !isPool(narrowed)) continue;
    left = narrowed;
    if (left.length === 1) return { location: left[0], method, candidates: left };
  }
  return draw(left, criteria, random);
}

/** Applies the pairs in order until one location is left. Skips a pair that would leave no location. */
function matchingAttributes(pool: Pool, { locatt = [] }: LocationCriteria): readonly PoolLocation[] {
  if (locatt.length === 0) return pool;
  const byKey = byAttribute(pool, new Set(locatt.map((pair) => pair.replace(/:.*/s, ''))));
  let left: readonly PoolLocation[] = pool;
  for (const pair of new Set(locatt)) {
    const matching = byKey.get(pair);
    if (matching === undefined) continue;
    const remaining = new Set(left);
    const narrowed = matching.filter((location) => remaining.has(location));
    if (narrowed.length > 0) left = narrowed;
    if (left.length === 1) break;
  }
  return left;
}

/** The locations by each attribute `name`, and by each `name:value`, for the wanted names. */
function byAttribute(pool: Pool, wanted: ReadonlySet<string>): ReadonlyMap<string, readonly PoolLocation[]> {
  const byKey = new Map<string, PoolLocation[]>();
  for (const location of pool) {
    for (const { name, value } of location.attributes) {
      // A wanted name has no colon, because the name in a pair ends at the first colon.
      if (!wanted.has(name)) continue;
      for (const key of [name, `${name}:${value}`]) {
        const others = byKey.get(key);
        if (others) others.push(location);
        else byKey.set(key, [location]);
      }
    }
  }
  return byKey;
}

/** If no location is for the client's country, returns the locations without the attribute `country`, except URL values. */
function ofCountry(pool: Pool, { country }: LocationCriteria): readonly PoolLocation[] {
  if (!country) return pool;
  const wanted = country.toLowerCase();
  const matching = pool.filter((location) => attributeOf(location, 'country')?.toLowerCase() === wanted);
  if (matching.length > 0) return matching;
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

/** Draws in proportion to the weights. Skips locations with a weight of 0 or less, unless all weights are 0 or less. */
function draw(pool: Pool, { isPerson = false }: LocationCriteria, random: RandomSource): LocationChoice {
  const weighted = pool.filter(({ weight }) => weight > 0);
  const drawn = isPool(weighted) ? weighted : pool;
  // The DOI proxy lets chance send people to a location for programs.
  const forPeople = isPerson ? drawn.filter((location) => !isForPrograms(location)) : drawn;
  return drawOne(isPool(forPeople) ? forPeople : drawn, random);
}

/** Whether a location is for programs that request data with their Accept header. */
export function isForPrograms(location: Pick<Location, 'attributes'>): boolean {
  return attributeOf(location, 'http_role') === 'conneg';
}

/** @param candidates their weights are all above 0, or all 0 or less */
function drawOne(candidates: Pool, random: RandomSource): LocationChoice {
  const weights = candidates.map(({ weight }) => (candidates[0].weight > 0 ? weight : 1));
  let remaining = random() * weights.reduce((sum, weight) => sum + weight, 0);
  const drawn = candidates.find((_, position) => {
    remaining -= weights[position] ?? 0;
    return remaining < 0;
  });
  return { location: drawn ?? candidates[0], method: 'WEIGHTED', candidates };
}

function isPool(locations: readonly PoolLocation[]): locations is Pool {
  return locations.length > 0;
}
