// A listening gateway under attack. Its errors are clear, it logs no error, and it
// still responds to normal queries.

import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { ERROR_KINDS, isErrorCode } from '../../src/errors.ts';
import type { Log } from '../../src/log.ts';
import { graphqlResult, post, type ReceivedResponse, type SentRequest } from '../http/exchange.ts';
import { createFakeDirectory, urlValue } from '../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../support/gateway.ts';

export interface HostileGateway {
  /** `http://127.0.0.1:…` */
  readonly url: string;
  /** POSTs any body as JSON. */
  send(
    body: NonNullable<SentRequest['body']>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ReceivedResponse>;
  query(text: string, variables?: unknown, operationName?: string): Promise<ReceivedResponse>;
}

/** Starts a gateway for a test file. After each test it must have logged no error, and respond to a normal query. */
export function useHostileGateway(): HostileGateway {
  let gateway: ListeningGateway;
  const logged: unknown[] = [];
  const log: Log = { debug() {}, info() {}, warn() {}, error: (entry: unknown) => void logged.push(entry) };
  const records = { '10.5555/1': [urlValue('https://example.org/')] };
  const send: HostileGateway['send'] = (body, headers) => post(gateway, body, headers);
  const query: HostileGateway['query'] = (text, variables, operationName) =>
    send(JSON.stringify({ query: text, variables, operationName }));

  beforeAll(async () => {
    gateway = await startGateway({ directory: createFakeDirectory({ records }), log });
  });

  afterEach(async () => {
    const { status, text } = await query('{ doi(input: "10.5555/1") { name exists } }');
    expect([status, text]).toEqual([200, '{"data":{"doi":{"name":"10.5555/1","exists":true}}}']);
    expect(logged.splice(0)).toEqual([]);
  });

  afterAll(() => gateway.close());

  return {
    get url() {
      return gateway.url;
    },
    send,
    query,
  };
}

const LONGEST_MESSAGE = 1_000;
const INTERNALS =
  /node_modules|node:|\bat \S+ \(|\/src\/|undefined|NaN|\[object |\b\w*(?:Type|Range|Reference)Error\b|Cannot read|call stack|ECONN/;

/** The codes of the errors in a response. Checks that people and programs can understand each error. */
export function clearCodes(response: ReceivedResponse): unknown[] {
  expect(response.status, response.text.slice(0, 500)).toBeLessThan(500);
  const { errors = [], ...rest } = graphqlResult(response);
  if (errors.length === 0) expect(rest.data).toBeDefined();
  const kinds = new Set<unknown>();
  for (const { message, extensions } of errors) {
    const { code, retryable } = extensions;
    kinds.add(code);
    if (!isErrorCode(code)) throw new Error(`"${message}" has the code ${String(code)}`);
    expect(retryable).toBe(ERROR_KINDS[code].retryable);
    expect(message).toMatch(/^["A-Z].{8,}/s);
    expect(message).not.toMatch(INTERNALS);
    expect(message.length, `${message.slice(0, 100)}…`).toBeLessThanOrEqual(LONGEST_MESSAGE);
  }
  return [...kinds];
}

export const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

/** `open` and `close` are repeated `depth` times around `inner`. */
export const nested = (depth: number, open: string, inner: string, close: string): string =>
  open.repeat(depth) + inner + close.repeat(depth);
