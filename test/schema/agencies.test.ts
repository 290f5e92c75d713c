// Registration agencies: of a name, by label, and all of them.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { REGISTRATION_AGENCIES } from '../../src/directory/registration-agencies.ts';
import { asked, createFakeGateway, NO_CALLS } from './fake-gateway.ts';

const FOUND = { status: 'FOUND', agency: 'Crossref' } as const;

describe('whichRa and registrationAgency of a DOI', () => {
  test('share one look-up, and the agency of both is the same', async () => {
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

  test('know an agency that is not documented by its label alone', async () => {
    const { query, calls } = await createFakeGateway({
      agencies: { '10.1000/1': { status: 'FOUND', agency: 'A New Agency' } },
    });
    const result = await query(
      '{ doi(input: "10.1000/1") { registrationAgency { name title homepageUrl documented } } }',
    );
    expect(result).toEqual({
      data: {
        doi: {
          registrationAgency: { name: 'A New Agency', title: null, homepageUrl: null, documented: false },
        },
      },
    });
    expect(calls).toEqual({ resolve: [], whichRa: [['10.1000/1']] });
  });

  test('are looked up for all names of a request at once, each name once in any spelling', async () => {
    const { query, calls } = await createFakeGateway({
      agencies: { '10.1000/a': FOUND, '10.1000/b': { status: 'UNKNOWN', agency: null } },
    });
    const { data } = await query(`{
      dois(inputs: ["10.1000/a", "10.1000/b", "doi:10.1000/A", "10.1000/c"]) { whichRa { status } }
      doi(input: "https://doi.org/10.1000/B") { registrationAgency { name } }
    }`);
    expect(data).toEqual({
      dois: [
        { whichRa: { status: 'FOUND' } },
        { whichRa: { status: 'UNKNOWN' } },
        { whichRa: { status: 'FOUND' } },
        { whichRa: { status: 'DOES_NOT_EXIST' } },
      ],
      doi: { registrationAgency: null },
    });
    expect(calls).toEqual({ resolve: [], whichRa: [['10.1000/a', '10.1000/b', '10.1000/c']] });
  });

  test('are not looked up with the record, nor the record with them', async () => {
    const { query, calls } = await createFakeGateway({ agencies: { '10.1000/1': FOUND } });
    await query('{ doi(input: "10.1000/1") { record { status } } }');
    expect(calls).toEqual({ resolve: [asked('10.1000/1')], whichRa: [] });
  });
});

describe('registrationAgency(name:)', () => {
  test('gives a documented agency by its label, without a look-up', async () => {
    const { query, calls } = await createFakeGateway();
    const result = await query('{ registrationAgency(name: "mEDRA") { name title homepageUrl documented } }');
    expect(result).toEqual({
      data: {
        registrationAgency: {
          name: 'mEDRA',
          title: 'Multilingual European DOI Registration Agency',
          homepageUrl: 'https://www.medra.org/',
          documented: true,
        },
      },
    });
    expect(calls).toEqual(NO_CALLS);
  });

  test('finds a label in any case', async () => {
    const { query } = await createFakeGateway();
    const { data } = await query('{ registrationAgency(name: "crossREF") { name } }');
    expect(data).toEqual({ registrationAgency: { name: 'Crossref' } });
  });

  for (const name of ['Nobody', '', 'toString', '__proto__']) {
    test(`is null without an error for "${name}": labels are an open set`, async () => {
      const { query, calls } = await createFakeGateway();
      const result = await query('query ($name: String!) { registrationAgency(name: $name) { name } }', {
        name,
      });
      expect(result).toEqual({ data: { registrationAgency: null } });
      expect(calls).toEqual(NO_CALLS);
    });
  }
});

test('an agency that is not documented has nothing but its label', async () => {
  const { query } = await createFakeGateway({
    agencies: { '10.1000/1': { status: 'FOUND', agency: 'A New Agency' } },
  });
  const { data } = await query(`{ doi(input: "10.1000/1") { registrationAgency {
    registers metadataApiUrl contentNegotiationUrl knownAsOf source documented
  } } }`);
  expect(data).toEqual({
    doi: {
      registrationAgency: {
        registers: null,
        metadataApiUrl: null,
        contentNegotiationUrl: null,
        knownAsOf: null,
        source: null,
        documented: false,
      },
    },
  });
});

test('every label that was recorded of Which RA is documented', async () => {
  const recorded = JSON.parse(
    readFileSync(new URL('../../data/prefix-agencies.json', import.meta.url), 'utf8'),
  ) as Readonly<Record<string, string>>;
  const labels = REGISTRATION_AGENCIES.map(({ name }) => name);
  expect(Object.values(recorded).filter((label) => !labels.includes(label))).toEqual([]);
});

describe('registrationAgencies', () => {
  interface Agency {
    readonly name: string;
    readonly title: string | null;
    readonly homepageUrl: string | null;
    readonly documented: boolean;
    readonly registers: string | null;
    readonly metadataApiUrl: string | null;
    readonly contentNegotiationUrl: string | null;
    readonly knownAsOf: string | null;
    readonly source: string | null;
  }

  const FIELDS =
    'name title homepageUrl documented registers metadataApiUrl contentNegotiationUrl knownAsOf source';

  test('lists all documented agencies by label, each as registrationAgency(name:) gives it', async () => {
    const { query, calls } = await createFakeGateway();
    const { data } = await query<{ registrationAgencies: Agency[] }>(
      `{ registrationAgencies { ${FIELDS} } }`,
    );
    const labels = data.registrationAgencies.map(({ name }) => name);
    expect(labels).toEqual([...new Set(labels)].sort((a, b) => a.localeCompare(b, 'en')));
    expect(labels).toEqual([
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
});
