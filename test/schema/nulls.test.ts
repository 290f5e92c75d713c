// The table of nulls at the head of the contract.

import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { urlValue } from '../support/fake-directory.ts';
import { createFakeGateway, NO_CALLS, recordCall } from './fake-gateway.ts';

const URL_VALUE = urlValue('https://example.org/');
const FOUND = { status: 'FOUND', agency: 'Crossref' } as const;
const LOOKED_UP = 'record { status } exists whichRa { status } registrationAgency { name }';

test('the field doi returns a DOI even if the name is absent', async () => {
  const { query, calls } = await createFakeGateway();
  const result = await query('{ doi(input: "10.1000/absent") { id name } }');
  expect(result).toEqual({ data: { doi: { id: 'doi:10.1000/absent', name: '10.1000/absent' } } });
  expect(calls).toEqual(NO_CALLS);
});

describe('record and exists', () => {
  const QUERY = '{ doi(input: "10.1000/1") { record { responseCode status values { index } } exists } }';

  test.each([
    [1, 'SUCCESS', true],
    [200, 'VALUES_NOT_FOUND', true],
    [100, 'HANDLE_NOT_FOUND', false],
  ])('are data for the response code %i: %s, exists %s', async (responseCode, status, exists) => {
    const behaviour = responseCode === 1 ? [URL_VALUE] : responseCode;
    const { query, calls } = await createFakeGateway({ records: { '10.1000/1': behaviour } });
    const values = responseCode === 1 ? [{ index: 1 }] : [];
    expect(await query(QUERY)).toEqual({
      data: { doi: { record: { responseCode, status, values }, exists } },
    });
    expect(calls).toEqual({ resolve: [recordCall('10.1000/1')], whichRa: [] });
  });

  test.each([2, 3, 4, 7, 102, 301, 302, 401, 999])(
    'differ for the response code %i: the record is data, and exists is null with UPSTREAM_UNAVAILABLE',
    async (responseCode) => {
      const { query } = await createFakeGateway({ records: { '10.1000/1': responseCode } });
      const { data, errors } = await query(QUERY);
      const record = { responseCode, status: 'ERROR', values: [] };
      expect(data).toEqual({ doi: { record, exists: null } });
      expect(errors).toMatchObject([
        { path: ['doi', 'exists'], extensions: { code: 'UPSTREAM_UNAVAILABLE', retryable: true } },
      ]);
    },
  );
});

test.each(['INVALID_DOI', 'DOES_NOT_EXIST', 'UNKNOWN'] as const)(
  'registrationAgency is null without an error if whichRa.status is %s',
  async (status) => {
    const { query } = await createFakeGateway({ agencies: { '10.1000/1': { status, agency: null } } });
    const result = await query(
      '{ doi(input: "10.1000/1") { registrationAgency { name } whichRa { status agency { name } message } } }',
    );
    const whichRa = { status, agency: null, message: expect.stringMatching(/\w/) };
    expect(result).toEqual({ data: { doi: { registrationAgency: null, whichRa } } });
  },
);

const RECORD = { record: { status: 'SUCCESS' }, exists: true };
const AGENCY = { whichRa: { status: 'FOUND' }, registrationAgency: { name: 'Crossref' } };

test.each([
  [
    'the record',
    { records: { '10.1000/1': new GatewayError('UPSTREAM_TIMEOUT') }, agencies: { '10.1000/1': FOUND } },
    { record: null, exists: null, ...AGENCY },
  ],
  [
    'the agency',
    {
      records: { '10.1000/1': [URL_VALUE] },
      agencies: { '10.1000/1': new GatewayError('UPSTREAM_TIMEOUT') },
    },
    { ...RECORD, whichRa: null, registrationAgency: null },
  ],
  [
    'the directory that the record reports',
    { records: { '10.1000/1': 2 }, agencies: { '10.1000/1': FOUND } },
    { record: { status: 'ERROR' }, exists: null, ...AGENCY },
  ],
])('a failure of %s makes only its own fields null, with an error at each path', async (_, options, doi) => {
  const { query, calls } = await createFakeGateway(options);
  const { data, errors = [] } = await query(`{ doi(input: "10.1000/1") { ${LOOKED_UP} } }`);
  expect(data).toEqual({ doi });
  const nulls = Object.entries(doi).flatMap(([field, value]) => (value === null ? [`doi.${field}`] : []));
  expect(errors.map(({ path }) => path?.join('.')).toSorted()).toEqual(nulls.toSorted());
  for (const { extensions } of errors) expect(extensions['retryable']).toBe(true);
  expect(calls).toEqual({ resolve: [recordCall('10.1000/1')], whichRa: [['10.1000/1']] });
});
