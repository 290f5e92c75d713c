// Two gateways over one directory, whose responses must be equal: one uses its own executor, the other graphql-js and Yoga.

import { expect, onTestFinished } from 'vitest';
import type { AppParts } from '../../src/app.ts';
import type { Environment } from '../../src/config.ts';
import { NOW } from '../support/fake-directory.ts';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';

export const EXECUTIONS = [
  ['by the gateway itself', false],
  ['by graphql-js', true],
] as const;

export interface SentRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** after the `?` */
  readonly query?: string;
  readonly body?: string | null;
}

/** The parts of a response that must be equal. */
export interface ComparedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | null>>;
  /** with sorted errors */
  readonly body: string;
}

const HEADERS = ['content-type', 'cache-control', 'vary', 'etag', 'allow', 'retry-after', 'content-length'];

export interface TwoGateways {
  readonly direct: TestGateway;
  readonly viaYoga: TestGateway;
  /**
   * Expects three equal responses, and returns the first: two of the first gateway, which can use remembered items for the
   * second response, and one of the other gateway.
   */
  compare(request: SentRequest): Promise<ComparedResponse>;
  /** `compare` for a POST of this query. */
  compareQuery(
    query: string,
    variables?: unknown,
    members?: Readonly<Record<string, unknown>>,
  ): Promise<ComparedResponse>;
}

export async function createTwoGateways(
  parts: AppParts,
  env: Environment = {},
  { inOrder = false } = {},
): Promise<TwoGateways> {
  const frozen = { clock: () => NOW, random: () => 0.3, ...parts };
  const direct = await createTestGateway(frozen, env);
  const viaYoga = await createTestGateway({ ...frozen, yogaExecutesAll: true }, env);
  onTestFinished(async () => {
    await direct.close();
    await viaYoga.close();
  });
  const compare = async (request: SentRequest): Promise<ComparedResponse> => {
    const first = await send(direct, request, inOrder);
    const second = await send(direct, request, inOrder);
    const other = await send(viaYoga, request, inOrder);
    expectEqual(second, first, 'the second time', request);
    expectEqual(other, first, 'by graphql-js', request);
    return first;
  };
  return { direct, viaYoga, compare, compareQuery: (...query) => compare(posted(...query)) };
}

export function posted(
  query: string,
  variables?: unknown,
  members: Readonly<Record<string, unknown>> = {},
): SentRequest {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables, ...members }),
  };
}

/** Shows only the first difference, because a response can have megabytes. */
function expectEqual(
  response: ComparedResponse,
  expected: ComparedResponse,
  how: string,
  request: SentRequest,
): void {
  const [a, b] = [JSON.stringify(response), JSON.stringify(expected)];
  if (a === b) return;
  let at = 0;
  while (a[at] === b[at]) at += 1;
  const [from, to] = [Math.max(0, at - 200), at + 400];
  expect(a.slice(from, to), `${how}: ${JSON.stringify(request).slice(0, 1_500)}`).toBe(b.slice(from, to));
}

async function send({ app }: TestGateway, request: SentRequest, inOrder: boolean): Promise<ComparedResponse> {
  const { method = 'GET', headers = {}, query = '', body = null } = request;
  const url = `http://gateway.test/graphql${query === '' ? '' : `?${query}`}`;
  const response = await app.fetch(new Request(url, { method, headers, body: body === '' ? null : body }));
  const { status } = response;
  const text = await response.text();
  const compared = Object.fromEntries(HEADERS.map((name) => [name, response.headers.get(name)]));
  if (/^(?:multipart|text\/event-stream)/.test(compared['content-type'] ?? '')) {
    return { status, headers: compared, body: joinedParts(text) };
  }
  // Without data, the length depends on the errors of fields that had begun.
  if (text.endsWith('"data":null}')) compared['content-length'] = null;
  return { status, headers: compared, body: inOrder ? text : withSortedErrors(text) };
}

interface Part {
  readonly data?: unknown;
  readonly errors?: readonly unknown[];
  readonly incremental?: readonly object[];
  readonly hasNext?: boolean;
}

/** Joins all parts, so that the number of parts does not matter. */
function joinedParts(text: string): string {
  const parts = [...text.matchAll(/^(?:data: )?(\{.*\})$/gm)].map(
    ([, json]) => JSON.parse(json ?? '') as Part,
  );
  const increments = parts.flatMap(({ incremental = [] }) => incremental.map((one) => JSON.stringify(one)));
  const errors = parts.flatMap((part) => part.errors ?? []).map((error) => JSON.stringify(error));
  return JSON.stringify([parts[0]?.data, increments.sort(), errors.sort(), parts.at(-1)?.hasNext]);
}

/**
 * The bytes with sorted errors, because their order depends on the order of the answers. If all data are null, only the
 * errors of root fields stay, because other errors depend on what had begun.
 */
export function withSortedErrors(text: string): string {
  if (!text.startsWith('{"errors":')) return text;
  const whole = JSON.parse(text) as { errors: readonly { path?: readonly unknown[] }[]; data?: unknown };
  const kept = whole.data === null ? whole.errors.filter(({ path }) => path?.length === 1) : whole.errors;
  const sorted = kept.map((error) => JSON.stringify(error)).sort();
  return JSON.stringify({ ...whole, errors: sorted });
}
