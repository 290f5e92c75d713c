// DOI.suggestions: existing names that are close to an absent name. packages/doi-names/test has the candidates.

import { canonicalName, type HandleName } from 'doi-names';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { type RecordBehaviour, urlValue } from '../support/fake-directory.ts';
import { createFakeGateway, recordCall } from './fake-gateway.ts';

const FOUND: RecordBehaviour = [urlValue('https://example.org/')];

async function suggest(name: string, records: Readonly<Record<string, RecordBehaviour>>) {
  const { query, calls } = await createFakeGateway({ records });
  const { data, errors } = await query<{ doi: { suggestions: { name: string }[] | null } }>(
    'query ($name: String!) { doi(input: $name, form: NAME) { suggestions { name } } }',
    { name },
  );
  return {
    names: data.doi.suggestions?.map((suggestion) => suggestion.name) ?? null,
    code: errors?.[0]?.extensions['code'] ?? null,
    calls: calls.resolve,
  };
}

describe('suggestions', () => {
  test.each([
    ['10.1000/182/', '10.1000/182'],
    ['10.1000/456%23789', '10.1000/456#789'],
    ['10.1000/a%E2%80%93b/.', '10.1000/a-b'],
    ['10.1000/ABC/', '10.1000/ABC'],
    ['10.1000/1233', '10.1000/1323'],
    ['10.1000/1233', '10.0100/1233'],
    ['10.1000/a12.', '10.1000/a21.'],
  ])('of the absent name %s have the existing name %s', async (name, suggested) => {
    const records = { [canonicalName(suggested as HandleName)]: FOUND };
    expect(await suggest(name, records)).toMatchObject({ names: [suggested], code: null });
  });

  test('are empty if two names with corrected digits exist', async () => {
    const records = { '10.1000/123': FOUND, '10.1000/2133': FOUND };
    expect(await suggest('10.1000/1233', records)).toMatchObject({ names: [], code: null });
  });

  test('have no corrected digits if a repaired name exists', async () => {
    const records = { '10.1000/12': FOUND, '10.1000/21.': FOUND };
    const { names, calls } = await suggest('10.1000/12.', records);
    expect(names).toEqual(['10.1000/12']);
    expect(calls).toEqual([recordCall('10.1000/12.'), recordCall('10.1000/12')]);
  });

  test.each(['10.1000/1234567890123456789', '10.1000/1234567890123456789/full?a=b).'])(
    'need at most ten look-ups after the look-up of the name: %s',
    async (name) => {
      const { names, calls } = await suggest(name, {});
      expect(names).toEqual([]);
      expect(calls).toHaveLength(11);
      expect(new Set(calls.map((call) => call.name)).size).toBe(11);
    },
  );

  test('are in the order of likelihood', async () => {
    const name = '10.1000/a\u2013b%2Fc/.';
    const all = await suggest(name, {});
    expect(all).toMatchObject({ names: [], code: null });
    const some = await suggest(name, { '10.1000/a-b/c': FOUND, '10.1000/a\u2013b%2fc/': 200 });
    expect(some).toMatchObject({ names: ['10.1000/a\u2013b%2Fc/', '10.1000/a-b/c'], code: null });
    expect(some.calls).toEqual(all.calls.slice(0, some.calls.length));
  });

  test.each<[string, RecordBehaviour]>([
    ['exists', FOUND],
    ['has no values', 200],
  ])('are empty for a name that %s, without a further look-up', async (_, behaviour) => {
    const records = { '10.1000/1/': behaviour, '10.1000/1': FOUND };
    expect(await suggest('10.1000/1/', records)).toEqual({
      names: [],
      code: null,
      calls: [recordCall('10.1000/1/')],
    });
  });

  test.each<[string, Readonly<Record<string, RecordBehaviour>>, string]>([
    ['the name fails', { '10.1000/1/': new GatewayError('UPSTREAM_TIMEOUT') }, 'UPSTREAM_TIMEOUT'],
    ['the name has the status ERROR', { '10.1000/1/': 2 }, 'UPSTREAM_UNAVAILABLE'],
    [
      'a candidate fails',
      { '10.1000/1': new GatewayError('UPSTREAM_RATE_LIMITED') },
      'UPSTREAM_RATE_LIMITED',
    ],
    ['a candidate has the status ERROR', { '10.1000/1': 2 }, 'UPSTREAM_UNAVAILABLE'],
  ])('are null with an error if %s', async (_, records, code) => {
    expect(await suggest('10.1000/1/', records)).toMatchObject({ names: null, code });
  });

  test('of many names need one look-up for each name and each candidate', async () => {
    const inputs = Array.from({ length: 20 }, (_, n) => [`10.1000/${n}/`, `10.1000/${n}.`]).flat();
    const records = Object.fromEntries(inputs.map((_, n) => [`10.1000/${n}`, FOUND]));
    const { query, calls } = await createFakeGateway({ records });
    const { data } = await query<{ dois: { suggestions: { name: string }[] }[] }>(
      'query ($inputs: [String!]!) { dois(inputs: $inputs, form: NAME) { suggestions { name exists } } }',
      { inputs },
    );
    expect(data.dois.flatMap(({ suggestions }) => suggestions)).toEqual(
      inputs.map((input) => ({ name: input.slice(0, -1), exists: true })),
    );
    // All names come first, then all candidates.
    expect(calls.resolve.slice(0, 40).map(({ name }) => name)).toEqual(inputs);
    expect(calls.resolve.slice(40).map(({ name }) => name)).toEqual(
      inputs.filter((_, n) => n % 2 === 0).map((input) => input.slice(0, -1)),
    );
  });
});
