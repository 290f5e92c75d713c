// References in words, matched with the searches of both agencies.

import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { schema } from '../../../src/schema/index.ts';
import { agencyWorks } from '../../support/agencies/agency-works.ts';
import { FAILURES, faultsByChance } from '../../support/agencies/misbehaviours.ts';
import { readReferences, readReferenceWorks } from '../../support/reference-vectors.ts';
import { CONTACT } from './agency-gateway.ts';
import { DATASET_REFERENCE, PUMPS, REFERENCE, startReferenceSearch, UNKNOWN } from './reference-search.ts';

test('a reference is searched at Crossref first, and at DataCite only if Crossref does not find its work', async () => {
  const { apis, match } = await startReferenceSearch();
  const { data, errors } = await match(REFERENCE, DATASET_REFERENCE, UNKNOWN);
  expect(errors).toBeUndefined();
  expect(data.matchReferences.map((one) => one && [one.outcome, one.doi?.name ?? null, one.sources])).toEqual(
    [
      ['FOUND', '10.5555/pumps', ['Crossref']],
      ['FOUND', '10.5072/snow', ['Crossref', 'DataCite']],
      ['NOT_FOUND', null, ['Crossref', 'DataCite']],
    ],
  );
  expect(data.matchReferences[0]).toMatchObject({
    reference: REFERENCE,
    candidates: [],
    evidence: [
      { detail: 'DOI', verdict: 'NOT_STATED', inReference: null },
      { detail: 'TITLE', verdict: 'AGREES', inReference: PUMPS.title[0], inWork: PUMPS.title[0] },
      { detail: 'AUTHORS', verdict: 'AGREES', inReference: 'Berger A', inWork: 'Ada Berger' },
      { detail: 'CONTAINER', verdict: 'AGREES' },
      { detail: 'YEAR', verdict: 'AGREES', inReference: '2012', inWork: '2012' },
      { detail: 'VOLUME', verdict: 'AGREES' },
      { detail: 'ISSUE', verdict: 'NOT_STATED' },
      { detail: 'PAGE', verdict: 'AGREES' },
    ],
  });
  expect(data.matchReferences[2]).toMatchObject({ evidence: [] });
  expect(apis.breaches).toEqual([]);
});

test('references that differ only in number and spaces are searched once', async () => {
  const { match, searches } = await startReferenceSearch();
  const { data } = await match(REFERENCE, `[12] ${REFERENCE.replaceAll(' ', '  ')}`, REFERENCE);
  expect(data.matchReferences.map((one) => one?.outcome)).toEqual(['FOUND', 'FOUND', 'FOUND']);
  await match(REFERENCE);
  expect(searches()).toEqual(['crossref']);
});

test('the title of a found work needs no request', async () => {
  const { apis, gateway, time, match } = await startReferenceSearch();
  await match(REFERENCE);
  const calls = apis.calls.length;
  const { data } = await time.drive(
    gateway.query(
      `{ matchReference(reference: "${REFERENCE}") { doi { metadata { title issued { year } } } } }`,
    ),
  );
  expect(data).toEqual({
    matchReference: { doi: { metadata: { title: PUMPS.title[0], issued: { year: 2012 } } } },
  });
  expect(apis.calls).toHaveLength(calls);
});

describe('a DOI in the reference', () => {
  const works = agencyWorks({ count: 2, agency: 'Crossref' });
  const [work] = works as [(typeof works)[number]];

  test('is looked up first, and a fitting work needs no search', async () => {
    const { match, searches } = await startReferenceSearch({ works });
    const { data } = await match(
      `Carberry ${work.number} J. ${work.title}. Journal of Psychoceramics. 2020. https://doi.org/${encodeURIComponent(work.name)}`,
    );
    expect(data.matchReferences[0]).toMatchObject({ outcome: 'FOUND', sources: ['Crossref'] });
    expect(searches()).toEqual([]);
  });

  test('that belongs to another work gives the found work the outcome DIFFERS', async () => {
    const { match } = await startReferenceSearch({ works });
    const { data } = await match(`${REFERENCE} doi:${work.name}`);
    expect(data.matchReferences[0]).toMatchObject({ outcome: 'DIFFERS', doi: { name: '10.5555/pumps' } });
    expect(data.matchReferences[0]?.evidence[0]).toMatchObject({ detail: 'DOI', verdict: 'DIFFERS' });
  });
});

describe('a failed search', () => {
  test.each(['crossref', 'datacite'] as const)(
    'of %s is an error at the path of its reference',
    async (failing) => {
      for (const fault of [...FAILURES, 'HUGE' as const]) {
        const { match } = await startReferenceSearch({
          misbehaves: ({ api, words = '' }) =>
            api === failing && words.toLowerCase().includes('snow') ? fault : null,
        });
        const { data, errors = [] } = await match(REFERENCE, DATASET_REFERENCE);
        expect(data.matchReferences.map((one) => one?.outcome)).toEqual(['FOUND', undefined]);
        expect(
          errors.map(({ path }) => path),
          fault,
        ).toEqual([['matchReferences', 1]]);
        expect(errors[0]?.extensions?.['code'], fault).toMatch(/^UPSTREAM_|^GATEWAY_BUSY/);
      }
    },
  );

  test('is not an error if DataCite refuses the query', async () => {
    const { match } = await startReferenceSearch({
      misbehaves: ({ api }) => (api === 'datacite' ? 'REFUSES' : null),
    });
    const { data } = await match(UNKNOWN);
    expect(data.matchReferences[0]).toMatchObject({
      outcome: 'NOT_FOUND',
      sources: ['Crossref', 'DataCite'],
    });
  });
});

