import { expect } from 'vitest';
import { createFakeGateway, recordCall } from './fake-gateway.ts';

export const NAME = '10.1000/1';
/** The look-ups that the record of NAME costs. */
export const ONE_CALL = { resolve: [recordCall(NAME)], whichRa: [] };

/** Selects fields of a record with these values, which are as the directory sends them. */
export async function recordOf(values: readonly unknown[], selection: string) {
  const { query, calls } = await createFakeGateway({ records: { [NAME]: values } });
  const { data, errors } = await query<{ doi: { record: Readonly<Record<string, unknown>> } }>(
    `{ doi(input: "${NAME}") { record { ${selection} } } }`,
  );
  expect(errors).toBeUndefined();
  expect(calls).toEqual(ONE_CALL);
  return data.doi.record;
}

/** A value as the directory sends it. */
export function value(
  index: number,
  type: string,
  overrides: Readonly<Record<string, unknown>> = {},
): unknown {
  return { index, type, data: { format: 'string', value: `${type} ${index}` }, ttl: 86_400, ...overrides };
}
