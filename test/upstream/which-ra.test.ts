// How names are divided among Which RA requests, and how the answers are read.

import { canonicalName } from 'doi-names';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WhichRaVerdict } from '../../src/directory/directory.ts';
import {
  lookUpAgencies,
  type WhichRaLimits,
  type WhichRaService,
} from '../../src/upstream/which-ra-requests.ts';
import { doiNames } from '../support/doi-names.ts';
import { failureOf, handleName, startProxy } from './proxy-under-test.ts';

const WIDE: WhichRaLimits = { maxUrlBytes: 4_000, maxNames: 500 };

const createService = (fetch: WhichRaService['fetch']): WhichRaService => ({
  fetch,
  spendExtra: async () => {},
  report: () => {},
});

/** Looks up the agencies of `names`. Returns the encoded names of each request. */
async function requestsFor(
  names: readonly string[],
  limits: Partial<WhichRaLimits> = {},
  baseBytes = 0,
): Promise<string[]> {
  const requests: string[] = [];
  const service = createService(async (encodedNames) => {
    requests.push(encodedNames);
    return encodedNames.split(',').map((encoded) => ({ DOI: decodeURIComponent(encoded), RA: encoded }));
  });
  const answers = lookUpAgencies(names.map(handleName), { ...WIDE, ...limits }, baseBytes, service);
  const labels = (await Promise.all(answers)).map(({ agency }) => agency);
  expect(labels.map((label) => decodeURIComponent(label ?? ''))).toEqual(names);
  return requests;
}

const FIVE = ['10.1/a', '10.1/b', '10.1/c', '10.1/d', '10.1/e'];
const LONG = `10.1/${'x'.repeat(300)}`;

test.each<[string, string[], Partial<WhichRaLimits>, string[]]>([
  ['no names need no request', [], {}, []],
  ['all names go in one request within both limits', FIVE, {}, [FIVE.join(',')]],
  ['a request has at most `maxNames` names', FIVE, { maxNames: 5 }, [FIVE.join(',')]],
  ['another name begins a new request', FIVE, { maxNames: 4 }, ['10.1/a,10.1/b,10.1/c,10.1/d', '10.1/e']],
  ['a request can have one name', FIVE, { maxNames: 1 }, FIVE],
  [
    'a name that is too long gets its own request',
    ['10.1/a', LONG, LONG, '10.1/b', '10.1/c'],
    { maxUrlBytes: 200 },
    ['10.1/a', LONG, LONG, '10.1/b,10.1/c'],
  ],
  [
    'commas and dot segments of a name are encoded',
    ['10.1/a,b,', '10.1/../x', '10.1/%2C'],
    {},
    ['10.1/a%2Cb%2C,10.1/..%2Fx,10.1/%252C'],
  ],
])('%s', async (_, names, limits, requests) => {
  expect(await requestsFor(names, limits)).toEqual(requests);
});

test('a URL has at most `maxUrlBytes`, with its base and after encoding', async () => {
  const names = ['10.1/é', '10.1/a b', '10.1/a,b'];
  const all = '10.1/%C3%A9,10.1/a%20b,10.1/a%2Cb';
  expect(await requestsFor(names, { maxUrlBytes: 20 + all.length }, 20)).toEqual([all]);
  expect(await requestsFor(names, { maxUrlBytes: 19 + all.length }, 20)).toEqual([
    '10.1/%C3%A9,10.1/a%20b',
    '10.1/a%2Cb',
  ]);
});

test('names keep their order, in as few requests as the limits allow', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(doiNames(), { maxLength: 30 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 30, max: 300 }),
      async (names, maxNames, maxUrlBytes) => {
        const requests = await requestsFor(names, { maxNames, maxUrlBytes }, 25);
        expect(requests.join(',').split(',').filter(Boolean).map(decodeURIComponent)).toEqual(names);
        for (const [position, request] of requests.entries()) {
          const count = request.split(',').length;
          expect(count).toBeLessThanOrEqual(maxNames);
          expect(count === 1 || 25 + request.length <= maxUrlBytes).toBe(true);
          const [next] = requests[position + 1]?.split(',') ?? [];
          if (next === undefined) continue;
          expect(count === maxNames || 25 + `${request},${next}`.length > maxUrlBytes).toBe(true);
        }
      },
    ),
  );
});

