import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { type RecordBehaviour, urlValue } from '../support/fake-directory.ts';
import { createFakeGateway, NO_CALLS, recordCall } from './fake-gateway.ts';

const aliasTo = (target: string): RecordBehaviour => [urlValue(target, { type: 'HS_ALIAS' })];

const QUERY =
  'query ($input: String!) { shortDoi(input: $input) { handle url exists doi { name record { status } } } }';

describe('shortDoi', () => {
  test('has the DOI to which its alias leads, with one look-up', async () => {
    const { query, calls } = await createFakeGateway({ records: { '10/abcde': aliasTo('10.1000/182') } });
    const result = await query(
      '{ shortDoi(input: "https://doi.org/abcde") { handle url exists doi { name } } }',
    );
    expect(result).toEqual({
      data: {
        shortDoi: {
          handle: '10/abcde',
          url: 'https://doi.org/abcde',
          exists: true,
          doi: { name: '10.1000/182' },
        },
      },
    });
    expect(calls).toEqual({ resolve: [recordCall('10/abcde')], whichRa: [] });
  });

  test('has its handle and URL without a look-up', async () => {
    const { query, calls } = await createFakeGateway();
    const { data } = await query('{ shortDoi(input: "AbCde") { handle url } }');
    expect(data).toEqual({ shortDoi: { handle: '10/AbCde', url: 'https://doi.org/AbCde' } });
    expect(calls).toEqual(NO_CALLS);
  });

  test('follows aliases to the first DOI name', async () => {
    const { query, calls } = await createFakeGateway({
      records: { '10/abcde': aliasTo('10/b'), '10/b': aliasTo('10/c'), '10/c': aliasTo('10.1000/1') },
    });
    const { data } = await query('{ shortDoi(input: "10/abcde") { doi { name } } }');
    expect(data).toEqual({ shortDoi: { doi: { name: '10.1000/1' } } });
    expect(calls.resolve.slice(0, 3)).toEqual([
      recordCall('10/abcde'),
      recordCall('10/b'),
      recordCall('10/c'),
    ]);
  });

  test.each([
    ['is not registered', {}, false],
    ['is no alias', { '10/abcde': [urlValue('https://example.org/')] }, true],
    ['leads to another handle', { '10/abcde': aliasTo('20.500/1') }, true],
  ])('has no DOI and no error if it %s', async (_, records, exists) => {
    const { query } = await createFakeGateway({ records });
    const { data, errors } = await query(QUERY, { input: '10/abcde' });
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ shortDoi: { exists, doi: null } });
  });

  test('has an error at each field if the directory fails', async () => {
    const { query } = await createFakeGateway({
      records: { '10/abcde': new GatewayError('UPSTREAM_TIMEOUT') },
    });
    const { data, errors } = await query(QUERY, { input: '10/abcde' });
    expect(data).toMatchObject({ shortDoi: { handle: '10/abcde', exists: null, doi: null } });
    expect(errors?.map(({ path }) => path)).toEqual([
      ['shortDoi', 'exists'],
      ['shortDoi', 'doi'],
    ]);
  });

  test.each([
    ['10.1000/182', 'NOT_IN_FORM', 'is a DOI name, not a shortDOI. Use doi(input: …)'],
    ['10/abc-de', 'NOT_IN_FORM', 'is not a shortDOI. A shortDOI has only letters and digits'],
    ['', 'EMPTY', 'is empty'],
    ['10/\ud800', 'UNPAIRED_SURROGATE', 'half a character'],
  ])('is null with INVALID_DOI for %j', async (input, reason, message) => {
    const { query, calls } = await createFakeGateway();
    const { data, errors } = await query(QUERY, { input });
    expect(data).toEqual({ shortDoi: null });
    expect(errors).toMatchObject([
      {
        path: ['shortDoi'],
        message: expect.stringContaining(message),
        extensions: { code: 'INVALID_DOI', reason, retryable: false },
      },
    ]);
    expect(calls).toEqual(NO_CALLS);
  });
});

test('the error of doi for a shortDOI names the query that expands the shortDOI', async () => {
  const { query } = await createFakeGateway();
  const { errors } = await query('{ doi(input: "10/abcde") { name } }');
  expect(errors).toMatchObject([
    {
      message: expect.stringContaining('Query shortDoi(input: "10/abcde")'),
      extensions: { reason: 'SHORT_DOI' },
    },
  ]);
});
