// What holds of every answer, whatever is asked: what it counts, and that nobody can tell whether it was remembered.

import fc from 'fast-check';
import { parse, validate } from 'graphql';
import { beforeEach, describe, expect, test } from 'vitest';
import { createSecondChanceMap } from '../../src/cache/memory-tier.ts';
import type { Directory } from '../../src/directory/directory.ts';
import { BatchGate, type Execution } from '../../src/graphql/execution.ts';
import { servedSchema } from '../../src/graphql/incremental/incremental-rules.ts';
import { priceIn } from '../../src/graphql/price.ts';
import { createRememberedItems, type RememberedItems } from '../../src/graphql/remembered-items.ts';
import { OperationUsage } from '../../src/graphql/write.ts';
import { AnswerExpiry } from '../../src/loaders/answer-expiry.ts';
import { TrackingLoaders } from '../../src/loaders/loaders.ts';
import { followAliases, resolveName } from '../../src/loaders/resolve-name.ts';
import { createFakeDirectory, NOW, urlValue } from '../support/fake-directory.ts';
import type { MemoryDirectory } from '../support/memory-directory.ts';
import { executePlanned, type Planned, planned, shortSlices } from './executed.ts';
import { gatewayOperations } from './gateway-operations.ts';
import { createTroubledDirectory, TROUBLED_NAMES } from './troubled-directory.ts';

interface Asked extends Partial<Execution> {
  readonly maxLookups?: number;
  readonly maxCost?: number;
  readonly draw?: () => number;
}

let executions = 1_000_000;

/** Everything that can be told of an execution from outside. */
async function answerOf(directory: Directory, asked: Planned, more: Asked = {}) {
  const { maxLookups = 100, maxCost = Number.POSITIVE_INFINITY, draw = () => 0.3, ...parts } = more;
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
  const { data, errors } = await executePlanned(asked, {
    context,
    sources: loaders,
    gate,
    usage,
    ...parts,
  });
  executions += 1;
  const price = priceIn(asked.price, {
    number: executions,
    variables: asked.variables,
    valuesByReader: [],
    variableReads: 0,
  });
  const { writtenBytes, cost } = usage;
  return { data, errors: errors.toSorted(), writtenBytes, cost, price, seconds: expiry.secondsFrom(NOW) };
}

