// What an attack is, and the builders of tables of attacks.

import type { Temper } from '../directory-process.ts';
import { graphqlBytes, type RequestParts, requestBytes } from '../http-bytes.ts';
import { list, type Operation } from './requests.ts';

/** How the bytes go out and the response comes in. Left out: both as fast as possible. */
export interface Manner {
  /** Writes a piece at a time. */
  readonly write?: { readonly pieceBytes: number; readonly everyMs: number };
  /** `nothing`: never reads. Otherwise one read of the socket in each interval. */
  readonly read?: 'nothing' | { readonly everyMs: number };
  /** The client's address, of 127.0.0.0/8; `many`: another for each connection. Left out: the honest client's. */
  readonly from?: string;
  /** Closes the connection then, with or without a response. */
  readonly leaveAfterMs?: number;
  /** how many responses the bytes request, if not one */
  readonly responses?: number;
}

export interface Attack {
  readonly name: string;
  readonly gateway: GatewayName;
  /** requests in all */
  readonly times: number;
  /** connections that send them; each sends its next request after a response */
  readonly atOnce: number;
  readonly manner: Manner;
  /**
   * `graphql`: every response is JSON, and a refusal has a code. `http`: any status below 500, or 503.
   * `cut`: the connection may also end without a response. `allowed`: 200, and no errors.
   * `shed`: any status below 500, or 503 as GATEWAY_BUSY; a connection ends only after the head of its response.
   */
  readonly expect: 'graphql' | 'http' | 'cut' | 'allowed' | 'shed';
  /** of one request; no request begins later */
  readonly limitMs: number;
  /** of one response */
  readonly maxResponseBytes: number;
  /** For an attack that is as large as the gateway allows: the search begins with this size. */
  readonly maxSize: number | null;
  /** Attacks of one group are played beside each other, and measured as one. */
  readonly group: string | null;
  /** Makes what the requests need, such as a registered query. */
  prepare?(port: number): Promise<void>;
  /** Takes away what the requests made. @param made the `Location` of each response that had one */
  clean?(port: number, made: readonly string[]): Promise<void>;
  bytes(n: number, size: number): Buffer;
}

/** With its records in memory, before a directory, or before a directory and with a queue of jobs. */
export type GatewayName = 'embedded' | 'live' | 'jobs';

export type Options = Partial<Omit<Attack, 'name' | 'bytes'>>;

/** The same for each request, or made for the n-th. */
type Each<T> = T | ((n: number) => T);

export function attack(name: string, bytes: Each<Buffer>, options: Options = {}): Attack {
  return {
    name,
    gateway: 'embedded',
    times: 1,
    atOnce: options.times ?? 1,
    manner: {},
    expect: 'graphql',
    limitMs: 6_000,
    maxResponseBytes: Number.POSITIVE_INFINITY,
    maxSize: null,
    group: null,
    ...options,
    bytes: (n) => (typeof bytes === 'function' ? bytes(n) : bytes),
  };
}

/** So many requests, ten at a time. */
export const byTen = (times: number): Options => ({ times, atOnce: 10 });

/** Clients that leave before the response is complete. */
export const leaving = (leaveAfterMs: number, times: number, atOnce: number): Options => ({
  times,
  atOnce,
  manner: { leaveAfterMs },
});

/** What a row sends, and the options of this row. A number: how many requests, all at once. */
type Row<T> = Each<T> | readonly [Each<T>, Options | number];

/** One attack for each row of a table. @param make makes the bytes of a row when they are sent */
export function attacks<T extends object | string>(
  make: (given: T) => Buffer,
  rows: Readonly<Record<string, Row<NoInfer<T>>>>,
  shared: Options = {},
): Attack[] {
  return Object.entries(rows).map(([name, row]) => {
    const [given, own] = Array.isArray(row) ? (row as [Each<T>, Options | number]) : [row as Each<T>, {}];
    const options = { ...shared, ...(typeof own === 'number' ? { times: own, atOnce: own } : own) };
    return attack(name, (n) => make(typeof given === 'function' ? given(n) : given), options);
  });
}

type Table<T> = (rows: Readonly<Record<string, Row<T>>>, shared?: Options) => Attack[];

/** Requests of the other faces. */
export const http: Table<RequestParts> = (rows, shared) =>
  attacks(requestBytes, rows, { expect: 'http', ...shared });

/** GET requests of the other faces. */
export const gets: Table<string> = (rows, shared) =>
  attacks((target: string) => requestBytes({ target }), rows, { expect: 'http', ...shared });

/** Bytes as they are, in Latin-1: most are hardly HTTP. */
export const raw: Table<string | Buffer> = (rows, shared) =>
  attacks<string | Buffer>((bytes) => Buffer.from(bytes as string, 'latin1'), rows, {
    expect: 'cut',
    ...shared,
  });

/** POSTs of an operation, or of any body with the type of JSON. */
export const posts: Table<string | Operation> = (rows, shared) =>
  attacks<string | Operation>(graphqlBytes, rows, shared);

/** POSTs of a document without variables. */
export const queries: Table<string> = (rows, shared) =>
  attacks((query: string) => graphqlBytes({ query }), rows, shared);

/** The size that the search begins with, and the operation of a size. */
export type Largest = readonly [maxSize: number, params: (size: number) => Operation];

/**
 * Operations as large as the gateway allows: `maxSize` is halved until it is not refused, then played five at once.
 * A price that leaves something out shows here, whatever the prices are.
 */
export const largest = (rows: Readonly<Record<string, Largest>>): Attack[] =>
  Object.entries(rows).map(([name, [maxSize, params]]) => ({
    ...attack(`as large as allowed: ${name}`, Buffer.alloc(0), { times: 5, maxSize }),
    bytes: (_, size) => graphqlBytes(params(size)),
  }));

// A sum: small requests in parallel, each of which is allowed. A row is a face, an input and how many at once.

/** Requests wait for their admission until the operation's deadline. */
const SUM_LIMIT_MS = 40_000;

/** From few requests, which are all admitted, to many, which have to wait. */
export const PARALLEL: readonly number[] = [50, 150, 300];

export interface SumOptions extends Options {
  readonly at?: readonly number[];
}

/** A function makes another request each time. */
export type SumBytes = Each<Buffer>;

/** One attack for each number of requests in parallel. */
export const sums = (
  rows: Readonly<Record<string, readonly [SumBytes, (SumOptions | undefined)?]>>,
): Attack[] =>
  Object.entries(rows).flatMap(([name, [bytes, { at = PARALLEL, ...options } = {}]]) =>
    at.map((times) =>
      attack(`sum: ${name} ×${times}`, bytes, { times, expect: 'shed', limitMs: SUM_LIMIT_MS, ...options }),
    ),
  );

let lists = 0;

/** Names that no request has named before, and that the directory treats as their temper says. */
export function cold(count: number, temper: Temper | 'agencies' = 'ordinary'): string[] {
  lists += 1;
  return list(count, (n) => `10.5555/${temper}-${lists}-${n}`);
}

/** Short names, so that a request line holds many. */
export function coldDoiRa(count: number): string {
  lists += 1;
  return `/doiRA/${list(count, (n) => `10.5/${lists}-${n}`).join(',')}`;
}
