// What an attack is: one entry of a table.

import { graphqlBytes, type RequestParts, requestBytes } from '../http-bytes.ts';

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

/** A POST of a query and its variables. */
export function post(name: string, query: Of<string>, variables?: unknown, options?: Options): Attack {
  const text = (n: number): string => (typeof query === 'function' ? query(n) : query);
  return attack(name, (n) => graphqlBytes({ query: text(n), variables }), options);
}

/**
 * As large as the gateway allows: `maxSize` is halved until it is not refused, then played five at once. So a
 * price that leaves something out shows, whatever the prices are.
 */
export function largest(
  name: string,
  maxSize: number,
  params: (size: number) => { readonly query: string; readonly variables?: unknown },
  options?: Options,
): Attack {
  return {
    ...attack(`as large as allowed: ${name}`, Buffer.alloc(0), { times: 5, ...options }),
    maxSize,
    bytes: (_, size) => graphqlBytes(params(size)),
  };
}

/** A POST of any body that says it is JSON. */
export function postBody(name: string, body: Of<string>, options?: Options): Attack {
  return attack(name, (n) => graphqlBytes(typeof body === 'function' ? body(n) : body), options);
}

/** A request of one of the other faces. */
export function http(name: string, parts: Of<RequestParts>, options?: Options): Attack {
  const bytes = (n: number): Buffer => requestBytes(typeof parts === 'function' ? parts(n) : parts);
  return attack(name, bytes, { expect: 'http', ...options });
}

/** Bytes that are hardly HTTP. */
export function raw(name: string, text: Of<string>, options?: Options): Attack {
  const bytes = (n: number): Buffer => Buffer.from(typeof text === 'function' ? text(n) : text, 'latin1');
  return attack(name, bytes, { expect: 'cut', ...options });
}

export function list<T>(count: number, item: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => item(n));
}

export const times = (count: number, item: (n: number) => string, between = ' '): string =>
  list(count, item).join(between);
