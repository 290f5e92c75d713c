// The executor of the gateway against graphql-js: random operations have the same data, to the byte, and the same errors.

import fc from 'fast-check';
import { parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { BatchGate } from '../../src/graphql/execution.ts';
import { executeByOracle, executeDirectly, shortSlices } from './execute-planned.ts';
import { generatedOperations } from './generated-operations.ts';
import { atOnceSchema, waitingSchema } from './oracle-schema.ts';

const texts = () => ['', 'text', 'é"\\', 'x'.repeat(100)];
const values = { Open: [1, 'x', [1, { a: null }], { b: 1, a: [] }] };

describe.each([
  ['without waits', atOnceSchema],
  ['with waits', waitingSchema],
])('an operation over fields %s', (_, schema) => {
  const operations = generatedOperations({ schema, texts, values, mayBeBad: true });
  const waits = schema === waitingSchema;

  test('has the data and errors of graphql-js', { timeout: 120_000 }, async () => {
    let executed = 0;
    let failed = 0;
    await fc.assert(
      fc.asyncProperty(operations, async ({ query, variables }) => {
        fc.pre(validate(schema, parse(query)).length === 0);
        const expected = await executeByOracle(schema, query, variables);
        const result = await executeDirectly(schema, query, variables);
        if (result === null) {
          expect(expected.hasData).toBe(false);
          return;
        }
        executed += 1;
        failed += expected.errors.length > 0 ? 1 : 0;
        expect(result.data).toBe(expected.data);
        expect(waits ? result.errors.toSorted() : result.errors).toEqual(
          waits ? expected.errors.toSorted() : expected.errors,
        );
        if (!waits) expect(result.isSynchronous).toBe(true);
        const { writtenBytes } = result.usage;
        const errorBytes = result.errors.reduce((sum, error) => sum + Buffer.byteLength(error) + 1, 0);
        // Bytes that are dropped, because a null replaces their object, stay counted.
        expect(writtenBytes).toBeGreaterThanOrEqual(Buffer.byteLength(result.data) + errorBytes);
        if (result.errors.length === 0) expect(writtenBytes).toBe(Buffer.byteLength(result.data));
      }),
      { numRuns: 160 },
    );
    // Checks that the generator makes enough operations with data and enough operations with errors.
    expect(executed).toBeGreaterThan(80);
    expect(failed).toBeGreaterThan(18);
  });

  test('has the same result in many slices', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(operations, async ({ query, variables }) => {
        fc.pre(validate(schema, parse(query)).length === 0);
        const whole = await executeDirectly(schema, query, variables);
        const slices = shortSlices();
        const sliced = await executeDirectly(schema, query, variables, { slices, gate: new BatchGate() });
        expect(sliced?.data).toBe(whole?.data);
        if (!whole || !sliced || /required/i.test(query)) return;
        // If all data are null, the executor does not wait for errors of other fields.
        if (whole.data === 'null') expect(whole.errors).toEqual(expect.arrayContaining([...sliced.errors]));
        else expect(sliced.errors.toSorted()).toEqual(whole.errors.toSorted());
      }),
      { numRuns: 40 },
    );
  });
});
