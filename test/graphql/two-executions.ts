// Two gateways over one directory: one executes by itself, for the other graphql-js and Yoga do. What they say is compared.

import { expect, onTestFinished } from 'vitest';
import type { AppParts } from '../../src/app.ts';
import type { Environment } from '../../src/config.ts';
import { NOW } from '../support/fake-directory.ts';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';

export const EXECUTIONS = [
  ['by the gateway itself', false],
  ['by graphql-js', true],
] as const;

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** behind the `?` */
  readonly query?: string;
  readonly body?: string | null;
}

/** What has to be the same. */
export interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | null>>;
  /** as it was sent, with the errors in an order of their own */
  readonly body: string;
}

const HEADERS = ['content-type', 'cache-control', 'vary', 'etag', 'allow', 'retry-after', 'content-length'];

export interface TwoGateways {
  readonly direct: TestGateway;
  readonly viaYoga: TestGateway;
  /** Asks the first twice, so that it may remember items, and the second once; expects them to say the same, and gives it. */
  compare(asked: Asked): Promise<Told>;
  /** The same for a query of POST. */
  compareQuery(query: string, variables?: unknown, more?: Readonly<Record<string, unknown>>): Promise<Told>;
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
  const compare = async (asked: Asked): Promise<Told> => {
    const first = await tell(direct, asked, inOrder);
    const again = await tell(direct, asked, inOrder);
    const other = await tell(viaYoga, asked, inOrder);
    expectSame(again, first, 'when it is asked again', asked);
    expectSame(other, first, 'by graphql-js', asked);
    return first;
  };
  return { direct, viaYoga, compare, compareQuery: (...asked) => compare(posted(...asked)) };
}

export function posted(
  query: string,
  variables?: unknown,
  more: Readonly<Record<string, unknown>> = {},
): Asked {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables, ...more }),
  };
}

/** The place where two answers part: both may be megabytes. */
function expectSame(told: Told, expected: Told, how: string, asked: Asked): void {
  const [a, b] = [JSON.stringify(told), JSON.stringify(expected)];
  if (a === b) return;
  let at = 0;
  while (a[at] === b[at]) at += 1;
  const [from, to] = [Math.max(0, at - 200), at + 400];
  expect(a.slice(from, to), `${how}: ${JSON.stringify(asked).slice(0, 1_500)}`).toBe(b.slice(from, to));
}

async function tell({ app }: TestGateway, asked: Asked, inOrder: boolean): Promise<Told> {
  const { method = 'GET', headers = {}, query = '', body = null } = asked;
  const url = `http://gateway.test/graphql${query === '' ? '' : `?${query}`}`;
  const response = await app.fetch(new Request(url, { method, headers, body: body === '' ? null : body }));
  const { status } = response;
  const text = await response.text();
  const told = Object.fromEntries(HEADERS.map((name) => [name, response.headers.get(name)]));
  if (/^(?:multipart|text\/event-stream)/.test(told['content-type'] ?? '')) {
    return { status, headers: told, body: togetherFrom(text) };
  }
  // How long the bytes are depends on how much had been begun.
  const { 'content-length': length = null, ...rest } = told;
  const isNothing = text.endsWith('"data":null}');
  const counted = { ...rest, 'content-length': isNothing ? null : length };
  return { status, headers: counted, body: inOrder ? text : withSortedErrors(text) };
}

interface Part {
  readonly data?: unknown;
  readonly errors?: readonly unknown[];
  readonly incremental?: readonly object[];
  readonly hasNext?: boolean;
}

/** What came in parts, however it was divided. */
function togetherFrom(text: string): string {
  const parts = [...text.matchAll(/^(?:data: )?(\{.*\})$/gm)].map(
    ([, json]) => JSON.parse(json ?? '') as Part,
  );
  const increments = parts.flatMap(({ incremental = [] }) => incremental.map((one) => JSON.stringify(one)));
  const errors = parts.flatMap((part) => part.errors ?? []).map((error) => JSON.stringify(error));
  return JSON.stringify([parts[0]?.data, increments.sort(), errors.sort(), parts.at(-1)?.hasNext]);
}

/**
 * The same bytes, but errors in an order that does not depend on which look-up was answered first. Where all of the
 * data became null, what else had been begun is left out: a slice that is over may come in between.
 */
export function withSortedErrors(text: string): string {
  if (!text.startsWith('{"errors":')) return text;
  const whole = JSON.parse(text) as { errors: readonly { path?: readonly unknown[] }[]; data?: unknown };
  const told = whole.data === null ? whole.errors.filter(({ path }) => path?.length === 1) : whole.errors;
  const sorted = told.map((error) => JSON.stringify(error)).sort();
  return JSON.stringify({ ...whole, errors: sorted });
}
