// After its deadline an operation returns the data that it has, and DEADLINE_EXCEEDED for the rest. Its look-ups end.

import { request } from 'node:http';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Directory, WhichRaAnswer } from '../../src/directory/directory.ts';
import { createRecord, type HandleRecord } from '../../src/handle/record.ts';
import type { Log } from '../../src/log.ts';
import { memoryWith } from '../support/directory-memory.ts';
import { createFakeDirectory, NOW } from '../support/fake-directory.ts';
import { createTestGateway, type GraphqlResult, startGateway } from '../support/gateway.ts';
import { createMemoryDirectory } from '../support/memory-directory.ts';
import { settled } from '../support/virtual-clock.ts';
import { EXECUTIONS } from './two-executions.ts';

/** A directory that answers for names that begin with a `k`. All other look-ups wait for their abort. */
function createSlowDirectory() {
  const aborted: unknown[] = [];
  let signalLookUp = (): void => undefined;
  const lookedUp = new Promise<void>((resolve) => {
    signalLookUp = resolve;
  });
  let waiting = 0;
  const wait = (signal: AbortSignal | undefined) =>
    new Promise<never>((_resolve, reject) => {
      waiting += 1;
      signal?.addEventListener('abort', () => {
        aborted.push(signal.reason);
        reject(signal.reason);
      });
      signalLookUp();
    });
  const directory: Directory = {
    ...createFakeDirectory(),
    async resolve(handle, { signal } = {}): Promise<HandleRecord> {
      if (!handle.includes('/k')) return wait(signal);
      return createRecord({ responseCode: 1, handle, values: [], fetchedAt: NOW });
    },
    whichRa: (names, { signal } = {}) => names.map(async (): Promise<WhichRaAnswer> => wait(signal)),
  };
  return { directory, aborted, lookedUp, waiting: () => waiting };
}

function createErrorLog() {
  const logged: unknown[] = [];
  const log: Log = { debug() {}, info() {}, warn() {}, error: (entry: unknown) => void logged.push(entry) };
  return { log, logged };
}

const QUERY = `{
  dois(inputs: ["10.5555/known", "10.5555/slow", "bad", "10.5555/known.too"]) { name exists record { status } }
  agency: doi(input: "10.5555/known") { uri registrationAgency { name } }
  same: doiEquivalence(a: "10.5555/known", b: "10.5555/slow.too") { relation sameAliasTarget }
}`;

/** Time passes only when the test advances it, because on a busy machine the deadline could come before the work. */
const holdTime = () => vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });

afterEach(() => {
  vi.useRealTimers();
});

describe.each(EXECUTIONS)('executed %s', (_, yogaExecutesAll) => {
  test('an operation returns its data at the deadline, and an error at each missing field', async () => {
    const { directory, aborted, waiting } = createSlowDirectory();
    const { log, logged } = createErrorLog();
    const gateway = await createTestGateway(
      { directory, log, yogaExecutesAll },
      { OPERATION_DEADLINE_MS: '40' },
    );
    onTestFinished(gateway.close);
    holdTime();
    const result: Promise<GraphqlResult<unknown>> = gateway.query(QUERY);
    while (waiting() < 3) await settled();
    vi.advanceTimersByTime(40);
    const { data, errors = [] } = await result;
    expect(data).toMatchObject({
      dois: [
        { name: '10.5555/known', exists: true },
        { name: '10.5555/slow', exists: null, record: null },
        null,
        { name: '10.5555/known.too', exists: true },
      ],
      agency: { uri: 'doi:10.5555/known', registrationAgency: null },
      same: { relation: 'DISTINCT', sameAliasTarget: null },
    });
    const codes = errors.map(({ path = [], extensions }) => [path.join('.'), extensions['code']]);
    expect(codes.toSorted()).toEqual([
      ['agency.registrationAgency', 'DEADLINE_EXCEEDED'],
      ['dois.1.exists', 'DEADLINE_EXCEEDED'],
      ['dois.1.record', 'DEADLINE_EXCEEDED'],
      ['dois.2', 'INVALID_DOI'],
      ['same.sameAliasTarget', 'DEADLINE_EXCEEDED'],
    ]);
    expect(errors.find(({ path }) => path?.at(-1) === 'exists')).toMatchObject({
      message: expect.stringContaining('40 ms'),
      extensions: { retryable: true },
    });
    expect(aborted).toHaveLength(3);
    for (const reason of aborted) expect(reason).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    expect(logged).toEqual([]);
  });

  test('an operation that never waits ends at its deadline, between two slices', async () => {
    const memory = createMemoryDirectory();
    let now = performance.now();
    const directory: Directory = {
      ...memory,
      // Each look-up in memory takes a millisecond.
      memory: memoryWith({
        ...memory.memory,
        record(name) {
          now += 1;
          return memory.memory?.record(name);
        },
      }),
    };
    const gateway = await createTestGateway({ directory, yogaExecutesAll }, { OPERATION_DEADLINE_MS: '30' });
    onTestFinished(gateway.close);
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const inputs = Array.from({ length: 600 }, (_name, index) => `10.5555/${index}`);
    const query = `query ($inputs: [String!]!) {
      __typename dois(inputs: $inputs) { name exists } more: dois(inputs: ["10.5555/1"]) { name } }`;
    const { data, errors = [] } = await gateway.query(query, { inputs });
    expect(data).toMatchObject({ __typename: 'Query', dois: expect.any(Array) });
    expect(data).toHaveProperty('more');
    expect(new Set(errors.map(({ extensions }) => extensions['code']))).toEqual(
      new Set(['DEADLINE_EXCEEDED']),
    );
    expect(memory.peeks.record).toBeLessThan(300);
  });

  test('an operation that ends before its deadline leaves no timer', async () => {
    const { log, logged } = createErrorLog();
    const { directory, aborted } = createSlowDirectory();
    const gateway = await createTestGateway(
      { directory, log, yogaExecutesAll },
      { OPERATION_DEADLINE_MS: '10' },
    );
    onTestFinished(gateway.close);
    holdTime();
    expect(await gateway.query('{ doi(input: "10.5555/known") { exists } }')).toEqual({
      data: { doi: { exists: true } },
    });
    vi.advanceTimersByTime(20);
    expect(vi.getTimerCount()).toBe(0);
    expect([aborted, logged]).toEqual([[], []]);
  });

  test('a client that leaves ends its look-ups, and is not logged', async () => {
    const { directory, aborted, lookedUp } = createSlowDirectory();
    const { log, logged } = createErrorLog();
    const gateway = await startGateway({ directory, log, yogaExecutesAll });
    onTestFinished(gateway.close);
    const headers = { 'content-type': 'application/json' };
    const client = request(`${gateway.url}/graphql`, { method: 'POST', headers });
    client.on('error', () => undefined);
    client.end(JSON.stringify({ query: QUERY }));
    await lookedUp;
    client.destroy();
    await expect.poll(() => aborted.length).toBe(3);
    await settled();
    for (const reason of aborted) expect(reason).toMatchObject({ name: 'AbortError' });
    expect(logged).toEqual([]);
  });
});
