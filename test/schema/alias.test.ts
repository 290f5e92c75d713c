// DOI.alias, and whether the aliases of two names lead to one target.

import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { type RecordBehaviour, urlValue } from '../support/fake-directory.ts';
import { createFakeGateway, NO_CALLS, recordCall } from './fake-gateway.ts';

const aliasTo = (target: string): RecordBehaviour => [urlValue(target, { type: 'HS_ALIAS' })];
const LANDING: RecordBehaviour = [urlValue('https://example.org/')];

describe('alias', () => {
  async function aliasOf(behaviour: RecordBehaviour) {
    const { query, calls } = await createFakeGateway({ records: { '10.1000/1': behaviour } });
    const { data, errors } = await query<{ doi: { alias: unknown } }>(
      '{ doi(input: "10.1000/1") { alias { handle doi { name id } } } }',
    );
    expect(calls.resolve).toEqual([recordCall('10.1000/1')]);
    return { alias: data.doi.alias, code: errors?.[0]?.extensions['code'] ?? null };
  }

  test.each([
    ['10.1000/2', { name: '10.1000/2', id: 'doi:10.1000/2' }],
    ['10.1000/A#b', { name: '10.1000/A#b', id: 'doi:10.1000/A%23b' }],
    ['10.5555/nowhere', { name: '10.5555/nowhere', id: 'doi:10.5555/nowhere' }],
    ['10/abcde', null],
    ['0.NA/10.1000', null],
    ['doi:10.1000/2', null],
    ['//evil.example/x', null],
  ])('is the next handle, without a look-up for this handle: %s', async (handle, doi) => {
    expect(await aliasOf(aliasTo(handle))).toEqual({ alias: { handle, doi }, code: null });
  });

  test.each<[string, RecordBehaviour]>([
    ['a record without HS_ALIAS', LANDING],
    ['an empty HS_ALIAS', aliasTo('')],
    ['an absent name', 100],
    ['a record without values', 200],
  ])('is null without an error for %s', async (_, behaviour) => {
    expect(await aliasOf(behaviour)).toEqual({ alias: null, code: null });
  });

  test.each<[string, RecordBehaviour, string]>([
    ['has the status ERROR', 2, 'UPSTREAM_UNAVAILABLE'],
    ['fails', new GatewayError('UPSTREAM_BAD_RESPONSE'), 'UPSTREAM_BAD_RESPONSE'],
  ])('is null with an error if the record %s', async (_, behaviour, code) => {
    expect(await aliasOf(behaviour)).toEqual({ alias: null, code });
  });

  test('has the DOI to which it leads, and the fields of this DOI', async () => {
    const { query, calls } = await createFakeGateway({
      records: { '10.1000/1': aliasTo('10.1000/2'), '10.1000/2': LANDING },
    });
    expect(await query('{ doi(input: "10.1000/1") { alias { doi { exists alias { handle } } } } }')).toEqual({
      data: { doi: { alias: { doi: { exists: true, alias: null } } } },
    });
    expect(calls.resolve).toEqual([recordCall('10.1000/1'), recordCall('10.1000/2')]);
  });
});

describe('sameAliasTarget', () => {
  const records: Readonly<Record<string, RecordBehaviour>> = {
    '10.1000/a': aliasTo('10/middle'),
    '10/middle': aliasTo('10.1000/END'),
    '10.1000/b': aliasTo('10.1000/end'),
    '10.1000/end': LANDING,
    '10.1000/other': LANDING,
    '10.1000/dangling1': aliasTo('10.1000/missing'),
    '10.1000/dangling2': aliasTo('10.1000/MISSING'),
    '10.1000/loop': aliasTo('10.1000/Loop'),
    '10.1000/broken': 2,
  };
  const compare =
    'query ($a: String!, $b: String!) { doiEquivalence(a: $a, b: $b) { equivalent sameAliasTarget } }';

  test.each([
    ['10.1000/a', '10.1000/b', true],
    ['10.1000/a', '10.1000/END', true],
    ['10.1000/A', '10.1000/a', true],
    ['10.1000/a', '10.1000/other', false],
    ['10.1000/missing', '10.1000/MISSING', true],
    ['10.1000/missing', '10.1000/missing2', false],
    ['10.1000/dangling1', '10.1000/dangling2', true],
    ['10.1000/a', 'no name', null],
  ])('of %s and %s is %s', async (a, b, sameAliasTarget) => {
    const { query } = await createFakeGateway({ records });
    expect(await query(compare, { a, b })).toMatchObject({ data: { doiEquivalence: { sameAliasTarget } } });
  });

  test.each([
    ['10.1000/a', '10.1000/loop', 'ALIAS_LOOP'],
    ['10.1000/broken', '10.1000/a', 'UPSTREAM_UNAVAILABLE'],
  ])('of %s and %s is null with %s, beside the other fields', async (a, b, code) => {
    const { query } = await createFakeGateway({ records });
    expect(await query(compare, { a, b })).toMatchObject({
      data: { doiEquivalence: { equivalent: false, sameAliasTarget: null } },
      errors: [{ path: ['doiEquivalence', 'sameAliasTarget'], extensions: { code } }],
    });
  });

  test('needs one look-up for each name, and no look-up if a side is not a DOI', async () => {
    const { query, calls } = await createFakeGateway({ records });
    await query(compare, { a: '10.1000/a', b: '10.1000/b' });
    const names = ['10.1000/a', '10.1000/b', '10/middle', '10.1000/end'];
    expect(calls.resolve.splice(0)).toEqual(names.map((name) => recordCall(name)));
    await query(compare, { a: '10.1000/a', b: 'no name' });
    expect(calls).toEqual(NO_CALLS);
  });
});
