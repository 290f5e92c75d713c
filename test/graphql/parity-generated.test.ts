// Random operations, asked of both executions through the whole gateway: they say the same, to the byte.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { urlValue } from '../support/fake-directory.ts';
import { createMemoryDirectory } from '../support/memory-directory.ts';
import { gatewayOperations } from './gateway-operations.ts';
import { createTroubledDirectory } from './troubled-directory.ts';
import { createTwoGateways } from './two-executions.ts';

test('both executions answer generated operations the same', { timeout: 120_000 }, async () => {
  const both = await createTwoGateways({ directory: createTroubledDirectory() });
  const told = { whole: 0, partial: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(gatewayOperations({ mayBeBad: true }), async ({ query, variables }) => {
      const { status, body } = await both.compareQuery(query, variables);
      expect(status).toBeLessThan(500);
      if (body.startsWith('{"data"')) told.whole += 1;
      else if (body.includes('"data":')) told.partial += 1;
      else told.refused += 1;
    }),
    { numRuns: 80 },
  );
  // The generator makes what is worth comparing.
  expect(told.whole).toBeGreaterThan(12);
  expect(told.partial).toBeGreaterThan(12);
  expect(told.refused).toBeLessThan(40);
});

test('also where few look-ups are allowed, and where few fields are', { timeout: 120_000 }, async () => {
  const few = await createTwoGateways({ directory: createTroubledDirectory() }, { MAX_LOOKUPS: '2' });
  const cheap = await createTwoGateways({
    directory: createTroubledDirectory(),
    limits: { complexity: 300 },
  });
  await fc.assert(
    fc.asyncProperty(gatewayOperations(), async ({ query, variables }) => {
      await few.compareQuery(query, variables);
      await cheap.compareQuery(query, variables);
    }),
    { numRuns: 30 },
  );
});

test('the fields of fragments count for each item of a list, wherever the limit is', async () => {
  const query =
    '{ doi(input: "10.1000/60") { record { values { ...both ... { ttl timestamp } type } } } } fragment both on HandleValue { index type }';
  const values = Array.from({ length: 60 }, (_, at) => urlValue('https://example.org/', { index: at + 1 }));
  const directory = createMemoryDirectory({ records: { '10.1000/60': values } });
  const told = new Map<number, boolean>();
  for (const cost of [100, 180, 239, 240, 300]) {
    const both = await createTwoGateways({ directory, limits: { complexity: cost } });
    const { body } = await both.compareQuery(query);
    told.set(cost, body.includes('LIMIT_EXCEEDED'));
  }
  // Sixty of four fields.
  expect([...told.values()]).toEqual([true, true, true, false, false]);
});

const TYPE = 'name kind description fields { name args { name defaultValue type { name ofType { name } } } }';

test.each([
  [`{ __schema { queryType { name } types { ${TYPE} } directives { name locations args { name } } } }`],
  [`{ __type(name: "DOI") { ${TYPE} interfaces { name } } other: __type(name: "Nothing") { name } }`],
  ['query ($name: String!) { __type(name: $name) { enumValues { name isDeprecated } __typename } }'],
  ['{ _service { sdl } __typename }'],
])('introspection, too: %.60s', async (query) => {
  const both = await createTwoGateways({ directory: createTroubledDirectory() });
  const { status } = await both.compareQuery(query, { name: 'DOIForm' });
  expect(status).toBe(200);
});

test('an argument that is null where it may not be is an error at its place in the document', async () => {
  const both = await createTwoGateways({ directory: createTroubledDirectory() });
  const query = 'query ($name: String = "10.5555/url") {\n  doi(input: $name) { name }\n}';
  const { body } = await both.compareQuery(query, { name: null });
  expect(body).toContain(JSON.stringify('"locations":[{"line":2,"column":14}],"path":["doi"]').slice(1, -1));
});
