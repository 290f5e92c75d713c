// Found data have a cost. Data above the limit have an error at their path, and the gateway does not resolve their fields.

import { describe, expect, onTestFinished, test } from 'vitest';
import { createRecord } from '../../src/handle/record.ts';
import { decodeValues } from '../../src/handle/value.ts';
import { createFakeDirectory, NOW, type RecordBehaviour, urlValue } from '../support/fake-directory.ts';
import { createTestGateway, type GraphqlResult } from '../support/gateway.ts';
import { EXECUTIONS } from './two-executions.ts';

type Fields = Readonly<Record<string, unknown>>;

describe.each(EXECUTIONS)('executed %s', (_, yogaExecutesAll) => {
  async function resultOf(
    record: RecordBehaviour,
    fields: string,
  ): Promise<GraphqlResult<{ doi: { record: Fields; locations: Fields[] } }>> {
    const directory = createFakeDirectory({ records: { '10.5555/large': record } });
    const gateway = await createTestGateway({ directory, yogaExecutesAll });
    onTestFinished(gateway.close);
    return gateway.query(`{ doi(input: "10.5555/large") { ${fields} } }`);
  }

  /** Expects LIMIT_EXCEEDED at each of these paths, and returns the number of errors. */
  function expectLimits({ errors = [] }: GraphqlResult<unknown>, path: RegExp): number {
    for (const error of errors) {
      expect(error.extensions).toEqual({ code: 'LIMIT_EXCEEDED', retryable: false });
      expect(error.message).toMatch(/^The found data costs more than the 250000 /);
      expect(error.path?.join('.')).toMatch(path);
    }
    return errors.length;
  }

  describe('20,000 values', () => {
    /** Values that count how often one of their fields is resolved. */
    function manyValues() {
      const counted = { fields: 0 };
      const one = decodeValues([urlValue('https://example.org/')])[0];
      const values = Array.from({ length: 20_000 }, (_value, index) => ({
        ...one,
        index,
        get type() {
          counted.fields += 1;
          return 'URL';
        },
      }));
      const record: RecordBehaviour = async (handle) => {
        const made = createRecord({ responseCode: 1, handle, values: [], fetchedAt: NOW });
        return { ...made, values: values as unknown as typeof made.values };
      };
      return { record, counted };
    }

    test('with too many fields are null, and no field is resolved', async () => {
      const { record, counted } = manyValues();
      const fields = Array.from({ length: 13 }, (_field, index) => `t${index}: type`).join(' ');
      const result = await resultOf(record, `record { status values { ${fields} } }`);
      expect(expectLimits(result, /^doi\.record\.values$/)).toBe(1);
      expect(result.data).toEqual({ doi: { record: null } });
      expect(counted.fields).toBe(0);
    });

    test('under many aliases are resolved up to the limit', async () => {
      const { record, counted } = manyValues();
      const aliases = Array.from(
        { length: 30 },
        (_field, index) => `record${index}: record { values { type text } }`,
      ).join(' ');
      const result = await resultOf(record, aliases);
      // A long list costs more in graphql-js, which needs more time for it.
      const resolved = yogaExecutesAll ? 1 : 6;
      expect(expectLimits(result, /^doi\.record\d+\.values$/)).toBe(30 - resolved);
      expect(counted.fields).toBe(resolved * 20_000);
    });
  });

  test('24,000 attributes under 300 aliases have errors above the limit', async () => {
    // The attributes are the maximum for a location, and the locations are the maximum for a list.
    const attributes = Array.from(
      { length: 23 },
      (_attribute, index) => `${String.fromCharCode(98 + index)}="1"`,
    ).join(' ');
    const xml = `<locations>${`<location href="x:" ${attributes}/>`.repeat(1_000)}</locations>`;
    const record = [{ index: 1, type: '10320/loc', data: { format: 'string', value: xml }, ttl: 60 }];
    const aliases = Array.from(
      { length: 300 },
      (_field, index) => `a${index}: attributes { name value }`,
    ).join(' ');
    const result = await resultOf(record, `locations { ${aliases} }`);
    expect(expectLimits(result, /^doi\.locations(?:\.\d+)?(?:\.a\d+)?$/)).toBeGreaterThan(0);
    expect((JSON.stringify(result.data).match(/"value"/g) ?? []).length).toBeLessThanOrEqual(250_000 / 2);
  });

  test('a text of megabytes under many aliases has errors above the limit', async () => {
    const record = [
      urlValue('https://example.org/', {
        type: 'TEXT',
        data: { format: 'string', value: 'x'.repeat(2_000_000) },
      }),
    ];
    const aliases = Array.from({ length: 30 }, (_field, index) => `a${index}: text`).join(' ');
    const result = await resultOf(record, `record { values { ${aliases} } }`);
    expect(expectLimits(result, /^doi\.record\.values\.0\.a\d+$/)).toBe(23);
    expect(JSON.stringify(result.data).length).toBeLessThan(250_000 * 64);
  });
});
