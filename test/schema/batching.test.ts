// All fields of a request share its look-ups. test/loaders has the rules of the look-ups themselves.

import { describe, expect, test } from 'vitest';
import { createWhichRaAnswer } from '../../src/directory/directory.ts';
import { NOW, urlValue } from '../support/fake-directory.ts';
import { createFakeGateway, NO_CALLS, recordCall } from './fake-gateway.ts';

const VALUES = [urlValue('https://example.org/'), urlValue('https://example.org/2', { index: 2 })];
const FOUND = createWhichRaAnswer({ status: 'FOUND', agency: 'Crossref' }, NOW);

describe('one look-up of a record', () => {
  test('serves all fields, filters and queries of a DOI, in any spelling and form', async () => {
    const { query, calls } = await createFakeGateway({ records: { '10.1000/ab': VALUES } });
    const result = await query(`
      query {
        doi(input: "10.1000/Ab") {
          exists
          record { status all: values { index } }
          again: record { second: values(indexes: [2]) { text } urls: values(types: ["url"]) { index } }
          ...More
        }
        upper: doi(input: "doi:10.1000/AB") { exists ...More }
        dois(inputs: ["10.1000/ab", "https://doi.org/10.1000/aB", "10.1000/ab"]) { exists }
        parseDoi(input: "urn:doi:10.1000:ab") { doi { exists } }
        doiEquivalence(a: "10.1000/AB", b: "10.1000/ab") { a { doi { exists } } b { doi { exists } } }
        doiEquivalenceClasses(inputs: ["10.1000/ab"]) { classes { doi { exists } } }
      }
      fragment More on DOI { third: record(auth: false, cert: null) { responseCode } }
    `);
    expect(result.errors).toBeUndefined();
    expect(result.data).toEqual({
      doi: {
        exists: true,
        record: { status: 'SUCCESS', all: [{ index: 1 }, { index: 2 }] },
        again: { second: [{ text: 'https://example.org/2' }], urls: [{ index: 1 }, { index: 2 }] },
        third: { responseCode: 1 },
      },
      upper: { exists: true, third: { responseCode: 1 } },
      dois: [{ exists: true }, { exists: true }, { exists: true }],
      parseDoi: { doi: { exists: true } },
      doiEquivalence: { a: { doi: { exists: true } }, b: { doi: { exists: true } } },
      doiEquivalenceClasses: { classes: [{ doi: { exists: true } }] },
    });
    expect(calls).toEqual({ resolve: [recordCall('10.1000/Ab')], whichRa: [] });
  });

  test('is not made for fields that are not selected', async () => {
    const { query, calls } = await createFakeGateway();
    const { errors } = await query(
      `query ($no: Boolean!) {
        doi(input: "10.1000/1") { id url warnings { code } exists @include(if: $no) record @include(if: $no) { status } }
      }`,
      { no: false },
    );
    expect(errors).toBeUndefined();
    expect(calls).toEqual(NO_CALLS);
  });

  test('that fails is not repeated for other fields', async () => {
    const { query, calls } = await createFakeGateway({ records: { '10.1000/1': new Error('gone') } });
    const { errors } = await query(
      '{ dois(inputs: ["10.1000/1", "doi:10.1000/1"]) { exists record { status } again: record { handle } } }',
    );
    expect(errors).toHaveLength(6);
    expect(calls.resolve).toEqual([recordCall('10.1000/1')]);
  });
});

test('each combination of auth and cert has its own look-up, and so has the record without auth and cert', async () => {
  const { query, calls } = await createFakeGateway({ records: { '10.1000/a': VALUES } });
  const { errors } = await query(`{
    doi(input: "10.1000/a") {
      exists
      plain: record(auth: false) { status }
      auth: record(auth: true) { status }
      authAgain: record(auth: true, cert: false) { handle }
      cert: record(cert: true) { status }
      both: record(auth: true, cert: true) { status }
    }
    upper: doi(input: "10.1000/A") { record(auth: true) { handle } cert: record(cert: true) { handle } }
  }`);
  expect(errors).toBeUndefined();
  expect(calls.resolve).toHaveLength(4);
  expect(calls.resolve).toEqual(
    expect.arrayContaining([
      recordCall('10.1000/a'),
      recordCall('10.1000/a', { auth: true }),
      recordCall('10.1000/a', { cert: true }),
      recordCall('10.1000/a', { auth: true, cert: true }),
    ]),
  );
});

test('each spelling has its own name, id and record.handle, and shares all other fields', async () => {
  const { query, calls } = await createFakeGateway({
    records: { '10.1000/abc': VALUES },
    agencies: { '10.1000/abc': FOUND },
  });
  const spellings = ['10.1000/aBc', '10.1000/ABC', '10.1000/abc', '10.1000/ABC'];
  const result = await query(
    `query ($inputs: [String!]!) { dois(inputs: $inputs) {
      id name canonicalName exists record { handle status values { text } } fresh: record(auth: true) { handle }
      registrationAgency { name }
    } }`,
    { inputs: spellings },
  );
  const values = [{ text: 'https://example.org/' }, { text: 'https://example.org/2' }];
  expect(result).toEqual({
    data: {
      dois: spellings.map((name) => ({
        id: `doi:${name}`,
        name,
        canonicalName: '10.1000/abc',
        exists: true,
        record: { handle: name, status: 'SUCCESS', values },
        fresh: { handle: name },
        registrationAgency: { name: 'Crossref' },
      })),
    },
  });
  expect(calls).toEqual({
    resolve: [recordCall('10.1000/aBc'), recordCall('10.1000/aBc', { auth: true })],
    whichRa: [['10.1000/aBc']],
  });
});