/** The same, with the answers that were given out of memory, and the look-ups. */
async function counting(directory: MemoryDirectory, asked: Planned, more: Asked) {
  const { record, agency } = directory.peeks;
  const calls = directory.calls.resolve.length + directory.calls.whichRa.length;
  const told = await answerOf(directory, asked, more);
  const peeks = directory.peeks.record - record + directory.peeks.agency - agency;
  return [told, peeks, directory.calls.resolve.length + directory.calls.whichRa.length - calls] as const;
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

const operations = gatewayOperations().filter(
  ({ query }) => validate(servedSchema, parse(query)).length === 0,
);

test('an answer counts as many bytes as it has', { timeout: 60_000 }, async () => {
  const directory = createTroubledDirectory();
  await fc.assert(
    fc.asyncProperty(operations, async ({ query, variables }) => {
      const asked = planned(servedSchema, query, variables);
      if (!asked) return;
      const { data, errors, writtenBytes } = await answerOf(directory, asked);
      // Each error, the comma before it, and what is around all of them. What was written before something around it became null stays counted.
      const ofErrors = errors.reduce((sum, error) => sum + Buffer.byteLength(error) + 1, 0);
      const ofData = writtenBytes - ofErrors - (errors.length > 0 ? 11 : 0);
      if (errors.length > 0) expect(ofData).toBeGreaterThanOrEqual(Buffer.byteLength(data));
      else expect(ofData).toBe(Buffer.byteLength(data));
    }),
    { numRuns: 120 },
  );
});

test('remembered or not, everything is the same', { timeout: 120_000 }, async () => {
  let recalled = 0;
  await fc.assert(
    fc.asyncProperty(operations, fc.nat(6), fc.nat(80), async ({ query, variables }, maxLookups, maxCost) => {
      const asked = planned(servedSchema, query, variables);
      if (!asked) return;
      const directory = createTroubledDirectory();
      const items = createCountedItems();
      for (const limits of [{}, { maxLookups }, { maxCost }]) {
        // Made without limits first, so that there is something to recall.
        await answerOf(directory, asked, { items });
        const [expected, peeks, calls] = await counting(directory, asked, limits);
        const [told, peeksToo, callsToo] = await counting(directory, asked, { ...limits, items });
        expect(told).toEqual(expected);
        expect(callsToo).toEqual(calls);
        // Several fields of one name peek once: an item that is recalled counts the names it was made from.
        if (told.errors.length === 0) expect(Math.sign(peeksToo)).toBe(Math.sign(peeks));
      }
      recalled += items.recalled;
    }),
    { numRuns: 150 },
  );
  expect(recalled).toBeGreaterThan(75);
});

test('look-ups count the same at the very boundary, remembered or not', async () => {
  const directory = createTroubledDirectory();
  const items = createCountedItems();
  const query = `{ dois(inputs: ["10.5555/url", "10.5555/many", "10.5555/alias", "10.5555/URL", "10.5555/absent"]) {
    record { status } registrationAgency { name } redirect { url } } }`;
  const asked = planned(servedSchema, query, {}) ?? expect.unreachable();
  await answerOf(directory, asked, { items });
  const outcomes = new Set<number>();
  for (let maxLookups = 0; maxLookups <= 8; maxLookups += 1) {
    const expected = await answerOf(directory, asked, { maxLookups });
    expect(await answerOf(directory, asked, { maxLookups, items })).toEqual(expected);
    outcomes.add(expected.errors.length);
  }
  expect(items.recalled).toBeGreaterThan(9);
  expect(outcomes.size).toBeGreaterThan(4);
});

describe('what is not remembered', () => {
  let directory: MemoryDirectory;
  let items: CountedItems;

  beforeEach(() => {
    directory = createTroubledDirectory();
    items = createCountedItems();
  });

  async function twice(query: string, variables = {}, more: Asked = {}) {
    const asked = planned(servedSchema, query, variables) ?? expect.unreachable();
    const first = await answerOf(directory, asked, { items, ...more });
    const again = await answerOf(directory, asked, { items, ...more });
    return { first, again };
  }

  test('but this is: computed fields, records and agencies that memory holds', async () => {
    for (const name of ['url', 'many', 'alias', 'absent', 'one-location', 'no-values']) {
      const before = items.recalled;
      await twice(
        `{ doi(input: "10.5555/${name}") { uri record { status } redirect { url } registrationAgency { name } } }`,
      );
      expect(items.recalled, name).toBe(before + 1);
    }
  });

  test.each([
    ['drawn', '10.5555/drawn', 'redirect { url }'],
    ['stale', '10.5555/stale', 'record { stale }'],
    ['an agency that is stale', '10.5555/agency-stale', 'whichRa { status }'],
    ['asked past the cache', '10.5555/url', 'record(auth: true) { status }'],
    ['authenticated', '10.5555/url', 'record(cert: true) { status }'],
    ["the directory's own error", '10.5555/error', 'record { status }'],
    ['a failure', '10.5555/down', 'exists'],
    ['a failure of the agency', '10.5555/agency-down', 'registrationAgency { name }'],
    ['in error', '10.5555/loop', 'redirect { url }'],
    ['what has to be waited for', '10.5555/slow', 'record { values { text } }'],
    ['suggestions', '10.5555/absent', 'suggestions { name }'],
  ])('%s', async (_what, name, fields) => {
    const { first, again } = await twice(`{ doi(input: "${name}") { name ${fields} } }`);
    expect(items.recalled).toBe(0);
    expect(again).toEqual(first);
  });

  test('what depends on a variable', async () => {
    const query =
      'query ($types: [String!]) { doi(input: "10.5555/many") { record { values(types: $types) { type } } } }';
    await twice(query, { types: ['URL'] });
    expect(items.recalled).toBe(0);
  });

  test('what is drawn is drawn anew', async () => {
    const draws = [0.1, 0.9];
    const { first, again } = await twice(
      '{ doi(input: "10.5555/drawn") { redirect { url } } }',
      {},
      {
        draw: () => draws.shift() ?? 0,
      },
    );
    expect([first.data, again.data]).toEqual([
      expect.stringContaining('a.example'),
      expect.stringContaining('b.example'),
    ]);
  });

  test.each([
    [
      'a record',
      (changed: MemoryDirectory) => changed.put('10.5555/url', [urlValue('https://new.example/')]),
    ],
    ['a record behind an alias', (changed: MemoryDirectory) => changed.put('10.5555/url', 100)],
    [
      'an agency',
      (changed: MemoryDirectory) => changed.putAgency('10.5555/url', { status: 'FOUND', agency: 'KISTI' }),
    ],
    ['a record that is stale now', (changed: MemoryDirectory) => changed.put('10.5555/url', { stale: [] })],
  ])('once memory has another answer: %s', async (_what, change) => {
    const query = `{ dois(inputs: ["10.5555/url", "10.5555/alias"]) {
      record { stale status values { text } } redirect { url via } registrationAgency { name } } }`;
    const asked = planned(servedSchema, query, {}) ?? expect.unreachable();
    const old = await answerOf(directory, asked, { items });
    change(directory);
    const told = await answerOf(directory, asked, { items });
    expect(told.data).not.toBe(old.data);
    expect(told).toEqual(await answerOf(directory, asked));
  });
});

/** Of a field of Query itself: what made all of it null. */
const ofRoot = (error: string): boolean => (JSON.parse(error) as { path: unknown[] }).path.length === 1;

describe('an execution that is cut into slices', () => {
  test('answers the same', { timeout: 60_000 }, async () => {
    const directory = createTroubledDirectory();
    await fc.assert(
      fc.asyncProperty(operations, async ({ query, variables }) => {
        const asked = planned(servedSchema, query, variables);
        if (!asked) return;
        const whole = await answerOf(directory, asked);
        const items = createRememberedItems(createSecondChanceMap(1_000_000));
        for (const more of [{ slices: shortSlices() }, { slices: shortSlices(), items }]) {
          const sliced = await answerOf(directory, asked, more);
          if (whole.data !== 'null') expect(sliced).toEqual(whole);
          // How much was begun when all of it became null is nobody's concern.
          else
            expect([sliced.data, sliced.errors.filter(ofRoot)]).toEqual([
              'null',
              whole.errors.filter(ofRoot),
            ]);
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
      'aliases in an object',
      `query { ${Array.from({ length: 40 }, (_, i) => `a${i}: doi(input: "10.5555/${i}") { exists whichRa { status } }`).join(' ')} }`,
    ],
  ])('asks the directory in one batch: %s', async (_what, query) => {
    const inputs = Array.from({ length: 40 }, (_, index) => `10.5555/${index}`);
    let answered = 0;
    const fake = createFakeDirectory();
    const directory: Directory = {
      ...fake,
      async resolve(name, options) {
        // All are asked for before the first is answered.
        expect(answered).toBe(0);
        const record = await fake.resolve(name, options);
        await new Promise((resolve) => setImmediate(resolve));
        answered += 1;
        return record;
      },
    };
    const asked = planned(servedSchema, query, query.includes('$') ? { inputs } : {}) ?? expect.unreachable();
    const { errors } = await answerOf(directory, asked, { slices: shortSlices() });
    expect(errors).toEqual([]);
    expect(fake.calls.whichRa.map(({ length }) => length)).toEqual([40]);
    expect(fake.calls.resolve).toHaveLength(40);
  });
});

test('the names of the directory are all asked for', () => {
  expect(new Set(TROUBLED_NAMES).size).toBe(TROUBLED_NAMES.length);
});
