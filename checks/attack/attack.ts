// The description of an attack, and functions that turn tables into attacks.

import type { Behaviour } from '../../bench/directory-process.ts';
import { graphqlBytes, type RequestParts, requestBytes } from '../../bench/http-bytes.ts';
import { list, type Operation } from './requests.ts';

/** How the client writes the request and reads the response. By default it does both as fast as possible. */
export interface Manner {
  /** The client writes one piece of the request in each interval. */
  readonly write?: { readonly pieceBytes: number; readonly everyMs: number };
  /** `nothing`: the client never reads. Otherwise it reads the socket once in each interval. */
  readonly read?: 'nothing' | { readonly everyMs: number };
  /** The client's address, in 127.0.0.0/8; `many`: a new address for each connection. Default: that of the honest client `kept`. */
  readonly from?: string;
  /** The client closes the connection after this time, with or without a response. */
  readonly leaveAfterMs?: number;
  /** the number of responses that the client waits for, if it sends several HTTP requests in one write; default: one */
  readonly responses?: number;
}

export interface Attack extends Manner {
  readonly name: string;
  /**
   * `embedded`: a gateway with all records in memory. `live`: a gateway that sends look-ups to a directory.
   * `jobs`: like `live`, with a queue of jobs.
   */
  readonly gateway: 'embedded' | 'live' | 'jobs';
  /** the number of requests */
  readonly requests: number;
  /** the number of requests that run at the same time, each on its own connection; a response starts the next request */
  readonly atOnce: number;
  /**
   * The expected outcomes. Any other outcome is a fault.
   * `graphql`: every response is JSON, and a refusal has a code. `http`: any status below 500, or 501 to 505.
   * `cut`: like `http`, and the connection may also end without a response. `success`: 200 or 201, and no errors.
   * `shed`: like `http`, but a 503 has the code GATEWAY_BUSY. A connection ends only after the head of its response.
   */
  readonly expect: 'graphql' | 'http' | 'cut' | 'success' | 'shed';
  /** The time limit of each request. Also, no request starts later than this after the first request. */
  readonly limitMs: number;
  /** A longer response is a fault. */
  readonly maxResponseBytes: number;
  /** The size at which the search for the largest allowed request begins; null: the attack has one size. */
  readonly maxSize: number | null;
  /** Attacks of one group run at the same time and are measured as one. */
  readonly group: string | null;
  /** Prepares the gateway for the requests; for example, registers a query. */
  prepare?(port: number): Promise<void>;
  /** Deletes what the requests created, such as jobs. @param created the `Location` fields of the responses */
  clean?(port: number, created: readonly string[]): Promise<void>;
  /** Returns the n-th request. @param size of a request of an attack with a `maxSize` */
  bytes(n: number, size: number): Buffer;
}

export type Options = Partial<Omit<Attack, 'name' | 'bytes'>>;

/** Options, or only the number of requests. All requests run at the same time, unless the load has `atOnce`. */
type Load = number | Options;

/** One value for all requests, or a function that makes the value for the n-th request. */
export type Each<T> = T | ((n: number) => T);

/** Options of later loads replace those of earlier loads. */
function attack(name: string, bytes: Attack['bytes'], ...loads: readonly Load[]): Attack {
  const options = loads.map((load): Options => {
    const { requests, ...others } = typeof load === 'number' ? { requests: load } : load;
    return requests === undefined ? others : { requests, atOnce: requests, ...others };
  });
  const defaults: Attack = {
    name,
    bytes,
    gateway: 'embedded',
    requests: 1,
    atOnce: 1,
    expect: 'graphql',
    limitMs: 6_000,
    maxResponseBytes: Number.POSITIVE_INFINITY,
    maxSize: null,
    group: null,
  };
  return Object.assign(defaults, ...options);
}

/** Requests of which ten run at the same time. */
export const tenAtOnce = (requests: number): Options => ({ requests, atOnce: 10 });

/** For each attack: what it sends, or that and its load. */
type Rows<T, L = Load> = Readonly<Record<string, Each<T> | readonly [sent: Each<T>, load: L]>>;

