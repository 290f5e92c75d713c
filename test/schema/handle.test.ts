import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { urlValue } from '../support/fake-directory.ts';
import { createFakeGateway, NO_CALLS, recordCall } from './fake-gateway.ts';

const QUERY = `query ($name: String!) { handle(name: $name) {
  name prefix suffix uri url doi { id } exists record { status handle values { type text } }
  redirect { url chosenBy via } locations { href country } alias { handle doi { name } }
} }`;

const LOCATIONS =
  '<locations><location href="https://example.org/gb" country="gb"/><location href="https://example.org/us"/></locations>';

describe('handle', () => {
  test('has the record, redirect, locations and alias of a handle that is no DOI', async () => {
    const { query, calls } = await createFakeGateway({
      records: { '20.500.12345/a#1': [urlValue('https://repository.example/1')] },
    });
    expect(await query(QUERY, { name: '20.500.12345/a#1' })).toEqual({
      data: {
        handle: {
          name: '20.500.12345/a#1',
          prefix: '20.500.12345',
          suffix: 'a#1',
          uri: 'hdl:20.500.12345/a%231',
          url: 'https://hdl.handle.net/20.500.12345/a%231',
          doi: null,
          exists: true,
          record: {
            status: 'SUCCESS',
            handle: '20.500.12345/a#1',
            values: [{ type: 'URL', text: 'https://repository.example/1' }],
          },
          redirect: { url: 'https://repository.example/1', chosenBy: 'URL', via: [] },
          locations: [],
          alias: null,
        },
      },
    });
    expect(calls.resolve).toContainEqual(recordCall('20.500.12345/a#1'));
    expect(calls.whichRa).toEqual([]);
  });

  test('redirects over an alias to one of the locations', async () => {
    const { query } = await createFakeGateway({
      records: {
        '2381/A': [urlValue('10.1000/1', { type: 'HS_ALIAS' })],
        '10.1000/1': [urlValue(LOCATIONS, { type: '10320/loc' })],
      },
    });
    const { data } = await query(
      `{ handle(name: "2381/A") {
        redirect(parameters: { country: "gb" }) { url chosenBy via }
        locations { href country } alias { handle doi { name } }
      } }`,
    );
    expect(data).toEqual({
      handle: {
        redirect: { url: 'https://example.org/gb', chosenBy: 'COUNTRY', via: ['10.1000/1'] },
        locations: [
          { href: 'https://example.org/gb', country: 'gb' },
          { href: 'https://example.org/us', country: null },
        ],
        alias: { handle: '10.1000/1', doi: { name: '10.1000/1' } },
      },
    });
  });

  test('that is a DOI name has this DOI, and shares its look-up', async () => {
    const { query, calls } = await createFakeGateway({
      records: { '10.1000/1': [urlValue('https://example.org/')] },
    });
    const { data } = await query(`{
      handle(name: "hdl:10.1000/1") { exists doi { id exists } }
      doi(input: "10.1000/1") { exists }
    }`);
    expect(data).toEqual({
      handle: { exists: true, doi: { id: 'doi:10.1000/1', exists: true } },
      doi: { exists: true },
    });
    expect(calls).toEqual({ resolve: [recordCall('10.1000/1')], whichRa: [] });
  });

  test('that the directory fails to look up has an error at each field', async () => {
    const { query } = await createFakeGateway({
      records: { '2381/1': new GatewayError('UPSTREAM_TIMEOUT') },
    });
    const { data, errors } = await query('{ handle(name: "2381/1") { name exists redirect { url } } }');
    expect(data).toEqual({ handle: { name: '2381/1', exists: null, redirect: null } });
    expect(errors?.map(({ path, extensions }) => [path?.join('.'), extensions['code']])).toEqual([
      ['handle.exists', 'UPSTREAM_TIMEOUT'],
      ['handle.redirect', 'UPSTREAM_TIMEOUT'],
    ]);
  });

  test.each(['', '2381', '10.1000', '2381/', '/1', 'https://example.org/1', 'see 2381/1', '2381/\u0007'])(
    'is null with BAD_USER_INPUT for %j',
    async (name) => {
      const { query, calls } = await createFakeGateway();
      const { data, errors } = await query('query ($name: String!) { handle(name: $name) { name exists } }', {
        name,
      });
      expect(data).toEqual({ handle: null });
      expect(errors).toMatchObject([
        {
          path: ['handle'],
          message: expect.stringMatching(/handle/),
          extensions: { code: 'BAD_USER_INPUT', retryable: false },
        },
      ]);
      expect(calls).toEqual(NO_CALLS);
    },
  );
});
