// Plain fetch and TanStack Query, as docs/clients.md shows them: an invalid row does not affect other rows.

import { readFileSync } from 'node:fs';
import { type FetchQueryOptions, QueryClient } from '@tanstack/query-core';
import DataLoader from 'dataloader';
import type { HandleName } from 'doi-names';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { AppParts } from '../../src/app.ts';
import { GatewayError } from '../../src/errors.ts';
import { createRecord } from '../../src/handle/record.ts';
import { SUCCESS } from '../../src/handle/response-codes.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { createTestGateway, type GraphqlError } from '../support/gateway.ts';
import { runShown, shownBlock } from './shown-code.ts';

const DAY_MS = 86_400_000;

interface Row {
  readonly input: string;
  readonly doi: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly GraphqlError[];
}

/** The shown code, and a gateway that finds 10.1000/later at the second attempt and never 10.1000/down. */
async function start(limits: AppParts['limits'] = {}) {
  let attempts = 0;
  const later = async (handle: HandleName) => {
    attempts += 1;
    if (attempts === 1) throw new GatewayError('UPSTREAM_TIMEOUT');
    return createRecord({ responseCode: SUCCESS, handle, values: [], fetchedAt: Date.now() });
  };
  const directory = createFakeDirectory({
    now: Date.now,
    records: { '10.1000/later': later, '10.1000/down': new GatewayError('UPSTREAM_TIMEOUT') },
  });
  const gateway = await createTestGateway({ directory, limits });
  onTestFinished(gateway.close);
  const requests: string[][] = [];
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    expect(url).toBe('http://localhost:4000/graphql');
    requests.push((JSON.parse(String(init.body)) as { variables: { inputs: string[] } }).variables.inputs);
    return gateway.app.fetch(new Request(url, init));
  });
  const lookUp = runShown<{ lookUp(inputs: readonly string[]): Promise<Row[]> }>('## Plain fetch', {});
  const { doiQuery } = runShown<{ doiQuery(input: string): FetchQueryOptions<unknown, Error> }>(
    '### TanStack Query',
    { dataloader: DataLoader, './look-up': lookUp },
  );
  const client = new QueryClient();
  onTestFinished(() => client.clear());
  const fetchRow = (input: string) => client.fetchQuery({ ...doiQuery(input), retryDelay: 0 });
  return { ...lookUp, doiQuery, fetchRow, requests };
}

test('plain fetch joins each error to its row', async () => {
  const { lookUp } = await start();
  const rows = await lookUp(['10.1000/182', '10.1000/', '10.1000/down']);
  expect(
    rows.map(({ input, doi, errors }) => [input, doi?.['name'], errors.map((e) => e.extensions['code'])]),
  ).toEqual([
    ['10.1000/182', '10.1000/182', []],
    ['10.1000/', undefined, ['INVALID_DOI']],
    ['10.1000/down', '10.1000/down', ['UPSTREAM_TIMEOUT', 'UPSTREAM_TIMEOUT']],
  ]);
});

test('plain fetch gives an error of the whole request to each row', async () => {
  const { lookUp } = await start({ complexity: 10 });
  const rows = await lookUp(['10.1000/1', '10.1000/2']);
  const errors = [{ extensions: { code: 'LIMIT_EXCEEDED' } }];
  expect(rows).toMatchObject([
    { input: '10.1000/1', doi: null, errors },
    { input: '10.1000/2', doi: null, errors },
  ]);
});

test('TanStack Query sends the rows of one tick in one request, and retries only retryable errors', async () => {
  const { fetchRow, requests } = await start();
  const inputs = ['10.1000/182', '10.1000/', '10.1000/later', '10.1000/down'];
  const rows = await Promise.allSettled(inputs.map(fetchRow));
  expect(rows).toMatchObject([
    { value: { name: '10.1000/182', exists: false } },
    { reason: { code: 'INVALID_DOI', retryable: false } },
    { value: { name: '10.1000/later', exists: true } },
    { reason: { code: 'UPSTREAM_TIMEOUT', retryable: true } },
  ]);
  expect(requests[0]).toEqual(inputs);
  const attempts = (input: string) => requests.flat().filter((one) => one === input).length;
  expect(inputs.map(attempts)).toEqual([1, 1, 2, 4]);
});

test('TanStack Query keeps a row while its record is fresh', async () => {
  const { fetchRow, requests } = await start();
  await fetchRow('10.1000/182');
  await fetchRow('10.1000/182');
  expect(requests).toHaveLength(1);
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + DAY_MS);
  await fetchRow('10.1000/182');
  expect(requests).toHaveLength(2);
});

test('TanStack Query waits for `retryAfterSeconds` before a retry', async () => {
  const { doiQuery } = await start();
  const { retryDelay } = doiQuery('10.1000/182');
  const delay = retryDelay as (failures: number, error: object) => number;
  expect([delay(0, { retryAfterSeconds: 7 }), delay(0, {}), delay(2, {})]).toEqual([7_000, 1_000, 4_000]);
});

test('typed documents are set up as in examples/front-end', () => {
  const file = new URL('../../examples/front-end/src/graphql.ts', import.meta.url);
  expect(shownBlock('### Typed documents', 'ts')).toBe(readFileSync(file, 'utf8'));
});