/** Returns the name, the function for the n-th value, and the load of each row. */
function readRows<T, L>(rows: Rows<T, L>, noLoad: L) {
  return Object.entries(rows).map(([name, row]) => {
    const [sent, load] = (Array.isArray(row) ? row : [row, noLoad]) as [Each<T>, L];
    const isNewEachTime = typeof sent === 'function';
    const nth = isNewEachTime ? (sent as (n: number) => T) : (): T => sent;
    return { name, nth, load, isNewEachTime };
  });
}

/** Returns one attack for each row of a table. @param make makes the bytes of a request just before it is sent */
export const attacks =
  <T extends object | string>(make: (sent: T) => Buffer, common: Load = {}) =>
  (rows: Rows<T>, shared: Load = {}): Attack[] =>
    readRows<T, Load>(rows, {}).map(({ name, nth, load }) =>
      attack(name, (n) => make(nth(n)), common, shared, load),
    );

/** Requests to endpoints other than `/graphql`. */
export const http = attacks<RequestParts>(requestBytes, { expect: 'http' });

/** GET requests to endpoints other than `/graphql`. */
export const gets = attacks((target: string) => requestBytes({ target }), { expect: 'http' });

/** Requests to `/graphql`, as bytes. */
export const requests = attacks((bytes: Buffer) => bytes);

/** Bytes that are sent unchanged, in Latin-1. Most are not valid HTTP. */
export const raw = attacks((bytes: string | Buffer) => Buffer.from(bytes as string, 'latin1'), {
  expect: 'cut',
});

/** POST requests with an operation, or with any body that claims to be JSON. */
export const posts = attacks<string | Operation>(graphqlBytes);

/** POST requests with a document and no variables. */
export const queries = attacks((query: string) => graphqlBytes({ query }));

/** The size at which the search begins, and a function that makes the operation of a size. */
export type Largest = readonly [maxSize: number, operation: (size: number) => Operation];
export const upTo = (...row: Largest): Largest => row;

/**
 * Operations as large as the gateway allows. A search halves `maxSize` until the gateway accepts the operation; then
 * the attack sends five at once. If the price of an operation leaves out a cost, the attack shows it.
 */
export const largest = (rows: Readonly<Record<string, Largest>>): Attack[] =>
  Object.entries(rows).map(([name, [maxSize, operation]]) =>
    attack(`as large as allowed: ${name}`, (_, size) => graphqlBytes(operation(size)), 5, { maxSize }),
  );

// Attacks with the label `sum:` send many small requests in parallel. The gateway allows each of them alone.

/** A request may wait until the operation's deadline before the gateway starts it. */
const PARALLEL: Options = { expect: 'shed', limitMs: 40_000 };

export interface ParallelOptions extends Omit<Options, 'requests'> {
  /** One attack for each number. Default: from few requests, which all start at once, to many, some of which must wait. */
  readonly requestCounts?: readonly number[];
}

/**
 * Returns one attack for each row and each number of requests. Requests that are new each time have uncached names, so
 * their gateway is `live`.
 */
export const parallel = (rows: Rows<Buffer, ParallelOptions>): Attack[] =>
  readRows(rows, {}).flatMap(({ name, nth, isNewEachTime, load }) => {
    const { requestCounts = [50, 150, 300], ...options } = load;
    const gateway = isNewEachTime ? 'live' : 'embedded';
    return requestCounts.map((count) =>
      attack(`sum: ${name} ×${count}`, nth, PARALLEL, count, { gateway, ...options }),
    );
  });

let lists = 0;

/** Names that are in no earlier request, so no cache has them. The start of a suffix selects the directory's behaviour. */
export function uncachedNames(count: number, behaviour: Behaviour | 'agencies' = 'ordinary'): string[] {
  lists += 1;
  return list(count, (n) => `10.5555/${behaviour}-${lists}-${n}`);
}

/** The target of a request for the agencies of uncached names, which are short: a request line holds many of them. */
export function uncachedDoiRa(count: number): string {
  lists += 1;
  return `/doiRA/${list(count, (n) => `10.5/${lists}-${n}`).join(',')}`;
}
