import { expect } from 'vitest';
import { createFakeGateway, recordCall } from './fake-gateway.ts';

export const NAME = '10.1000/1';
/** What asking for it costs. */
export const ONE_CALL = { resolve: [recordCall(NAME)], whichRa: [] };

/** Asks for the record of a name with these values, as they come over the wire. */
export async function recordOf(values: readonly unknown[], selection: string) {
  const { query, calls } = await createFakeGateway({ records: { [NAME]: values } });
  const { data, errors } = await query<{ doi: { record: Readonly<Record<string, unknown>> } }>(
    `{ doi(input: "${NAME}") { record { ${selection} } } }`,
  );
  expect(errors).toBeUndefined();
  expect(calls).toEqual(ONE_CALL);
  return data.doi.record;
}

/** A value as it comes over the wire. */
export function value(
  index: number,
  type: string,
  overrides: Readonly<Record<string, unknown>> = {},
): unknown {
  return { index, type, data: { format: 'string', value: `${type} ${index}` }, ttl: 86_400, ...overrides };
}
