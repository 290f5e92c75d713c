// How names are put into Which RA requests, and how its answers are read.

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
import { failureOf, handleName } from './proxy-under-test.ts';

const WIDE: WhichRaLimits = { maxUrlBytes: 4_000, maxNames: 500 };

const answeredBy = (fetch: WhichRaService['fetch']): WhichRaService => ({
  fetch,
  spendExtra: async () => {},
  report: () => {},
});

/** The comma-separated names of each request that asking for `names` takes. */
async function requestsFor(
  names: readonly string[],
  limits: WhichRaLimits,
  baseBytes = 0,
): Promise<string[]> {
  const requests: string[] = [];
  const service = answeredBy(async (encodedNames) => {
    requests.push(encodedNames);
    return encodedNames.split(',').map((encoded) => ({ DOI: decodeURIComponent(encoded), RA: encoded }));
  });
  const answers = lookUpAgencies(names.map(handleName), limits, baseBytes, service);
  const labels = (await Promise.all(answers)).map(({ agency }) => agency);
  expect(labels.map((label) => decodeURIComponent(label ?? ''))).toEqual(names);
  return requests;
}

describe('names are put into one request', () => {
  test('as long as it is within both limits', async () => {
    expect(await requestsFor(['10.1/a', '10.1/b', '10.1/c'], WIDE)).toEqual(['10.1/a,10.1/b,10.1/c']);
  });

  test('none for no names', async () => {
    expect(await requestsFor([], WIDE)).toEqual([]);
  });

  test('up to exactly as many bytes as a URL may have', async () => {
    const names = ['10.1/a', '10.1/b', '10.1/c'];
    const together = 20 + '10.1/a,10.1/b,10.1/c'.length;
    expect(await requestsFor(names, { ...WIDE, maxUrlBytes: together }, 20)).toHaveLength(1);
    expect(await requestsFor(names, { ...WIDE, maxUrlBytes: together - 1 }, 20)).toEqual([
      '10.1/a,10.1/b',
      '10.1/c',
    ]);
  });

  test('measured in bytes after encoding', async () => {
    const names = ['10.1/é', '10.1/a b', '10.1/a,b'];
    const encoded = ['10.1/%C3%A9', '10.1/a%20b', '10.1/a%2Cb'];
    const together = encoded.join(',').length;
    expect(await requestsFor(names, { ...WIDE, maxUrlBytes: together })).toEqual([encoded.join(',')]);
    expect(await requestsFor(names, { ...WIDE, maxUrlBytes: together - 1 })).toEqual([
      encoded.slice(0, 2).join(','),
      encoded[2],
    ]);
  });

  test('up to exactly as many as may be in one', async () => {
    const names = ['10.1/a', '10.1/b', '10.1/c', '10.1/d', '10.1/e'];
    expect(await requestsFor(names, { ...WIDE, maxNames: 5 })).toHaveLength(1);
    expect(await requestsFor(names, { ...WIDE, maxNames: 4 })).toEqual([
      '10.1/a,10.1/b,10.1/c,10.1/d',
      '10.1/e',
    ]);
    expect(await requestsFor(names, { ...WIDE, maxNames: 2 })).toEqual([
      '10.1/a,10.1/b',
      '10.1/c,10.1/d',
      '10.1/e',
    ]);
    expect(await requestsFor(names, { ...WIDE, maxNames: 1 })).toEqual(names);
  });

  test('alone, if one is longer than a URL may be', async () => {
    const long = `10.1/${'x'.repeat(300)}`;
    const limits = { ...WIDE, maxUrlBytes: 200 };
    expect(await requestsFor(['10.1/a', '10.1/b', long, '10.1/c', '10.1/d'], limits)).toEqual([
      '10.1/a,10.1/b',
      long,
      '10.1/c,10.1/d',
    ]);
    expect(await requestsFor([long, long], limits)).toEqual([long, long]);
  });

  test('with commas and dot segments of a name encoded, so that it stays one name', async () => {
    expect(await requestsFor(['10.1/a,b,', '10.1/../x', '10.1/%2C'], WIDE)).toEqual([
      '10.1/a%2Cb%2C,10.1/..%2Fx,10.1/%252C',
    ]);
  });

  test('whatever the names and the limits, in their order and no more requests than needed', async () => {
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
});

describe('an item of the answer', () => {
  const name = handleName('10.5555/aBc-é');

  async function read(item: unknown): Promise<WhichRaVerdict> {
    const [answer = expect.unreachable()] = lookUpAgencies(
      [name],
      WIDE,
      0,
      answeredBy(async () => [item]),
    );
    return answer;
  }

  test.each([
    ['Invalid DOI', 'INVALID_DOI'],
    ['DOI does not exist', 'DOES_NOT_EXIST'],
    ['Unknown', 'UNKNOWN'],
  ])('with the status %j is %s, which is data', async (status, expected) => {
    expect(await read({ DOI: name, status })).toEqual({ status: expected, agency: null });
  });

  test('with the label "Unknown" is UNKNOWN', async () => {
    expect(await read({ DOI: name, RA: 'Unknown' })).toEqual({ status: 'UNKNOWN', agency: null });
  });

  test.each(['Crossref', 'crossref', 'Some Agency of Tomorrow', 'Größe', 'unknown', 'toString', '__proto__'])(
    'with the label %j is found with that agency',
    async (label) => {
      expect(await read({ DOI: name, RA: label })).toEqual({ status: 'FOUND', agency: label });
    },
  );

  test('may echo the name in another Basic Latin case', async () => {
    expect(await read({ DOI: '10.5555/AbC-é', RA: 'Crossref' })).toMatchObject({ agency: 'Crossref' });
  });

  test.each([
    ['an unknown status', { DOI: name, status: 'Out of order' }],
    ['a status that objects inherit', { DOI: name, status: 'toString' }],
    ['no label and an unknown status', { DOI: name, RA: null, status: 'Out of order' }],
    ['neither label nor status', { DOI: name }],
    ['a label that is a number', { DOI: name, RA: 5 }],
    ['a label with an unpaired surrogate', { DOI: name, RA: '\ud800' }],
    ['no echo', { RA: 'Crossref' }],
    ['an echo that is null', { DOI: null, RA: 'Crossref' }],
    ['the echo of another name', { DOI: '10.5555/other', RA: 'Crossref' }],
    ['an echo in another case than that of Basic Latin', { DOI: '10.5555/aBc-É', RA: 'Crossref' }],
    ['an echo that is composed differently', { DOI: '10.5555/aBc-e\u0301', RA: 'Crossref' }],
    ['an echo that is still encoded', { DOI: '10.5555/aBc-%C3%A9', RA: 'Crossref' }],
    ['null in its place', null],
    ['text in its place', 'Crossref'],
  ])('with %s is a failure', async (_, item) => {
    expect((await failureOf(read(item))).code).toBe('UPSTREAM_BAD_RESPONSE');
  });
});

test.each([[{}], [null], ['[]'], [{ 0: { DOI: '10.1/a', RA: 'Crossref' } }], [[]]])(
  'the answer %j is a failure',
  async (wire) => {
    const [answer = expect.unreachable()] = lookUpAgencies(
      [handleName('10.1/a')],
      WIDE,
      0,
      answeredBy(async () => wire),
    );
    expect((await failureOf(answer)).code).toBe('UPSTREAM_BAD_RESPONSE');
  },
);

test('answers are told apart by position, names that are the same included', async () => {
  const names = ['10.1/a', '10.1/A', '10.1/b', '10.1/a'].map(handleName);
  const labels = ['first', 'second', 'third', 'fourth'];
  const service = answeredBy(async () =>
    names.map((name, position) => ({ DOI: canonicalName(name), RA: labels[position] })),
  );
  const answers = lookUpAgencies(names, WIDE, 0, service);
  expect((await Promise.all(answers)).map(({ agency }) => agency)).toEqual(labels);
});
