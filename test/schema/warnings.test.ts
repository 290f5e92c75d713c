// DOI.warnings, and the repaired names that they offer. packages/doi-names/test has the rules of warnings.

import { describe, expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { executePlanned, planOperation, priceOf } from '../graphql/execute-planned.ts';
import { urlValue } from '../support/fake-directory.ts';
import { createFakeGateway, NO_CALLS, recordCall } from './fake-gateway.ts';

describe('a warning', () => {
  test('offers the repaired name, and does not change the name', async () => {
    const { query, calls } = await createFakeGateway();
    const { data } = await query(
      '{ doi(input: "(doi:10.1000/182/full.)") { name warnings { code position repaired { id warnings { code } } } } }',
    );
    expect(data).toEqual({
      doi: {
        name: '10.1000/182/full.',
        warnings: [
          {
            code: 'TRAILING_PUNCTUATION',
            position: 16,
            repaired: { id: 'doi:10.1000/182%2Ffull', warnings: [{ code: 'VIEW_SUFFIX' }] },
          },
        ],
      },
    });
    expect(calls).toEqual(NO_CALLS);
  });

  test('offers no name if the repaired text is no DOI name', async () => {
    const { query } = await createFakeGateway();
    const { data } = await query('{ doi(input: "10.1000/...") { warnings { code repaired { name } } } }');
    expect(data).toEqual({ doi: { warnings: [{ code: 'TRAILING_PUNCTUATION', repaired: null }] } });
  });

  test('needs one look-up for each offered name, if a field needs the record', async () => {
    const { query, calls } = await createFakeGateway({
      records: { '10.1000/182': [urlValue('https://x.org')] },
    });
    const { data } = await query(
      '{ dois(inputs: ["10.1000/182.", "10.1000/182,"]) { warnings { repaired { exists } } } }',
    );
    const offered = { warnings: [{ repaired: { exists: true } }] };
    expect(data).toEqual({ dois: [offered, offered] });
    expect(calls.resolve).toEqual([recordCall('10.1000/182')]);
  });
});

describe('repaired names of repaired names', () => {
  /** A name with many warnings. Most of them offer a repaired name. */
  const NAME = '10.1000/e\u0301–%41 &amp;?a=b</i>;jsessionid=1, 10.1000/2)}';

  const nested = (depth: number): string =>
    depth === 0 ? 'name' : `name warnings { repaired { ${nested(depth - 1)} } }`;

  test.each([1, 2, 3, 4])('cost more than their number, %i levels deep', async (depth) => {
    const operation = planOperation(
      schema,
      `query ($name: String!) { doi(input: $name, form: NAME) { ${nested(depth)} } }`,
      { name: NAME },
    );
    if (operation === null) return expect.unreachable();
    const { data, errors } = await executePlanned(operation);
    expect(errors).toEqual([]);
    const names = data.split('"name"').length - 1;
    expect(names).toBeGreaterThan(4 ** depth);
    expect(names).toBeLessThan(priceOf(operation));
  });

  test('six levels deep are refused before the operation starts', async () => {
    const { query } = await createFakeGateway();
    const { data, errors } = await query(`query ($name: String!) { doi(input: $name) { ${nested(6)} } }`, {
      name: NAME,
    });
    expect(errors?.[0]?.extensions['code']).toBe('LIMIT_EXCEEDED');
    expect(data ?? { doi: null }).toEqual({ doi: null });
  });
});
