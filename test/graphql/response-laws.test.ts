// Laws of every result: remembered items and slices change nothing.

import fc from 'fast-check';
import { parse, validate } from 'graphql';
import { beforeEach, describe, expect, test } from 'vitest';
import { createSecondChanceMap } from '../../src/cache/memory-tier.ts';
import type { Directory } from '../../src/directory/directory.ts';
import { BatchGate, type Execution } from '../../src/graphql/execution.ts';
import { servedSchema } from '../../src/graphql/incremental/incremental-rules.ts';
import { createRememberedItems, type RememberedItems } from '../../src/graphql/remembered-items.ts';
import { OperationUsage } from '../../src/graphql/write.ts';
import { AnswerExpiry } from '../../src/loaders/answer-expiry.ts';
import { TrackingLoaders } from '../../src/loaders/loaders.ts';
import { followAliases, resolveName } from '../../src/loaders/resolve-name.ts';
import { createFakeDirectory, NOW, urlValue } from '../support/fake-directory.ts';
import type { MemoryDirectory } from '../support/memory-directory.ts';
import { executePlanned, type Planned, planOperation, priceOf, shortSlices } from './execute-planned.ts';
import { gatewayOperations } from './gateway-operations.ts';
import { createTroubledDirectory } from './troubled-directory.ts';

interface ExecutionParts extends Partial<Execution> {
  readonly maxLookups?: number;
  readonly maxCost?: number;
  readonly draw?: () => number;
}

/** All effects of an execution that its caller can see. */
async function resultOf(directory: Directory, operation: Planned, options: ExecutionParts = {}) {
  const { maxLookups = 100, maxCost = Number.POSITIVE_INFINITY, draw = () => 0.3, ...parts } = options;
  const expiry = new AnswerExpiry();
  const gate = new BatchGate();
  const signal = () => new AbortController().signal;
  const loaders = new TrackingLoaders({ directory, signal, maxLookups, expiry, gate });
  const context = {
    loaders,
    followAliases,
    resolveName,
    expiry,
    directory: directory.description,
    random: draw,
  };
  const usage = new OperationUsage(Number.POSITIVE_INFINITY, maxCost);
  const execution = { context, sources: loaders, gate, usage, ...parts };
  const { data, errors } = await executePlanned(operation, execution);
  const { writtenBytes, cost } = usage;
  const seconds = expiry.secondsFrom(NOW);
  return { data, errors: errors.toSorted(), writtenBytes, cost, price: priceOf(operation), seconds };
}

const callsOf = ({ calls }: MemoryDirectory) => calls.resolve.length + calls.whichRa.length;
const peeksOf = ({ peeks }: MemoryDirectory) => peeks.record + peeks.agency;

/** The result, with the numbers of answers from memory and of look-ups. */
async function countedResultOf(directory: MemoryDirectory, operation: Planned, options: ExecutionParts) {
  const [calls, peeks] = [callsOf(directory), peeksOf(directory)];
  const result = await resultOf(directory, operation, options);
  return { result, peeks: peeksOf(directory) - peeks, calls: callsOf(directory) - calls };
}

interface CountedItems extends RememberedItems {
  recalled: number;
}

function createCountedItems(): CountedItems {
  const items = createRememberedItems(createSecondChanceMap(10_000_000));
  return {
    remember: items.remember,
    recalled: 0,
    recall(key, execution) {
      const json = items.recall(key, execution);
      if (json !== undefined) this.recalled += 1;
      return json;
    },
  };
}

const plan = (query: string, variables = {}) =>
  planOperation(servedSchema, query, variables) ?? expect.unreachable();

/** Random operations that can be planned. */
const operations = gatewayOperations()
  .filter(({ query }) => validate(servedSchema, parse(query)).length === 0)
  .map(({ query, variables }) => planOperation(servedSchema, query, variables))
  .filter((operation) => operation !== null);

test('a result with remembered items equals the result without remembered items', {
  timeout: 120_000,
}, async () => {
  let recalled = 0;
  await fc.assert(
    fc.asyncProperty(operations, fc.nat(6), fc.nat(80), async (operation, maxLookups, maxCost) => {
      const directory = createTroubledDirectory();
      const items = createCountedItems();
      for (const limits of [{}, { maxLookups }, { maxCost }]) {
        // The first execution has no limits, and remembers all items.
        await resultOf(directory, operation, { items });
        const expected = await countedResultOf(directory, operation, limits);
        const recalling = await countedResultOf(directory, operation, { ...limits, items });
        expect(recalling.result).toEqual(expected.result);
        expect(recalling.calls).toEqual(expected.calls);
        // Fields of one name count it once, but a recalled item counts each name of its evidence.
        if (expected.result.errors.length === 0)
          expect(Math.sign(recalling.peeks)).toBe(Math.sign(expected.peeks));
      }
      recalled += items.recalled;
    }),
    { numRuns: 150 },
  );
  expect(recalled).toBeGreaterThan(75);
});

