// Registration agencies: the agency of a name, an agency by its label, and the list of all agencies.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { REGISTRATION_AGENCIES } from '../../src/directory/registration-agencies.ts';
import { createFakeGateway, NO_CALLS } from './fake-gateway.ts';

const FOUND = { status: 'FOUND', agency: 'Crossref' } as const;
const FIELDS =
  'name title homepageUrl documented registers metadataApiUrl contentNegotiationUrl knownAsOf source';

describe('whichRa and registrationAgency of a DOI', () => {
  test('share one look-up and have the same agency', async () => {
    const { query, calls } = await createFakeGateway({ agencies: { '10.1000/1': FOUND } });
    const agency = {
      name: 'Crossref',
      title: 'Crossref',
      homepageUrl: 'https://www.crossref.org/',
      documented: true,
    };
    const result = await query(`{ doi(input: "10.1000/1") {
      registrationAgency { name title homepageUrl documented }
      whichRa { status agency { name title homepageUrl documented } message }
    } }`);
    expect(result).toEqual({
      data: {
        doi: { registrationAgency: agency, whichRa: { status: 'FOUND', agency, message: null } },
      },
    });
    expect(calls).toEqual({ resolve: [], whichRa: [['10.1000/1']] });
  });

  test('have only the label of an agency that is not documented', async () => {
    const { query } = await createFakeGateway({
      agencies: { '10.1000/1': { status: 'FOUND', agency: 'A New Agency' } },
    });
    const { data } = await query<{ doi: { registrationAgency: object } }>(
      `{ doi(input: "10.1000/1") { registrationAgency { ${FIELDS} } } }`,
    );
    const { name, documented, ...others } = data.doi.registrationAgency as Record<string, unknown>;
    expect([name, documented]).toEqual(['A New Agency', false]);
    expect(new Set(Object.values(others))).toEqual(new Set([null]));
  });

  test('are looked up in one call for all fields and names of a request, each name once', async () => {
    const { query, calls } = await createFakeGateway({
      agencies: { '10.1000/a': FOUND, '10.1000/b': { status: 'UNKNOWN', agency: null } },
    });
    const { data } = await query(`{
      dois(inputs: ["10.1000/a", "10.1000/b", "doi:10.1000/A", "10.1000/c"]) { whichRa { status } }
      doi(input: "https://doi.org/10.1000/B") { registrationAgency { name } }
      parseDois(inputs: ["10.1000/d"]) { doi { whichRa { status } } }
      doiEquivalence(a: "10.1000/e", b: "10.1000/E") { a { doi { whichRa { status } } } }
    }`);
    expect(data).toMatchObject({
      dois: [
        { whichRa: { status: 'FOUND' } },
        { whichRa: { status: 'UNKNOWN' } },
        { whichRa: { status: 'FOUND' } },
        { whichRa: { status: 'DOES_NOT_EXIST' } },
      ],
      doi: { registrationAgency: null },
    });
    const names = ['a', 'b', 'c', 'd', 'e'].map((suffix) => `10.1000/${suffix}`);
    expect(calls).toEqual({ resolve: [], whichRa: [names] });
  });
});

describe('registrationAgency(name:)', () => {
  // Labels are an open set: an unknown label is no error.
  test.each([
    ['mEDRA', 'mEDRA'],
    ['crossREF', 'Crossref'],
    ['Unheard of', null],
    ['', null],
    ['toString', null],
    ['__proto__', null],
  ])('of the label %j, in any letter case, is %j without a look-up', async (label, name) => {
    const { query, calls } = await createFakeGateway();
    const result = await query('query ($name: String!) { registrationAgency(name: $name) { name } }', {
      name: label,
    });
    expect(result).toEqual({ data: { registrationAgency: name === null ? null : { name } } });
    expect(calls).toEqual(NO_CALLS);
  });
});

test('every label that Which RA was seen to send is documented', async () => {
  const recorded = JSON.parse(
    readFileSync(new URL('../../data/prefix-agencies.json', import.meta.url), 'utf8'),
  ) as Readonly<Record<string, string>>;
  const labels = REGISTRATION_AGENCIES.map(({ name }) => name);
  expect(Object.values(recorded).filter((label) => !labels.includes(label))).toEqual([]);
});

interface Agency {
  readonly name: string;
  readonly metadataApiUrl: string | null;
  readonly contentNegotiationUrl: string | null;
}

test('registrationAgencies lists all documented agencies by label, as registrationAgency(name:) returns them', async () => {
  const { query, calls } = await createFakeGateway();
  const { data } = await query<{ registrationAgencies: Agency[] }>(`{ registrationAgencies { ${FIELDS} } }`);
  expect(data.registrationAgencies.map(({ name }) => name)).toEqual([
    ...['Airiti', 'BSI', 'CNKI', 'Crossref', 'DataCite', 'EIDR', 'HAND', 'ISTIC', 'JaLC', 'KISTI'],
    ...['mEDRA', 'OP'],
  ]);
  for (const agency of data.registrationAgencies) {
    expect(agency).toEqual({
      name: agency.name,
      title: expect.stringMatching(/\w/),
      homepageUrl: expect.stringMatching(/^https:\/\//),
      documented: true,
      registers: expect.stringMatching(/^[A-Z].+\.$/),
      metadataApiUrl: agency.metadataApiUrl && expect.stringMatching(/^https:\/\/.+\/$/),
      contentNegotiationUrl: agency.contentNegotiationUrl && expect.stringMatching(/^https:\/\/.+\/$/),
      knownAsOf: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      source: expect.stringMatching(/^https:\/\/www\.doi\.org\//),
    });
    const byName = await query(`query ($name: String!) { registrationAgency(name: $name) { ${FIELDS} } }`, {
      name: agency.name,
    });
    expect(byName).toEqual({ data: { registrationAgency: agency } });
  }
  expect(calls).toEqual(NO_CALLS);
});
