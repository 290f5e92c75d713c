// The requests and responses of the REST API: parses the query string, and writes headers.

import { percentDecodeLeniently } from 'doi-names/parts';
import etag from 'etag';
import type { Directory } from '../../directory/directory.ts';
import type { RandomSource } from '../../handle/choose-location.ts';
import type { AnswerExpiry } from '../../loaders/answer-expiry.ts';
import type { Freshness } from '../../loaders/batches.ts';
import type { Loaders } from '../../loaders/loaders.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../time.ts';
import type { TurnsOfLongTasks } from '../../turns.ts';
import type { HttpRequest, HttpResponse } from '../request/exchange.ts';

export interface Query {
  /** without `?`, not decoded; empty without a query */
  readonly raw: string;
  /** The first value of a parameter. Empty for a parameter without a value. Null if the parameter is missing. */
  first(name: string): string | null;
  all(name: string): readonly string[];
  /** Whether the query has the parameter: at `/{name}` a flag is on whatever its value is, as at the DOI proxy. */
  has(name: string): boolean;
  /** Whether the first value of the flag is empty, `true` or `yes`, in any letter case: the rule below `/api`. */
  isOn(flag: string): boolean;
}

const ON = new Set(['', 'true', 'yes']);
const NONE: readonly string[] = Object.freeze([]);

const EMPTY: Query = Object.freeze({
  raw: '',
  first: () => null,
  all: () => NONE,
  has: () => false,
  isOn: () => false,
});

/**
 * Parses the query like the DOI proxy: `+` is not a space, and malformed percent triplets stay unchanged.
 * @param separator what divides parameters: at `/{name}` a semicolon too
 */
export function parseQuery(raw: string, separator: '&' | RegExp = '&'): Query {
  if (raw === '') return EMPTY;
  const parameters = new Map<string, string[]>();
  for (const item of raw.split(separator)) {
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
    has: (name) => parameters.has(name),
    isOn: (flag) => ON.has(first(flag)?.toLowerCase() ?? 'off'),
  };
}

/** The parameter `action` in lower case. Null if it is missing. */
export function actionOf(query: Query): string | null {
  return query.first('action')?.toLowerCase() ?? null;
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

/** The freshness that the flags require. Undefined if neither `auth` nor `cert` is on. */
export function freshnessOf(isOn: (flag: string) => boolean): Freshness | undefined {
  const [auth, cert] = [isOn('auth'), isOn('cert')];
  return auth || cert ? { auth, cert } : undefined;
}

export interface RestFaceOptions {
  readonly directory: Directory;
  readonly log: Log;
  readonly clock: Clock['now'];
  readonly random: RandomSource;
  /** for tasks that take long */
  readonly turns: TurnsOfLongTasks;
  /** maximum number of look-ups in one request */
  readonly maxLookups: number;
  /** the gateway's URL for clients, without a final slash; empty: links are relative */
  readonly publicUrl: string;
  /** the request header with the client's country, in lower case; null: the operator has set no header */
  readonly countryHeader: string | null;
  /** the base URLs of local services; a reader's cookie chooses one of them */
  readonly localServices: readonly string[];
}

export interface RestRequest {
  readonly http: Pick<HttpRequest, 'header' | 'requester'>;
  readonly options: RestFaceOptions;
  readonly query: Query;
  readonly loaders: Loaders;
  /** The time at which the response expires. The loaders report to this object how long each record is fresh. */
  readonly expiry: AnswerExpiry;
  /** milliseconds since the epoch */
  readonly now: number;
  readonly reportUnexpected: (error: unknown) => void;
}

/** Whether responses at `/{name}` can be metadata. */
export function hasMetadata({ directory }: Pick<RestFaceOptions, 'directory'>): boolean {
  return directory.describe !== undefined;
}

/** A text with its ETag. Both are kept, so that the gateway makes them only once. */
export interface TaggedText {
  readonly text: string;
  readonly tag: string;
}

export const taggedText = (text: string): TaggedText => ({ text, tag: etag(text, { weak: true }) });

export const HTML_TYPE = 'text/html;charset=utf-8';

/** A response must not run or load anything, because a record can contain any markup. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** @param policy the Content-Security-Policy */
export function restResponse(
  status: number,
  contentType: string,
  headers: HttpResponse['headers'],
  body: string,
  policy = POLICY,
): HttpResponse {
  const all = { ...headers, 'Content-Type': contentType, 'Content-Security-Policy': policy };
  return { status, headers: all, body };
}