test('the URLs of a proxy are within the limit', async () => {
  const names = Array.from({ length: 200 }, (_, index) => handleName(`10.5555/é-${index}`));
  const { directory, server } = await startProxy(undefined, { whichRa: { maxUrlBytes: 300, maxNames: 500 } });
  await Promise.all(directory.whichRa(names));
  const lengths = server.targets.map((target) => server.url.origin.length + target.length);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(300);
  expect(Math.max(...lengths)).toBeGreaterThan(280);
});

describe('an item of the answer', () => {
  const name = handleName('10.5555/aBc-é');

  async function read(item: unknown): Promise<WhichRaVerdict> {
    const [answer = expect.unreachable()] = lookUpAgencies(
      [name],
      WIDE,
      0,
      createService(async () => [item]),
    );
    return answer;
  }

  test.each([
    [{ status: 'Invalid DOI' }, 'INVALID_DOI'],
    [{ status: 'DOI does not exist' }, 'DOES_NOT_EXIST'],
    [{ status: 'Unknown' }, 'UNKNOWN'],
    [{ RA: 'Unknown' }, 'UNKNOWN'],
  ])('with %j has the status %s', async (item, status) => {
    expect(await read({ DOI: name, ...item })).toEqual({ status, agency: null });
  });

  test.each(['Crossref', 'crossref', 'Some Agency of Tomorrow', 'Größe', 'unknown', 'toString', '__proto__'])(
    'with the label %j has the status FOUND, and this label is the agency',
    async (label) => {
      expect(await read({ DOI: name, RA: label })).toEqual({ status: 'FOUND', agency: label });
    },
  );

  test('can repeat the name with Basic Latin letters in another case', async () => {
    expect(await read({ DOI: '10.5555/AbC-é', RA: 'Crossref' })).toMatchObject({ agency: 'Crossref' });
  });

  test.each([
    ['an unknown status', { DOI: name, status: 'Out of order' }],
    ['a status that objects inherit', { DOI: name, status: 'toString' }],
    ['no label and an unknown status', { DOI: name, RA: null, status: 'Out of order' }],
    ['neither label nor status', { DOI: name }],
    ['a number as its label', { DOI: name, RA: 5 }],
    ['a label with an unpaired surrogate', { DOI: name, RA: '\ud800' }],
    ['no echo', { RA: 'Crossref' }],
    ['null as its echo', { DOI: null, RA: 'Crossref' }],
    ['the echo of another name', { DOI: '10.5555/other', RA: 'Crossref' }],
    [
      'an echo in which other letters than Basic Latin have another case',
      { DOI: '10.5555/aBc-É', RA: 'Crossref' },
    ],
    ['an echo that is composed differently', { DOI: '10.5555/aBc-e\u0301', RA: 'Crossref' }],
    ['an encoded echo', { DOI: '10.5555/aBc-%C3%A9', RA: 'Crossref' }],
    ['null instead of the item', null],
    ['text instead of the item', 'Crossref'],
  ])('with %s is a failure', async (_, item) => {
    expect((await failureOf(read(item))).code).toBe('UPSTREAM_BAD_RESPONSE');
  });
});

test('answers belong to names by position, even if names are equal', async () => {
  const names = ['10.1/a', '10.1/A', '10.1/b', '10.1/a'].map(handleName);
  const labels = ['first', 'second', 'third', 'fourth'];
  const service = createService(async () =>
    names.map((name, position) => ({ DOI: canonicalName(name), RA: labels[position] })),
  );
  const answers = lookUpAgencies(names, WIDE, 0, service);
  expect((await Promise.all(answers)).map(({ agency }) => agency)).toEqual(labels);
});
