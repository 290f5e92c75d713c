// How many look-ups of a client's budget each field costs, as docs/clients.md says.

import { expect, onTestFinished, test } from 'vitest';
import { askedNames, sendJson, startDirectoryServer } from '../../../support/directory-server.ts';
import { startGateway } from '../../../support/gateway.ts';
import { exchange, graphqlResult, headerValues } from '../../exchange.ts';

const BURST = 100;
const URL_VALUE = {
  index: 1,
  type: 'URL',
  data: { format: 'string', value: 'https://example.org/' },
  ttl: 86_400,
};

/** A gateway whose directory and whose Crossref know each name. */
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
    const { face, names } = askedNames(request);
    if (face === 'doiRA')
      sendJson(
        response,
        200,
        names.map((DOI) => ({ DOI, RA: 'Crossref' })),
      );
    else sendJson(response, 200, { responseCode: 1, handle: names[0], values: [URL_VALUE] });
  });
  const gateway = await startGateway(
    { limits: { clientBurst } },
    {
      DOI_DIRECTORY_URL: server.url.origin,
      METADATA_API: 'yes',
      CROSSREF_API_URL: server.url.origin,
      // Windows so long that none ends during a test.
      CLIENT_LOOKUPS_PER_SECOND: '1',
    },
  );
  onTestFinished(async () => {
    await gateway.close();
    await server.close();
  });
  return async (names: readonly string[], fields: string) => {
    const query = `{ dois(inputs: ${JSON.stringify(names)}) { ${fields} } }`;
    const answer = await exchange(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const remaining = Number(/r=(\d+)/.exec(headerValues(answer, 'ratelimit').join())?.[1] ?? clientBurst);
    return { cost: clientBurst - remaining, ...graphqlResult(answer) };
  };
}

test.each([
  ['exists', 10],
  ['exists alias { handle } redirect { url } record { values { type } }', 10],
  ['metadata { title }', 10],
  ['exists metadata { title }', 10],
  ['exists metadata { title kind } updates { outcome } relations { kind } bibtex ris', 10],
  ['exists metadata { title } registrationAgency { name }', 11],
  ['exists references { text }', 20],
  ['name url canonicalName', 0],
])('ten names with %s cost %i', async (fields, cost) => {
  const names = Array.from({ length: 10 }, (_, at) => `10.1000/${at}`);
  const ask = await start();
  const first = await ask(names, fields);
  expect(first.errors).toBeUndefined();
  expect(first.cost).toBe(cost);
  // Cached names are free.
  expect((await ask(names, fields)).cost).toBe(cost);
});

test('a spent budget refuses existence and title of a name together', async () => {
  const ask = await start(3);
  const { data, errors } = await ask(
    ['10.1000/1', '10.1000/2', '10.1000/3', '10.1000/4', '10.1000/5'],
    'exists metadata { title }',
  );
  const known = { exists: true, metadata: { title: 'A title' } };
  const refused = { exists: null, metadata: null };
  expect(data).toEqual({ dois: [known, known, known, refused, refused] });
  expect(errors?.map(({ extensions }) => extensions['code'])).toEqual(Array(4).fill('RATE_LIMITED'));
});
