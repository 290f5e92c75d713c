// While our gateway is down, a federated gateway still returns the fields of the other subgraphs.

import { expect, test } from 'vitest';
import { testTable } from '../support/test-table.ts';
import { createFederatedGateway } from './federated-gateway.ts';

const CATALOG = { query: { works: [{ id: '1', title: 'A work', doi: { ref: 'doi:10.123/abc' } }] } };

testTable([
  'doi(input: "10.123/abc") { name }',
  'dois(inputs: ["10.123/abc"]) { name }',
  'parseDoi(input: "10.123/abc") { form }',
  'parseDois(inputs: ["10.123/abc"]) { form }',
  'findDois(text: "10.123/abc") { start }',
  'doiEquivalence(a: "10.123/a", b: "10.123/b") { relation }',
  'doiEquivalenceClasses(inputs: ["10.123/a"]) { classes { doi { name } } }',
  'registrationAgencies { name }',
  'registrationAgency(name: "Crossref") { title }',
  'shortDoi(input: "10/abcde") { doi { name } }',
  'doiPrefix(name: "10.123") { name }',
  'handle(name: "10.123/abc") { exists }',
  'doiDirectory { kind }',
])('%s is null with an error, and the catalog keeps its works', async (field) => {
  const gateway = await createFederatedGateway({ others: { 'catalog-by-ref': CATALOG }, isDown: true });
  const { data, errors } = await gateway.query(`{ works { title } ours: ${field} }`);
  expect(data).toEqual({ works: [{ title: 'A work' }], ours: null });
  expect(errors).toMatchObject([{ path: ['ours'] }]);
});

test('a work keeps its title, and only the fields of our gateway are missing', async () => {
  const gateway = await createFederatedGateway({ others: { 'catalog-by-ref': CATALOG }, isDown: true });
  const { data, errors } = await gateway.query('{ works { title doi { exists } } }');
  expect(data).toMatchObject({ works: [{ title: 'A work' }] });
  expect(errors?.length).toBeGreaterThan(0);
});
