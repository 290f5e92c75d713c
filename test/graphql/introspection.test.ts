import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTestGateway } from '../support/gateway.ts';

async function open(env: Readonly<Record<string, string>> = {}) {
  const gateway = await createTestGateway({}, env);
  onTestFinished(gateway.close);
  return gateway;
}

describe('INTROSPECTION=no', () => {
  test.each([
    '{ __schema { types { name } } }',
    '{ doi(input: "10.1000/1") { name } t: __type(name: "DOI") { name } }',
  ])('refuses %s, and names the path of the schema', async (query) => {
    const { query: send } = await open({ INTROSPECTION: 'no' });
    const { data, errors } = await send(query);
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([
      {
        message: expect.stringMatching(
          /does not allow introspection \(__\w+\)\. Its schema is at \/schema\.graphql\./,
        ),
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      },
    ]);
  });

  test('refuses introspection in a deferred part', async () => {
    const { query } = await open({ INTROSPECTION: 'no' });
    const { errors } = await query('{ ... @defer { __schema { queryType { name } } } }');
    expect(errors).toHaveLength(1);
  });

  test('allows __typename, queries, the SDL for routers and /schema.graphql', async () => {
    const { query, app } = await open({ INTROSPECTION: 'no' });
    const { data, errors } = await query(
      '{ __typename doi(input: "10.1000/1") { __typename name } _service { sdl } }',
    );
    expect([errors, data['doi']]).toEqual([undefined, { __typename: 'DOI', name: '10.1000/1' }]);
    expect((await app.fetch(new Request('http://localhost/schema.graphql'))).status).toBe(200);
  });

  test('shows GraphiQL without a schema, with the reason', async () => {
    const page = async (env: Readonly<Record<string, string>>) => {
      const { app } = await open(env);
      const response = await app.fetch(
        new Request('http://localhost/graphql', { headers: { accept: 'text/html' } }),
      );
      return response.text();
    };
    const without = await page({ INTROSPECTION: 'no' });
    expect(without).toContain('"schema":null');
    expect(without).toContain('This gateway does not allow introspection.');
    expect(await page({})).not.toMatch(/"schema":null|allow introspection/);
  });
});

/** DirectiveLocation in the specification of September 2025. */
const SPECIFIED = new Set([
  ...['QUERY', 'MUTATION', 'SUBSCRIPTION', 'FIELD', 'FRAGMENT_DEFINITION', 'FRAGMENT_SPREAD'],
  ...['INLINE_FRAGMENT', 'VARIABLE_DEFINITION', 'SCHEMA', 'SCALAR', 'OBJECT', 'FIELD_DEFINITION'],
  ...['ARGUMENT_DEFINITION', 'INTERFACE', 'UNION', 'ENUM', 'ENUM_VALUE', 'INPUT_OBJECT'],
  'INPUT_FIELD_DEFINITION',
]);

test('introspection shows directives only at the locations of the specification', async () => {
  const { query } = await open();
  const { data } = await query<IntrospectionQuery>(getIntrospectionQuery());
  const others = data.__schema.directives.flatMap(({ name, locations }) =>
    locations.filter((location) => !SPECIFIED.has(location)).map((location) => `${name} on ${location}`),
  );
  expect(others).toEqual([]);
  expect(buildClientSchema(data).getDirective('deprecated')?.locations).toHaveLength(4);
});
