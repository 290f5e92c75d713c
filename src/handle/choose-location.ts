// Which of several locations is taken: each method narrows the list, the last one draws from it.

import { attributeOf, type Location } from './locations.ts';

export interface LocationCriteria {
  /** `key:value` each; several must all match */
  readonly locatt?: readonly string[];
  /** ISO 3166 alpha-2, any case; null or left out where it is not known */
  readonly country?: string | null;
}

export interface LocationChoice {
  readonly location: Location;
  readonly chosenBy: 'LOCATT' | 'COUNTRY' | 'WEIGHTED' | 'ONLY_LOCATION';
  /** the locations of the draw; for the other methods the remaining location */
  readonly candidates: readonly Location[];
}

/** A number from 0 up to but not including 1. */
export type RandomSource = () => number;

type Locations = readonly [Location, ...Location[]];
type Method = (locations: Locations, criteria: LocationCriteria) => readonly Location[];

const METHODS: Readonly<
  Record<string, { readonly chosenBy: 'LOCATT' | 'COUNTRY'; readonly narrow: Method }>
> = {
  locatt: { chosenBy: 'LOCATT', narrow: matchingAttributes },
  country: { chosenBy: 'COUNTRY', narrow: ofCountry },
};

/**
 * Applies the methods in order, up to `weighted`, which ends every list. A method that would leave nothing
 * leaves things as they were; one that is unknown is passed over, and so is one that was applied before,
 * since it would change nothing; as soon as one location is left it wins.
 */
export function chooseLocation(
  locations: Locations,
  chooseBy: readonly string[],
  criteria: LocationCriteria,
  random: RandomSource,
): LocationChoice {
  let left = locations;
  if (left.length === 1) return { location: left[0], chosenBy: 'ONLY_LOCATION', candidates: left };
  for (const name of new Set(chooseBy)) {
    if (name === 'weighted') break;
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (!method) continue;
    const narrowed = method.narrow(left, criteria);
    if (isSome(narrowed)) left = narrowed;
    if (left.length === 1) return { location: left[0], chosenBy: method.chosenBy, candidates: left };
  }
  return draw(left, random);
}

function matchingAttributes(locations: Locations, { locatt = [] }: LocationCriteria): readonly Location[] {
  if (locatt.length === 0) return locations;
  const wanted = wantedAttributes(locatt);
  if (wanted === null) return [];
  // No name occurs twice, neither in the wanted attributes nor in a location.
  return locations.filter(({ attributes }) => {
    let matching = 0;
    for (const { name, value } of attributes) if (wanted.get(name) === value) matching += 1;
    return matching === wanted.size;
  });
}

/** Value by name; null where one attribute should have two values, which none has. */
function wantedAttributes(locatt: readonly string[]): ReadonlyMap<string, string> | null {
  const wanted = new Map<string, string>();
  for (const pair of locatt) {
    const colon = pair.indexOf(':');
    const name = colon === -1 ? pair : pair.slice(0, colon);
    const value = colon === -1 ? '' : pair.slice(colon + 1);
    if ((wanted.get(name) ?? value) !== value) return null;
    wanted.set(name, value);
  }
  return wanted;
}

function ofCountry(locations: Locations, { country }: LocationCriteria): readonly Location[] {
  if (!country) return locations;
  const wanted = country.toLowerCase();
  const there = locations.filter((location) => attributeOf(location, 'country')?.toLowerCase() === wanted);
  return there.length > 0 ? there : locations.filter((location) => attributeOf(location, 'country') === null);
}

/** In proportion to weight. Weights of 0 and less are out, unless all are: then all are equally likely. */
function draw(locations: Locations, random: RandomSource): LocationChoice {
  const weighted = locations.filter(({ weight }) => weight > 0);
  const candidates = isSome(weighted) ? weighted : locations;
  const weights = candidates.map(({ weight }) => (isSome(weighted) ? weight : 1));
  let rest = random() * weights.reduce((sum, weight) => sum + weight, 0);
  const drawn = candidates.find((_, position) => {
    rest -= weights[position] ?? 0;
    return rest < 0;
  });
  return { location: drawn ?? candidates[0], chosenBy: 'WEIGHTED', candidates };
}

function isSome(locations: readonly Location[]): locations is Locations {
  return locations.length > 0;
}
