// Prefixes: their agencies, and their own records.

import { describe, expect, test } from 'vitest';
import { urlValue } from '../support/fake-directory.ts';
import { createFakeGateway, NO_CALLS, recordCall } from './fake-gateway.ts';

const QUERY = `query ($name: String!) { doiPrefix(name: $name) {
  name registrationAgency { name } record { status handle values { type text } }
} }`;

describe('doiPrefix', () => {
  test('has the agency of the prefix, and the record of the handle of the prefix', async () => {
    const { query, calls } = await createFakeGateway({
      records: { '0.na/10.1000': [urlValue('10.SERV/CROSSREF', { type: 'HS_SERV' })] },
      agencies: { '10.1000': { status: 'FOUND', agency: 'Crossref' } },
    });
    expect(await query(QUERY, { name: '10.1000' })).toEqual({
      data: {
        doiPrefix: {
          name: '10.1000',
          registrationAgency: { name: 'Crossref' },
          record: {
            status: 'SUCCESS',
            handle: '0.NA/10.1000',
            values: [{ type: 'HS_SERV', text: '10.SERV/CROSSREF' }],
          },
        },
      },
    });
    expect(calls).toEqual({ resolve: [recordCall('0.NA/10.1000')], whichRa: [['10.1000']] });
  });

  test('is data even if the prefix is not assigned', async () => {
    const { query } = await createFakeGateway();
    expect(await query(QUERY, { name: '10.9999.10' })).toEqual({
      data: {
        doiPrefix: {
          name: '10.9999.10',
          registrationAgency: null,
          record: { status: 'HANDLE_NOT_FOUND', handle: '0.NA/10.9999.10', values: [] },
        },
      },
    });
  });

  test('shares look-ups with the names of the request', async () => {
    const { query, calls } = await createFakeGateway();
    await query(`{
      doiPrefix(name: "10.1000") { registrationAgency { name } }
      again: doiPrefix(name: "10.1000") { registrationAgency { name } }
      doi(input: "10.1000/1") { registrationAgency { name } }
    }`);
    expect(calls.whichRa).toEqual([['10.1000', '10.1000/1']]);
  });

  test.each([
    '',
    '10',
    '10.',
    '10.1000/',
    '10.1000/1',
    '10.10a',
    '11.1000',
    '10.1000.',
    ' 10.1000',
    '10.1000\n',
  ])('is null with BAD_USER_INPUT for %j', async (name) => {
    const { query, calls } = await createFakeGateway();
    const { data, errors } = await query(QUERY, { name });
    expect(data).toEqual({ doiPrefix: null });
    expect(errors).toMatchObject([
      {
        path: ['doiPrefix'],
        message: expect.stringContaining('is not a prefix of DOI names'),
        extensions: { code: 'BAD_USER_INPUT', retryable: false },
      },
    ]);
    expect(calls).toEqual(NO_CALLS);
  });

  test.each(['20.500.12345', '21.T11148', '2381', 'loc.gov', '11.1000'])(
    'has an error for the prefix %s, which is no DOI prefix, and the error names the handle to query',
    async (name) => {
      const { query } = await createFakeGateway();
      const { errors } = await query(QUERY, { name });
      expect(errors?.[0]?.message).toContain(`use handle(name: "0.NA/${name}")`);
      const { data } = await query('query ($name: String!) { handle(name: $name) { name } }', {
        name: `0.NA/${name}`,
      });
      expect(data).toEqual({ handle: { name: `0.NA/${name}` } });
    },
  );

  test.each(['10.10OO', '10.1000/182', '', 'a b'])(
    'has an error with an example of a prefix for %j',
    async (name) => {
      const { query } = await createFakeGateway();
      const { errors } = await query(QUERY, { name });
      expect(errors?.[0]?.message).toContain('as in "10.1000"');
    },
  );
});
