// The query string as the DOI proxy reads it: `+` is no space, malformed triplets stay as they are.

import { percentDecodeLeniently } from '../../doi/percent.ts';
import type { Freshness } from '../../loaders/loaders.ts';

export interface Query {
  /** as it came, without `?`; empty where there is none */
  readonly raw: string;
  /** the first value of a parameter, '' where it has none; null where the parameter is not there */
  first(name: string): string | null;
  all(name: string): string[];
  /** on when it stands alone, is empty, `true`, `yes` or `y`; of several the first counts */
  isOn(flag: string): boolean;
}

const ON = new Set(['', 'true', 'yes', 'y']);

export function parseQuery(raw: string): Query {
  const parameters = raw.split('&').map((item) => {
    const [name = '', ...value] = item.split('=');
    return { name: percentDecodeLeniently(name), value: percentDecodeLeniently(value.join('=')) };
  });
  const first = (wanted: string): string | null =>
    parameters.find(({ name }) => name === wanted)?.value ?? null;
  return {
    raw,
    first,
    all: (wanted) => parameters.filter(({ name }) => name === wanted).map(({ value }) => value),
    isOn: (flag) => ON.has(first(flag) ?? 'off'),
  };
}

/** The `index` parameters as numbers; null when one of them is no integer of 32 bits. */
export function indexesOf(query: Query): number[] | null {
  const texts = query.all('index');
  const indexes = texts.map(Number);
  const isValid = (text: string, position: number): boolean =>
    /^[+-]?\d+$/.test(text) && indexes[position] === (Number(text) | 0);
  return texts.every(isValid) ? indexes : null;
}

export function freshnessOf(query: Query): Freshness {
  return { auth: query.isOn('auth'), cert: query.isOn('cert') };
}