describe('the gateway refuses', () => {
  test.each([
    ['a reference without words', ' [7] .,;', 'BAD_USER_INPUT', 'The reference has no words'],
    [
      'a reference of too many characters',
      'word '.repeat(2_001),
      'LIMIT_EXCEEDED',
      'at most 10000 characters',
    ],
  ])('%s', async (_, reference, code, message) => {
    const { match, apis } = await startReferenceSearch();
    const { data, errors = [] } = await match(REFERENCE, reference);
    expect(data.matchReferences.map((one) => one?.outcome)).toEqual(['FOUND', undefined]);
    expect(errors[0]).toMatchObject({ path: ['matchReferences', 1], extensions: { code } });
    expect(errors[0]?.message).toContain(message);
    expect(apis.calls).toHaveLength(1);
  });

  test('more than 200 references', async () => {
    const { match, searches } = await startReferenceSearch();
    const { data, errors = [] } = await match(...Array<string>(203).fill(REFERENCE));
    expect(data.matchReferences.filter((one) => one?.outcome === 'FOUND')).toHaveLength(200);
    expect(errors.map(({ path, extensions }) => [path?.[1], extensions?.['code']])).toEqual(
      [200, 201, 202].map((at) => [at, 'LIMIT_EXCEEDED']),
    );
    expect(searches()).toHaveLength(1);
  });
});

test('a search that fails after the executor has left the list causes no unhandled rejection', async () => {
  const unhandled = vi.fn();
  process.prependListener('unhandledRejection', unhandled);
  const loaders = { match: () => Promise.reject(new GatewayError('GATEWAY_BUSY')) };
  const { resolve } = schema.getQueryType()?.getFields()['matchReferences'] ?? {};
  const items = resolve?.(null, { references: [REFERENCE] }, { loaders }, {} as never) as Iterator<unknown>;
  expect(items.next().value).toBeInstanceOf(Promise);
  await new Promise((later) => setImmediate(later));
  process.removeListener('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test('without matching, a reference has the error METADATA_OFF', async () => {
  const { match, apis } = await startReferenceSearch({}, { ...CONTACT, MATCHING: 'no' });
  const { errors = [] } = await match(REFERENCE);
  expect(errors[0]).toMatchObject({ path: ['matchReferences', 0], extensions: { code: 'METADATA_OFF' } });
  expect(apis.calls).toEqual([]);
});

test('60 references take at most 24 s the first time, and no request the second', async () => {
  const references = readReferences()
    .filter(({ doi }) => doi !== null)
    .slice(0, 60)
    .map(({ text }) => text);
  const crossref = readReferenceWorks() as unknown as readonly Readonly<Record<string, unknown>>[];
  const { apis, match, time } = await startReferenceSearch({ searched: { crossref } });
  const startedAt = time.now();
  const outcomes = new Map<string, string>();
  while (outcomes.size < references.length && time.now() - startedAt < 60_000) {
    const missing = references.filter((reference) => !outcomes.has(reference));
    const { data } = await match(...missing);
    for (const one of data.matchReferences) if (one !== null) outcomes.set(one.reference, one.outcome);
  }
  expect(time.now() - startedAt).toBeLessThanOrEqual(24_000);
  expect([...outcomes.values()].filter((outcome) => outcome === 'FOUND').length).toBeGreaterThan(50);
  const calls = apis.calls.length;
  const again = await match(...references);
  expect(again.errors).toBeUndefined();
  expect(apis.calls).toHaveLength(calls);
  expect(apis.breaches).toEqual([]);
});

/** The number of random faults. The test also passes with 10,000 faults. */
const FAULTS = 100;

/** An invented name of a town for each number. */
const town = (number: number): string =>
  createHash('sha256')
    .update(String(number))
    .digest('hex')
    .slice(0, 8)
    .replace(/./g, (digit) => `${'bcdfghklmnprstvz'[Number.parseInt(digit, 16)]}a`);

test('with random faults, a reference has its own work or an error', async () => {
  const works = Array.from({ length: 400 }, (_, n) => ({
    ...PUMPS,
    DOI: `10.5555/pumps-${n}`,
    title: [`Reliability of hydraulic pumps in ${town(n)}`],
  }));
  const chance = faultsByChance(7, 0.6, [...FAILURES, 'HUGE']);
  let faults = 0;
  let failed = 0;
  const misbehaves = () => {
    const fault = chance();
    if (fault !== null) faults += 1;
    return fault;
  };
  for (let round = 0; faults < FAULTS; round += 1) {
    const { match } = await startReferenceSearch({ searched: { crossref: works }, seed: round, misbehaves });
    const chosen = Array.from({ length: 10 }, (_, n) => works[(10 * round + n) % works.length]);
    const { data, errors = [] } = await match(
      ...chosen.map((work) => `Berger A. ${work?.title[0]}. Journal of Mountain Engineering. 2012;57:978.`),
    );
    for (const [at, one] of data.matchReferences.entries()) {
      if (one === null) expect(errors.map(({ path }) => path?.[1])).toContain(at);
      else expect([one.outcome, one.doi?.name]).toEqual(['FOUND', chosen[at]?.DOI]);
    }
    failed += errors.length;
  }
  expect(failed).toBeGreaterThan(FAULTS / 4);
});
