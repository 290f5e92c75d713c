// The gateway's own executor against graphql-js: random operations, equal data to the byte, equal errors.

import fc from 'fast-check';
import { parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { BatchGate } from '../../src/graphql/execution.ts';
import { executeByOracle, executeDirectly, shortSlices } from './executed.ts';
import { generatedOperations } from './generated-operations.ts';
import { atOnceSchema, waitingSchema } from './oracle-schema.ts';

const texts = () => ['', 'text', 'é"\\', 'x'.repeat(100)];
const values = { Open: [1, 'x', [1, { a: null }], { b: 1, a: [] }] };

describe.each([
  ['at once', atOnceSchema],
  ['some of them after a wait', waitingSchema],
])('fields that are answered %s', (_, schema) => {
  const operations = generatedOperations({ schema, texts, values, mayBeBad: true });
  const waits = schema === waitingSchema;

  test('come out as graphql-js has them', { timeout: 120_000 }, async () => {
    let answered = 0;
    let failed = 0;
    await fc.assert(
      fc.asyncProperty(operations, async ({ query, variables }) => {
        fc.pre(validate(schema, parse(query)).length === 0);
        const expected = await executeByOracle(schema, query, variables);
        const told = await executeDirectly(schema, query, variables);
        if (told === null) {
          expect(expected.hasData).toBe(false);
          return;
        }
        answered += 1;
        failed += expected.errors.length > 0 ? 1 : 0;
        expect(told.data).toBe(expected.data);
        expect(waits ? told.errors.toSorted() : told.errors).toEqual(
          waits ? expected.errors.toSorted() : expected.errors,
        );
        if (!waits) expect(told.atOnce).toBe(true);
        const { writtenBytes } = told.usage;
        const errorBytes = told.errors.reduce((sum, error) => sum + Buffer.byteLength(error) + 1, 0);
        // What is written and then given up, for a null further out, stays counted.
        expect(writtenBytes).toBeGreaterThanOrEqual(Buffer.byteLength(told.data) + errorBytes);
        if (told.errors.length === 0) expect(writtenBytes).toBe(Buffer.byteLength(told.data));
      }),
      { numRuns: 160 },
    );
    // The generator makes what is worth comparing.
    expect(answered).toBeGreaterThan(80);
    expect(failed).toBeGreaterThan(18);
  });

  test('are the same when the work is cut into slices', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(operations, async ({ query, variables }) => {
        fc.pre(validate(schema, parse(query)).length === 0);
        const whole = await executeDirectly(schema, query, variables);
        const slices = shortSlices();
        const sliced = await executeDirectly(schema, query, variables, { slices, gate: new BatchGate() });
        expect(sliced?.data).toBe(whole?.data);
        if (!whole || !sliced || /required/i.test(query)) return;
        // Where all is null, nobody waits for the errors of what would have been beside it.
        if (whole.data === 'null') expect(whole.errors).toEqual(expect.arrayContaining([...sliced.errors]));
        else expect(sliced.errors.toSorted()).toEqual(whole.errors.toSorted());
      }),
      { numRuns: 40 },
    );
  });
});
