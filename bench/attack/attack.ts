// The description of an attack, and functions that turn tables into attacks.

import type { Behaviour } from '../directory-process.ts';
import { graphqlBytes, type RequestParts, requestBytes } from '../http-bytes.ts';
import { list, type Operation } from './requests.ts';

/** How the client writes the request and reads the response. By default it does both as fast as possible. */
export interface Manner {
  /** The client writes one piece of the request in each interval. */
  readonly write?: { readonly pieceBytes: number; readonly everyMs: number };
  /** `nothing`: the client never reads. Otherwise it reads the socket once in each interval. */
  readonly read?: 'nothing' | { readonly everyMs: number };
  /** The client's address, in 127.0.0.0/8; `many`: a new address for each connection. Default: the honest client's. */
  readonly from?: string;
  /** The client closes the connection after this time, with or without a response. */
  readonly leaveAfterMs?: number;
  /** the number of responses that the client waits for, if it sends several HTTP requests in one write; default: one */
  readonly responses?: number;
}

export interface Attack {
  readonly name: string;
  readonly gateway: GatewayName;
  /** the number of requests */
  readonly requests: number;
  /** the number of requests that run at the same time, each on its own connection; a response starts the next request */
  readonly atOnce: number;
  readonly manner: Manner;
  /**
   * The expected outcomes. Any other outcome is a fault.
   * `graphql`: every response is JSON, and a refusal has a code. `http`: any status below 500, or 501 to 505.
   * `cut`: like `http`, and the connection may also end without a response. `success`: 200, and no errors.
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

/**
 * `embedded`: a gateway with all records in memory. `live`: a gateway that sends look-ups to a directory.
 * `jobs`: like `live`, with a queue of jobs.
 */
export type GatewayName = 'embedded' | 'live' | 'jobs';

export type Options = Partial<Omit<Attack, 'name' | 'bytes'>>;

/** One value for all requests, or a function that makes the value for the n-th request. */
type Each<T> = T | ((n: number) => T);

export function attack(name: string, bytes: Each<Buffer>, options: Options = {}): Attack {
  return {
    name,
    gateway: 'embedded',
    requests: 1,
    atOnce: options.requests ?? 1,
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

/** Requests that all run at the same time. */
export const allAtOnce = (requests: number): Options => ({ requests, atOnce: requests });
/** Requests of which ten run at the same time. */
export const tenAtOnce = (requests: number): Options => ({ requests, atOnce: 10 });

/** Clients that close the connection after `afterMs`, usually before the response is complete. */
export const leaving = ({ afterMs, ...counts }: Leaving): Options => ({
  ...counts,
  manner: { leaveAfterMs: afterMs },
});
type Leaving = Readonly<Record<'afterMs' | 'requests' | 'atOnce', number>>;

/** What a row sends, alone or with the row's options. */
type Row<T> = Each<T> | readonly [sent: Each<T>, options: Options];

/** Returns one attack for each row of a table. @param make makes the bytes of a request just before it is sent */
export function attacks<T extends object | string>(
  make: (given: T) => Buffer,
  rows: Readonly<Record<string, Row<NoInfer<T>>>>,
  shared: Options = {},
): Attack[] {
  return Object.entries(rows).map(([name, row]) => {
    const [given, rowOptions] = Array.isArray(row) ? (row as [Each<T>, Options]) : [row as Each<T>, {}];
    const options = { ...shared, ...rowOptions };
    return attack(name, (n) => make(typeof given === 'function' ? given(n) : given), options);
  });
}

type Table<T> = (rows: Readonly<Record<string, Row<T>>>, shared?: Options) => Attack[];

/** Requests to endpoints other than `/graphql`. */
export const http: Table<RequestParts> = (rows, shared) =>
  attacks(requestBytes, rows, { expect: 'http', ...shared });

/** GET requests to endpoints other than `/graphql`. */
export const gets: Table<string> = (rows, shared) =>
  attacks((target: string) => requestBytes({ target }), rows, { expect: 'http', ...shared });

/** Bytes that are sent unchanged, in Latin-1. Most are not valid HTTP. */
export const raw: Table<string | Buffer> = (rows, shared) =>
  attacks<string | Buffer>((bytes) => Buffer.from(bytes as string, 'latin1'), rows, {
    expect: 'cut',
    ...shared,
  });

/** POST requests with an operation, or with any body that claims to be JSON. */
export const posts: Table<string | Operation> = (rows, shared) =>
  attacks<string | Operation>(graphqlBytes, rows, shared);

/** POST requests with a document and no variables. */
export const queries: Table<string> = (rows, shared) =>
  attacks((query: string) => graphqlBytes({ query }), rows, shared);

/** The size at which the search begins, and a function that makes the operation of a size. */
export type Largest = readonly [maxSize: number, params: (size: number) => Operation];

/**
 * Operations as large as the gateway allows. A search halves `maxSize` until the gateway accepts the operation; then
 * the attack sends five at once. If the price of an operation leaves out a cost, the attack shows it.
 */
export const largest = (rows: Readonly<Record<string, Largest>>): Attack[] =>
  Object.entries(rows).map(([name, [maxSize, params]]) => ({
    ...attack(`as large as allowed: ${name}`, Buffer.alloc(0), { requests: 5, maxSize }),
    bytes: (_, size) => graphqlBytes(params(size)),
  }));

// Attacks with the label `sum:` send many small requests in parallel. The gateway allows each of them alone.

/** A request may wait until the operation's deadline before the gateway starts it. */
const PARALLEL_LIMIT_MS = 40_000;

/** From few requests, which the gateway starts at once, to many, some of which must wait. */
export const REQUEST_COUNTS: readonly number[] = [50, 150, 300];

export interface ParallelOptions extends Omit<Options, 'requests'> {
  /** One attack for each number. All its requests run at the same time, unless `atOnce` is smaller. */
  readonly requestCounts?: readonly number[];
}

/** One request for all, or a function that makes a new request each time. */
export type ParallelBytes = Each<Buffer>;

/** Returns one attack for each row and each number of requests. */
export const parallel = (
  rows: Readonly<Record<string, readonly [bytes: ParallelBytes, options?: ParallelOptions | undefined]>>,
): Attack[] =>
  Object.entries(rows).flatMap(([name, [bytes, { requestCounts = REQUEST_COUNTS, ...options } = {}]]) =>
    requestCounts.map((requests) =>
      attack(`sum: ${name} ×${requests}`, bytes, {
        requests,
        expect: 'shed',
        limitMs: PARALLEL_LIMIT_MS,
        ...options,
      }),
    ),
  );

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
