import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { printSubgraph } from '../../src/schema/federation/subgraph.ts';
import { schema } from '../../src/schema/index.ts';

test('schema.graphql is what the code prints', () => {
  const committed = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
  const remedy = 'schema.graphql is out of date: run `npm run --silent schema > schema.graphql`';
  expect(committed, remedy).toBe(printSubgraph(schema));
});
