// Parses a query string like the DOI proxy: `+` is not a space, and malformed percent triplets stay unchanged.

import { percentDecodeLeniently } from '../../doi/percent.ts';
import type { AnswerExpiry } from '../../loaders/answer-expiry.ts';
import type { Freshness } from '../../loaders/batches.ts';
import type { Loaders } from '../../loaders/loaders.ts';
import type { HttpRequest } from '../request/exchange.ts';

export interface Query {
  /** without `?`, not decoded; empty without a query */
  readonly raw: string;
  /** The first value of a parameter. Empty for a parameter without a value. Null if the parameter is missing. */
  first(name: string): string | null;
  all(name: string): readonly string[];
  /** Whether the first value of the flag is `true`, `yes`, `y` or empty. */
  isOn(flag: string): boolean;
}

const ON = new Set(['', 'true', 'yes', 'y']);
const NONE: readonly string[] = Object.freeze([]);

const EMPTY: Query = Object.freeze({ raw: '', first: () => null, all: () => NONE, isOn: () => false });

export function parseQuery(raw: string): Query {
  if (raw === '') return EMPTY;
  const parameters = new Map<string, string[]>();
  for (const item of raw.split('&')) {
    const equals = item.indexOf('=');
    const name = percentDecodeLeniently(equals === -1 ? item : item.slice(0, equals));
    const value = equals === -1 ? '' : percentDecodeLeniently(item.slice(equals + 1));
    const others = parameters.get(name);
    if (others) others.push(value);
    else parameters.set(name, [value]);
  }
  const first = (name: string): string | null => parameters.get(name)?.[0] ?? null;
  return {
    raw,
    first,
    all: (name) => parameters.get(name) ?? NONE,
    isOn: (flag) => ON.has(first(flag) ?? 'off'),
  };
}

/** The `index` parameters as numbers. Null if one of them is not a 32-bit integer. */
export function indexesOf(query: Query): readonly number[] | null {
  const indexes: number[] = [];
  for (const text of query.all('index')) {
    const index = Number(text);
    if (!/^[+-]?\d+$/.test(text) || index !== (index | 0)) return null;
    indexes.push(index);
  }
  return indexes;
}

/** Undefined if neither `auth` nor `cert` is on. */
export function freshnessOf(query: Query): Freshness | undefined {
  const [auth, cert] = [query.isOn('auth'), query.isOn('cert')];
  return auth || cert ? { auth, cert } : undefined;
}

export interface RestRequest {
  readonly http: Pick<HttpRequest, 'header' | 'requester'>;
  readonly query: Query;
  readonly loaders: Loaders;
  /** The loaders report to it how long each record is fresh. So it knows when the response expires. */
  readonly expiry: AnswerExpiry;
  /** milliseconds since the epoch */
  readonly now: number;
  readonly reportUnexpected: (error: unknown) => void;
}
