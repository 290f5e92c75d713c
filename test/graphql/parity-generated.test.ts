// Both executions respond to random operations with the same bytes.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { urlValue } from '../support/fake-directory.ts';
import { createMemoryDirectory } from '../support/memory-directory.ts';
import { gatewayOperations } from './gateway-operations.ts';
import { createTroubledDirectory } from './troubled-directory.ts';
import { createTwoGateways } from './two-executions.ts';

test('generated operations have the same responses', { timeout: 120_000 }, async () => {
  const both = await createTwoGateways({ directory: createTroubledDirectory() });
  const counts = { whole: 0, partial: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(gatewayOperations({ mayBeBad: true }), async ({ query, variables }) => {
      const { status, body } = await both.compareQuery(query, variables);
      expect(status).toBeLessThan(500);
      if (body.startsWith('{"data"')) counts.whole += 1;
      else if (body.includes('"data":')) counts.partial += 1;
      else counts.refused += 1;
    }),
    { numRuns: 80 },
  );
  // Checks that the generator makes enough operations that the gateway accepts.
  expect(counts.whole).toBeGreaterThan(12);
  expect(counts.partial).toBeGreaterThan(12);
  expect(counts.refused).toBeLessThan(40);
});

test('generated operations have the same responses with low limits of look-ups and cost', {
  timeout: 120_000,
}, async () => {
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

test('the fields of fragments cost the same for each item of a list', async () => {
  const query =
    '{ doi(input: "10.1000/60") { record { values { ...both ... { ttl timestamp } type } } } } fragment both on HandleValue { index type }';
  const values = Array.from({ length: 60 }, (_, at) => urlValue('https://example.org/', { index: at + 1 }));
  const directory = createMemoryDirectory({ records: { '10.1000/60': values } });
  const isRefused: boolean[] = [];
  for (const cost of [100, 180, 239, 240, 300]) {
    const both = await createTwoGateways({ directory, limits: { complexity: cost } });
    const { body } = await both.compareQuery(query);
    isRefused.push(body.includes('LIMIT_EXCEEDED'));
  }
  // Sixty items have four fields each.
  expect(isRefused).toEqual([true, true, true, false, false]);
});

const TYPE = 'name kind description fields { name args { name defaultValue type { name ofType { name } } } }';

test.each([
  [`{ __schema { queryType { name } types { ${TYPE} } directives { name locations args { name } } } }`],
  [`{ __type(name: "DOI") { ${TYPE} interfaces { name } } other: __type(name: "Nothing") { name } }`],
  ['query ($name: String!) { __type(name: $name) { enumValues { name isDeprecated } __typename } }'],
  ['{ _service { sdl } __typename }'],
])('introspection has the same response: %.60s', async (query) => {
  const both = await createTwoGateways({ directory: createTroubledDirectory() });
  const { status } = await both.compareQuery(query, { name: 'DOIForm' });
  expect(status).toBe(200);
});

test('null for a non-null argument is an error at the position of the argument', async () => {
  const both = await createTwoGateways({ directory: createTroubledDirectory() });
  const query = 'query ($name: String = "10.5555/url") {\n  doi(input: $name) { name }\n}';
  const { body } = await both.compareQuery(query, { name: null });
  expect(body).toContain(JSON.stringify('"locations":[{"line":2,"column":14}],"path":["doi"]').slice(1, -1));
});
