// DOIMatch.referenceFit: whether the reference around a name describes the work of the name.

import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { createFakeGateway, createLoggedGateway } from './fake-gateway.ts';

const WORK = {
  title: 'Housing prices in small island states',
  author: [{ family: 'Okafor', given: 'Noor' }],
  issued: { 'date-parts': [[2019]] },
};
const TEXT = [
  'Okafor, N. (2019). Housing prices in small island states. Lancet, 1. doi:10.1000/right',
  'Ito, Y. (1987). Coral bleaching and the early Universe. Nature, 3. doi:10.1000/wrong',
  'Ito, Y. (1987). Coral bleaching and the early Universe. Nature, 3. doi:10.1000/none',
  'doi:10.1000/bare',
].join('\n');
const QUERY = 'query ($text: String!) { findDois(text: $text) { doi { name } referenceFit } }';

describe('referenceFit', () => {
  test('compares the reference of each match with the metadata of its name', async () => {
    const metadata = { '10.1000/right': WORK, '10.1000/wrong': WORK, '10.1000/bare': WORK };
    const { query, calls } = await createFakeGateway({ metadata });
    const { data, errors } = await query(QUERY, { text: TEXT });
    expect(errors).toBeUndefined();
    expect(data['findDois']).toEqual([
      { doi: { name: '10.1000/right' }, referenceFit: 'FITS' },
      { doi: { name: '10.1000/wrong' }, referenceFit: 'DOES_NOT_FIT' },
      { doi: { name: '10.1000/none' }, referenceFit: 'CANNOT_TELL' },
      { doi: { name: '10.1000/bare' }, referenceFit: 'CANNOT_TELL' },
    ]);
    expect(calls.describe).toHaveLength(4);
    expect([calls.resolve, calls.whichRa]).toEqual([[], []]);
  });

  test('is null with an error if the agency fails or metadata is off', async () => {
    const metadata = { '10.1000/right': new GatewayError('UPSTREAM_UNAVAILABLE') };
    const { query } = await createFakeGateway({ metadata });
    const { data, errors } = await query<{ findDois: object[] }>(QUERY, { text: TEXT });
    expect(data.findDois[0]).toEqual({ doi: { name: '10.1000/right' }, referenceFit: null });
    expect(errors).toMatchObject([{ path: ['findDois', 0, 'referenceFit'] }]);
    const off = await (await createFakeGateway()).query(QUERY, { text: TEXT });
    expect(off.errors?.[0]?.extensions['code']).toBe('METADATA_OFF');
  });

  test('has the price of metadata', async () => {
    const { query } = (await createLoggedGateway({ metadata: {} }, {}, { complexity: 140 })).gateway;
    const { errors } = await query('query ($text: String!) { findDois(text: $text) { referenceFit } }', {
      text: TEXT,
    });
    // Each match costs 50.
    expect(errors).toMatchObject([{ path: ['findDois', 2], extensions: { code: 'LIMIT_EXCEEDED' } }]);
  });

  test('is also a field of the matches in `meant`', async () => {
    const { query } = await createFakeGateway({ metadata: { '10.1000/right': WORK } });
    const { data } = await query(
      'query ($input: String!) { parseDoi(input: $input) { meant { referenceFit } } }',
      { input: `${TEXT.split('\n')[0]} .` },
    );
    expect(data['parseDoi']).toEqual({ meant: [{ referenceFit: 'FITS' }] });
  });
});
