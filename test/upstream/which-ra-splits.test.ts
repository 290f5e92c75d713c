// A refused Which RA request of several names is split in halves.

import type { HandleName } from 'doi-names';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import {
  badResponse,
  deadlineExceeded,
  failureOfStatus,
  failureOfTransport,
} from '../../src/upstream/upstream-failure.ts';
import { lookUpAgencies, type WhichRaLimits } from '../../src/upstream/which-ra-requests.ts';
import { requestedNames, sendJson } from '../support/directory-server.ts';
import { answering, failureOf, handleName, startProxy } from './proxy-under-test.ts';

const LIMITS = { maxUrlBytes: 4_000, maxNames: 500 };
const itemOf = (name: string) => ({ DOI: name, RA: `agency of ${name}` });

interface LookUpOptions {
  /** Returns or throws the response for the names of a request. Default: the right items. */
  readonly respond?: (names: readonly string[]) => unknown;
  readonly takeBudget?: () => Promise<void>;
  readonly limits?: WhichRaLimits;
}

async function lookUp(names: readonly HandleName[], options: LookUpOptions = {}) {
  const { respond = (group) => group.map(itemOf), takeBudget = async () => {}, limits = LIMITS } = options;
  const requests: string[] = [];
  let spent = 0;
  const verdicts = lookUpAgencies(names, limits, 0, {
    async fetch(encodedNames) {
      requests.push(encodedNames);
      return respond(encodedNames.split(','));
    },
    async spendExtra(count) {
      await takeBudget();
      spent += count;
    },
    report: () => {},
  });
  const outcomes = await Promise.allSettled(verdicts);
  const agencies = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.agency : null));
  const failed = names.filter((_, index) => agencies[index] === null);
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  return { requests, spent, agencies, failed, reasons };
}

const three = ['10.5555/a', '10.5555/b', '10.5555/c'].map(handleName);
const items = three.map(itemOf);
const ALL = '10.5555/a,10.5555/b,10.5555/c';
const IN_HALVES = [ALL, '10.5555/a,10.5555/b', '10.5555/c', '10.5555/a', '10.5555/b'];

const fails = (failure: Error) => () => {
  throw failure;
};

describe('a request of several names is split', () => {
  test.each<[string, () => unknown]>([
    ['too few items', () => items.slice(1)],
    ['too many items', () => [...items, ...items]],
    ['no items', () => []],
    ['an item for another name', () => [...items.slice(1), itemOf('10.5555/other')]],
    ['the items in another order', () => items.toReversed()],
    ['an item without echo', () => [...items.slice(1), { RA: 'Crossref' }]],
    ['an item with an unknown status', () => [...items.slice(1), { DOI: three[2], status: 'Out of order' }]],
    ['an object', () => ({ items })],
    ['null', () => null],
    ['text', () => '[]'],
    ['status 404', fails(failureOfStatus(404))],
    ['status 414', fails(failureOfStatus(414))],
    ['an unreadable body', fails(badResponse('not JSON'))],
  ])('after a response with %s', async (_, respond) => {
    const { requests, agencies } = await lookUp(three, {
      respond: (names) => (names.length > 1 ? respond() : names.map(itemOf)),
    });
    expect(agencies).toEqual(items.map(({ RA }) => RA));
    expect(requests.toSorted((a, b) => b.length - a.length)).toEqual(IN_HALVES);
    const single = await lookUp(three.slice(0, 1), { respond });
    expect([single.requests.length, single.reasons.length]).toEqual([1, 1]);
  });

  test('if a proxy responds with status 404 and JSON, but not with status 500 or 429 and JSON', async () => {
    for (const [status, requests] of [
      [404, 5],
      [500, 1],
      [429, 1],
    ] as const) {
      const { directory, server } = await startProxy((request, response) => {
        const { names } = requestedNames(request);
        sendJson(response, names.length > 1 ? status : 200, names.map(itemOf));
      });
      await Promise.allSettled(directory.whichRa(three));
      expect(server.targets).toHaveLength(requests);
    }
  });
});

test.each([
  ['status 500', failureOfStatus(500)],
  ['status 503', failureOfStatus(503)],
  ['status 429', failureOfStatus(429, '7')],
  ['a broken connection', failureOfTransport(new Error('ECONNRESET'), false)],
  ['a timeout', failureOfTransport(new Error('time'), true)],
  ['the deadline', deadlineExceeded(1_000)],
])('after %s, all names fail without another request', async (_, failure) => {
  const { requests, reasons, spent } = await lookUp(three, { respond: fails(failure) });
  expect([requests, reasons, spent]).toEqual([[ALL], [failure, failure, failure], 0]);
});