describe('remembered items', () => {
  let directory: MemoryDirectory;
  let items: CountedItems;

  beforeEach(() => {
    directory = createTroubledDirectory();
    items = createCountedItems();
  });

  async function twoResultsOf(query: string, variables = {}, options: ExecutionParts = {}) {
    const operation = plan(query, variables);
    const first = await resultOf(directory, operation, { items, ...options });
    const second = await resultOf(directory, operation, { items, ...options });
    return { first, second };
  }

  test.each(['url', 'many', 'alias', 'absent', 'one-location', 'no-values'])(
    'include computed fields, records and agencies from memory: %s',
    async (name) => {
      await twoResultsOf(
        `{ doi(input: "10.5555/${name}") { uri record { status } redirect { url } registrationAgency { name } } }`,
      );
      expect(items.recalled).toBe(1);
    },
  );

  test.each([
    ['a drawn location', 'drawn', 'redirect { url }'],
    ['a stale record', 'stale', 'record { stale }'],
    ['a stale agency', 'agency-stale', 'whichRa { status }'],
    ['a record with auth', 'url', 'record(auth: true) { status }'],
    ['a record with cert', 'url', 'record(cert: true) { status }'],
    ['a record with the status ERROR', 'error', 'record { status }'],
    ['a failure', 'down', 'exists'],
    ['a failure of Which RA', 'agency-down', 'registrationAgency { name }'],
    ['an error', 'loop', 'redirect { url }'],
    ['a look-up', 'slow', 'record { values { text } }'],
    ['suggestions', 'absent', 'suggestions { name }'],
    ['a variable', 'many', 'record { values(types: $types) { type } }'],
  ])('do not include an item with %s', async (_, name, fields) => {
    const head = fields.includes('$') ? 'query ($types: [String!])' : 'query';
    const query = `${head} { doi(input: "10.5555/${name}") { name ${fields} } }`;
    const { first, second } = await twoResultsOf(query, { types: ['URL'] });
    expect(items.recalled).toBe(0);
    expect(second).toEqual(first);
  });

  test('do not include the draw of a location, so that each execution draws again', async () => {
    const draws = [0.1, 0.9];
    const query = '{ doi(input: "10.5555/drawn") { redirect { url } } }';
    const { first, second } = await twoResultsOf(query, {}, { draw: () => draws.shift() ?? 0 });
    expect(first.data).toContain('a.example');
    expect(second.data).toContain('b.example');
  });

  test.each<[string, (changed: MemoryDirectory) => void]>([
    ['another record', (changed) => changed.put('10.5555/url', [urlValue('https://new.example/')])],
    ['no record behind an alias', (changed) => changed.put('10.5555/url', 100)],
    ['another agency', (changed) => changed.putAgency('10.5555/url', { status: 'FOUND', agency: 'KISTI' })],
    ['a stale record', (changed) => changed.put('10.5555/url', { stale: [] })],
  ])('are made again when memory has %s', async (_, change) => {
    const operation = plan(`{ dois(inputs: ["10.5555/url", "10.5555/alias"]) {
      record { stale status values { text } } redirect { url via } registrationAgency { name } } }`);
    const before = await resultOf(directory, operation, { items });
    change(directory);
    const after = await resultOf(directory, operation, { items });
    expect(after.data).not.toBe(before.data);
    expect(after).toEqual(await resultOf(directory, operation));
  });
});

/** Whether an error is at a root field: it made all data null. */
const isOfRoot = (error: string): boolean => (JSON.parse(error) as { path: unknown[] }).path.length === 1;

describe('an execution in many slices', () => {
  test('has the same result as an execution in one slice', { timeout: 60_000 }, async () => {
    const directory = createTroubledDirectory();
    await fc.assert(
      fc.asyncProperty(operations, async (operation) => {
        const whole = await resultOf(directory, operation);
        const items = createRememberedItems(createSecondChanceMap(1_000_000));
        for (const options of [{ slices: shortSlices() }, { slices: shortSlices(), items }]) {
          const sliced = await resultOf(directory, operation, options);
          if (whole.data !== 'null') {
            expect(sliced).toEqual(whole);
            continue;
          }
          // If all data are null, other errors depend on what had begun.
          expect(sliced.data).toBe('null');
          expect(sliced.errors.filter(isOfRoot)).toEqual(whole.errors.filter(isOfRoot));
        }
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    [
      'names in a list',
      'query ($inputs: [String!]!) { dois(inputs: $inputs) { name exists registrationAgency { name } } }',
    ],
    [
      'fields under aliases',
      `query { ${Array.from({ length: 40 }, (_, i) => `a${i}: doi(input: "10.5555/${i}") { exists whichRa { status } }`).join(' ')} }`,
    ],
  ])('makes all look-ups before the first answer, in one batch: %s', async (_, query) => {
    const inputs = Array.from({ length: 40 }, (_name, index) => `10.5555/${index}`);
    let answered = 0;
    const fake = createFakeDirectory();
    const directory: Directory = {
      ...fake,
      async resolve(name, options) {
        expect(answered).toBe(0);
        const record = await fake.resolve(name, options);
        await new Promise((resolve) => setImmediate(resolve));
        answered += 1;
        return record;
      },
    };
    const operation = plan(query, query.includes('$') ? { inputs } : {});
    const { errors } = await resultOf(directory, operation, { slices: shortSlices() });
    expect(errors).toEqual([]);
    expect(fake.calls.whichRa.map(({ length }) => length)).toEqual([40]);
    expect(fake.calls.resolve).toHaveLength(40);
  });
});
