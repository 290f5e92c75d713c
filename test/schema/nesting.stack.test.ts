// Documents nested so deep that the stack ends. Code that has run often takes less of it, so these begin cold.

import { describe, expect, test } from 'vitest';
import { createFakeGateway, NO_CALLS } from './fake-gateway.ts';

describe('a document made to be hard to read', () => {
  const DEEP = 3000;
  const DEEPER = 4500;
  const rows = [
    { what: 'selections', query: '{ a '.repeat(DEEP) + '}'.repeat(DEEP) },
    {
      what: 'fragments',
      query: `{ doi(input: "10.1000/1") { ${'... { '.repeat(DEEP)} id ${'}'.repeat(DEEP)} } }`,
    },
    { what: 'lists', query: `{ dois(inputs: ${'['.repeat(DEEPER)}${']'.repeat(DEEPER)}) { id } }` },
    {
      what: 'objects',
      query: `{ doi(input: "10.1000/1") { proxyUrl(parameters: ${'{ a: '.repeat(DEEP)}1${'}'.repeat(DEEP)}) } }`,
    },
    {
      what: 'list types',
      query: `query ($inputs: ${'['.repeat(DEEPER)}String${']'.repeat(DEEPER)}) { dois(inputs: $inputs) { id } }`,
    },
  ];
  for (const { what, query: text } of rows) {
    test(`is the fault of the client, not of the gateway: ${what} nested thousands deep`, async () => {
      const { query, calls } = await createFakeGateway();
      const { errors = [] } = await query(text);
      expect(errors).toHaveLength(1);
      expect(['LIMIT_EXCEEDED', 'GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED']).toContain(
        errors[0]?.extensions['code'],
      );
      expect(calls).toEqual(NO_CALLS);
    });
  }
});
