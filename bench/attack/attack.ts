// What an attack is: one entry of a table.

import type { Temper } from '../directory-process.ts';
import { graphqlBytes, type RequestParts, requestBytes } from '../http-bytes.ts';
import { list, type Operation } from './requests.ts';

/** How the bytes go out and the answer comes in. Left out: both as fast as it goes. */
export interface Manner {
  /** Writes a piece at a time. */
  readonly write?: { readonly pieceBytes: number; readonly everyMs: number };
  /** `nothing`: never reads; else one read of the socket every so often. */
  readonly read?: 'nothing' | { readonly everyMs: number };
  /** The client's address, of 127.0.0.0/8; `many`: another for each connection. Left out: the honest client's. */
  readonly from?: string;
  /** Closes the connection then, answered or not. */
  readonly leaveAfterMs?: number;
  /** how many answers the bytes ask for, when not one */
  readonly answers?: number;
}

export interface Attack {
  readonly name: string;
  /** which gateway it goes to: with its records in memory, before a directory, or with a queue of jobs */
  readonly gateway: GatewayName;
  /** requests in all */
  readonly times: number;
  /** connections that send them, each the next when it has its answer */
  readonly atOnce: number;
  readonly manner: Manner;
  /**
   * `graphql`: every answer is JSON, a refusal has a code. `http`: any answer below 500, or 503.
   * `cut`: the connection may also be closed without an answer. `allowed`: 200, and no errors.
   * `shed`: any answer below 500, or 503 as GATEWAY_BUSY; a connection is closed only after the head of its answer.
   */
  readonly expect: 'graphql' | 'http' | 'cut' | 'allowed' | 'shed';
  /** of one request; no request begins later than that */
  readonly limitMs: number;
  /** of one answer */
  readonly maxAnswerBytes: number;
  /** For an attack that is as large as the gateway allows: what the search begins with. */
  readonly maxSize: number | null;
  /** Attacks of one group are played beside each other, and measured as one. */
  readonly group: string | null;
  /** what the requests need, such as a registered query */
  prepare?(port: number): Promise<void>;
  /** Takes away what the requests made. @param made the `Location` of each response that had one */
  clean?(port: number, made: readonly string[]): Promise<void>;
  bytes(n: number, size: number): Buffer;
}

export type GatewayName = 'embedded' | 'live' | 'jobs';

export type Options = Partial<Omit<Attack, 'name' | 'bytes'>>;

const LIMIT_MS = 6_000;

type Of<T> = T | ((n: number) => T);

export function attack(name: string, bytes: Of<Buffer>, options: Options = {}): Attack {
  return {
    name,
    gateway: 'embedded',
    times: 1,
    atOnce: options.times ?? 1,
    manner: {},
    expect: 'graphql',
    limitMs: LIMIT_MS,
    maxAnswerBytes: Number.POSITIVE_INFINITY,
    maxSize: null,
    group: null,
    ...options,
    bytes: (n) => (typeof bytes === 'function' ? bytes(n) : bytes),
  };
}

/** What is sent, and options of this row alone. A number: how many requests, all at once. */
type Row<T> = Of<T> | readonly [Of<T>, Options | number];

/** One attack for each row of a table. @param make the bytes of what a row says, made when they are sent */
export function attacks<T extends object | string>(
  make: (given: T) => Buffer,
  rows: Readonly<Record<string, Row<NoInfer<T>>>>,
  shared: Options = {},
): Attack[] {
  return Object.entries(rows).map(([name, row]) => {
    const [given, own] = Array.isArray(row) ? (row as [Of<T>, Options | number]) : [row as Of<T>, {}];
    const options = { ...shared, ...(typeof own === 'number' ? { times: own, atOnce: own } : own) };
    return attack(name, (n) => make(typeof given === 'function' ? given(n) : given), options);
  });
}

/** Requests of the other faces. */
export const http = (rows: Readonly<Record<string, Row<RequestParts>>>, shared?: Options): Attack[] =>
  attacks(requestBytes, rows, { expect: 'http', ...shared });

/** The same, of a target alone. */
export const gets = (rows: Readonly<Record<string, Row<string>>>, shared?: Options): Attack[] =>
  attacks((target: string) => requestBytes({ target }), rows, { expect: 'http', ...shared });

/** Bytes that are hardly HTTP. */
export const raw = (rows: Readonly<Record<string, Row<string>>>, shared?: Options): Attack[] =>
  attacks((text: string) => Buffer.from(text, 'latin1'), rows, { expect: 'cut', ...shared });

/** POSTs of an operation, or of any body that says it is JSON. */
export const posts = (rows: Readonly<Record<string, Row<string | Operation>>>, shared?: Options): Attack[] =>
  attacks<string | Operation>(graphqlBytes, rows, shared);

/**
 * As large as the gateway allows: `maxSize` is halved until it is not refused, then played five at once. So a
 * price that leaves something out shows, whatever the prices are.
 */
export function largest(
  name: string,
  maxSize: number,
  params: (size: number) => Operation,
  options?: Options,
): Attack {
  return {
    ...attack(`as large as allowed: ${name}`, Buffer.alloc(0), { times: 5, ...options }),
    maxSize,
    bytes: (_, size) => graphqlBytes(params(size)),
  };
}

// A sum: small requests, each of them allowed, in parallel. One row is a face, an input and how many at once.

/** Requests wait for their admission until the operation's deadline. */
const SUM_LIMIT_MS = 40_000;

/** From few requests that are all admitted to many that have to wait. */
export const PARALLEL: readonly number[] = [50, 150, 300];

export interface SumOptions extends Options {
  readonly at?: readonly number[];
}

/** A function: another request each time. */
export type SumBytes = Buffer | ((n: number) => Buffer);

/** One row for each number of requests in parallel. */
export function sums(
  name: string,
  bytes: SumBytes,
  { at = PARALLEL, ...options }: SumOptions = {},
): Attack[] {
  return at.map((times) =>
    attack(`sum: ${name} ×${times}`, bytes, { times, expect: 'shed', limitMs: SUM_LIMIT_MS, ...options }),
  );
}

/** The sums of a table. */
export const sumTable = (rows: Readonly<Record<string, readonly [SumBytes, SumOptions?]>>): Attack[] =>
  Object.entries(rows).flatMap(([name, [bytes, options]]) => sums(name, bytes, options));

let lists = 0;

/** Names that no request has named before, which the directory treats as their temper says. */
export function cold(count: number, temper: Temper | 'agencies' = 'ordinary'): string[] {
  lists += 1;
  return list(count, (n) => `10.5555/${temper}-${lists}-${n}`);
}

/** As many as a request line holds: their names are short. */
export function coldDoiRa(count: number): string {
  lists += 1;
  return `/doiRA/${list(count, (n) => `10.5/${lists}-${n}`).join(',')}`;
}
