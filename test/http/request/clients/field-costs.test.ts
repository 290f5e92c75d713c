// Each field uses as many look-ups of the budget of a client as the table of docs/clients.md says.

import { expect, onTestFinished, test } from 'vitest';
import { requestedNames, sendJson, startDirectoryServer } from '../../../support/directory-server.ts';
import { urlValue } from '../../../support/fake-directory.ts';
import { startGateway } from '../../../support/gateway.ts';
import { testTable } from '../../../support/test-table.ts';
import { exchange, graphqlResult, headerValues } from '../../exchange.ts';

const BURST = 100;

/** A gateway whose directory and Crossref have every name. */
async function start(clientBurst = BURST) {
  const server = await startDirectoryServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://server.test');
    if (url.pathname.startsWith('/works')) {
      const listed = (url.searchParams.get('filter') ?? '')
        .split(',')
        .map((name) => name.replace('doi:', ''));
      const items = listed.map((DOI) => ({
        DOI,
        title: ['A title'],
        type: 'journal-article',
        reference: [],
      }));
      sendJson(response, 200, { status: 'ok', 'message-type': 'work-list', message: { items } });
      return;
    }
    const { face, names } = requestedNames(request);
    const record = { responseCode: 1, handle: names[0], values: [urlValue('https://example.org/')] };
    const agencies = names.map((DOI) => ({ DOI, RA: 'Crossref' }));
    sendJson(response, 200, face === 'handles' ? record : agencies);
  });
  const gateway = await startGateway(
    { limits: { clientBurst } },
    {
      DOI_DIRECTORY_URL: server.url.origin,
      METADATA_API: 'yes',
      CROSSREF_API_URL: server.url.origin,
      // No window ends during a test.
      CLIENT_LOOKUPS_PER_SECOND: '1',
    },
  );
  onTestFinished(async () => {
    await gateway.close();
    await server.close();
  });
  return async (names: readonly string[], fields: string) => {
    const text = `{ dois(inputs: ${JSON.stringify(names)}) { ${fields} } }`;
    const response = await exchange(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: text }),
    });
    const remaining = Number(/r=(\d+)/.exec(headerValues(response, 'ratelimit').join())?.[1] ?? clientBurst);
    return { cost: clientBurst - remaining, ...graphqlResult(response) };
  };
}

testTable([
  ['exists', 10],
  ['exists alias { handle } redirect { url } record { values { type } }', 10],
  ['metadata { title }', 10],
  ['exists metadata { title }', 10],
  ['exists metadata { title kind } updates { outcome } relations { kind } bibtex ris', 10],
  ['exists metadata { title } registrationAgency { name }', 11],
  ['exists references { text }', 20],
  ['name url canonicalName', 0],
])('ten names with the fields %s use %i look-ups', async (fields, cost) => {
  const names = Array.from({ length: 10 }, (_, at) => `10.1000/${at}`);
  const query = await start();
  const first = await query(names, fields);
  expect(first.errors).toBeUndefined();
  expect(first.cost).toBe(cost);
  // Cached names use no look-ups.
  expect((await query(names, fields)).cost).toBe(cost);
});

test('if the budget is spent, all look-ups of a name are refused', async () => {
  const query = await start(3);
  const { data, errors } = await query(
    ['10.1000/1', '10.1000/2', '10.1000/3', '10.1000/4', '10.1000/5'],
    'exists metadata { title }',
  );
  const known = { exists: true, metadata: { title: 'A title' } };
  const refused = { exists: null, metadata: null };
  expect(data).toEqual({ dois: [known, known, known, refused, refused] });
  expect(errors?.map(({ extensions }) => extensions['code'])).toEqual(Array(4).fill('RATE_LIMITED'));
});