test('a 429 gives every name its Retry-After', async () => {
  const { directory } = await startProxy(answering(429, '[]', { 'retry-after': '7' }));
  for (const { code, details } of await Promise.all(directory.whichRa(three).map(failureOf))) {
    expect({ code, details }).toEqual({ code: 'UPSTREAM_RATE_LIMITED', details: { retryAfterSeconds: 7 } });
  }
});

test('a refused name fails, and the other names of its request do not', async () => {
  const { failed, reasons } = await lookUp(three, {
    respond(names) {
      if (names.includes('10.5555/b')) throw failureOfStatus(400);
      return names.map(itemOf);
    },
  });
  expect(failed).toEqual(['10.5555/b']);
  expect(reasons).toMatchObject([{ code: 'UPSTREAM_BAD_RESPONSE' }]);
});

test('a slow or failing request does not delay or fail the names of other requests', async () => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const verdicts = lookUpAgencies(three, { ...LIMITS, maxNames: 1 }, 0, {
    async fetch(name) {
      if (name === '10.5555/b') throw failureOfStatus(500);
      if (name === '10.5555/a') await released;
      return [itemOf(name)];
    },
    spendExtra: async () => {},
    report: () => {},
  });
  const [slow, failing = expect.unreachable(), other] = verdicts;
  expect((await failureOf(failing)).code).toBe('UPSTREAM_UNAVAILABLE');
  expect(await other).toMatchObject({ agency: 'agency of 10.5555/c' });
  release();
  expect(await slow).toMatchObject({ agency: 'agency of 10.5555/a' });
});

describe('the extra requests of splits', () => {
  const many = Array.from({ length: 1_900 }, (_, index) => handleName(`10.5555/${index}`));
  const batch = many.slice(0, 256);
  const numberOf = (name: string): number => Number(name.slice('10.5555/'.length));

  const refusing = (isRefused: (number: number) => boolean, takeBudget?: () => Promise<void>) => ({
    respond(names: readonly string[]) {
      if (names.some((name) => isRefused(numberOf(name)))) throw failureOfStatus(400);
      return names.map(itemOf);
    },
    ...(takeBudget && { takeBudget }),
  });

  test('are not sent if no name is refused', async () => {
    const { requests, failed, spent } = await lookUp(many);
    expect([requests.length, failed, spent]).toEqual([6, [], 0]);
  });

  test('are at most 2 · 13 · log2(batch) for 13 refused names, and are taken from the budget', async () => {
    const positions = fc.uniqueArray(fc.integer({ min: 0, max: 1_899 }), { minLength: 13, maxLength: 13 });
    await fc.assert(
      fc.asyncProperty(positions, async (refused) => {
        const { requests, failed, spent } = await lookUp(
          many,
          refusing((at) => refused.includes(at)),
        );
        expect(new Set(failed.map(numberOf))).toEqual(new Set(refused));
        expect(spent).toBe(requests.length - 6);
        const largest = Math.max(...requests.map((names) => names.split(',').length));
        expect(spent).toBeLessThanOrEqual(2 * 13 * Math.ceil(Math.log2(largest)));
      }),
      { numRuns: 20 },
    );
  });

  test('isolate 13 refused names in one batch', async () => {
    const { failed, spent } = await lookUp(
      batch,
      refusing((at) => at % 20 === 7),
    );
    expect(failed).toHaveLength(13);
    expect(spent).toBeLessThanOrEqual(2 * 13 * 8);
  });

  test('are 60 if the directory refuses every request of a batch', async () => {
    const { requests, failed } = await lookUp(
      batch,
      refusing(() => true),
    );
    expect([requests.length, failed.length]).toEqual([61, 256]);
  });

  test('have a limit per batch, and the names above the limit fail', async () => {
    const { spent, failed } = await lookUp(
      batch,
      refusing((at) => at < 200),
    );
    expect(spent).toBe(2 * 15 * 8);
    expect(failed.length).toBeGreaterThanOrEqual(200);
  });

  test('are not sent if the budget refuses them', async () => {
    const { requests, failed } = await lookUp(
      many.slice(0, 100),
      refusing(
        (at) => at === 7,
        () => Promise.reject(new GatewayError('RATE_LIMITED')),
      ),
    );
    expect([requests.length, failed.length]).toEqual([1, 100]);
  });
});
