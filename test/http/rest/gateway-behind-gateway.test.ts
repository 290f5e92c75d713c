// A gateway whose directory is a gateway returns the same data.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startDirectoryServer } from '../../support/directory-server.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { testTable } from '../../support/test-table.ts';
import { exchange } from '../exchange.ts';

const fixture = (path: string) => fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url));
const file = fixture('wire-directory.jsonl');
const handles = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => (JSON.parse(line) as { handle: string }).handle);

const LOCATION = 'localId href weight country httpRole label attributes { name value }';
const REDIRECT = `url chosenBy via statusCode location { ${LOCATION} } candidates { ${LOCATION} } warnings { code message }`;
const DATA = `__typename format
  ... on HandleStringData { text: value }
  ... on HandleBinaryData { base64 hex byteLength bytesText: text }
  ... on HandleAdminData { handle index permissions grants legacyByteLength }
  ... on HandleValueListData { references { handle index } }
  ... on HandleSiteData { site }
  ... on HandleKeyData { key }
  ... on HandleOtherData { other }`;
const VALUE = `index type text ttl expiresAt timestamp permissions references { handle index } data { ${DATA} }`;
const RECORD = `responseCode status handle stale fetchedAt freshUntil message values { ${VALUE} }`;
const AGENCY = 'name title homepageUrl documented';
const QUERY = `query ($name: String!) {
  doi(input: $name, form: NAME) {
    id name canonicalName prefix suffix directoryIndicator registrantCode
    encodings { form label value sourceDocument }
    warnings { code message position }
    record { ${RECORD} some: values(types: ["URL."], indexes: [100]) { index } }
    fresh: record(auth: true, cert: true) { ${RECORD} }
    exists
    registrationAgency { ${AGENCY} }
    whichRa { status message agency { ${AGENCY} } }
    redirect { ${REDIRECT} }
    own: redirect(parameters: { ignoreAliases: true, country: "gb", urlAppend: "?a b" }) { ${REDIRECT} }
    some: redirect(parameters: { locatt: ["id:1"], types: ["URL", "10320/loc"], indexes: [2] }) { ${REDIRECT} }
    locations { ${LOCATION} }
    alias { handle doi { name exists } }
    suggestions { name }
  }
  parseDoi(input: $name) { form doi { name } problem { code message position } }
  doiEquivalence(a: $name, b: "10.1000/1", form: NAME) { equivalent relation sameAliasTarget }
  doiDirectory { kind baseUrls records description }
}`;

/** Fields that can differ are times of look-ups, and messages about absent records. */
const CAN_DIFFER = new Set(['fetchedAt', 'freshUntil', 'message']);

let first: ListeningGateway;
let second: ListeningGateway;

beforeAll(async () => {
  first = await startGateway({ random: () => 0.5 }, { DOI_DIRECTORY_FILE: file });
  second = await startGateway({ random: () => 0.5 }, { DOI_DIRECTORY_URL: first.url });
});
afterAll(async () => {
  await second.close();
  await first.close();
});

async function resultOf({ url }: ListeningGateway, name: string) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: QUERY, variables: { name } }),
  });
  const result = JSON.parse(await response.text(), (key, value) => (CAN_DIFFER.has(key) ? undefined : value));
  const { doiDirectory, ...data } = result.data as { doiDirectory: unknown; doi: unknown };
  const errors = ((result.errors ?? []) as { path: unknown[] }[]).sort((a, b) =>
    a.path.join() < b.path.join() ? -1 : 1,
  );
  return { doiDirectory, data, errors };
}

const ABSENT = handles.flatMap((handle) => [`${handle}/`, `${handle}.`]);
const OTHERS = [
  '10.5555/nope',
  '10.5555/%61',
  '10.1000/A\u2013b',
  '10.5555/MULTIURL',
  '10.1000/a,b',
  '10.1000/..',
  '10.1000/.',
];

testTable([...handles, ...OTHERS, ...ABSENT])(
  'the second gateway returns the data of the first gateway: %s',
  async (name) => {
    const [direct, chained] = await Promise.all([resultOf(first, name), resultOf(second, name)]);
    expect(chained.data).toEqual(direct.data);
    expect(chained.errors).toEqual(direct.errors);
    expect(direct.doiDirectory).toMatchObject({ kind: 'EMBEDDED', records: handles.length });
    expect(chained.doiDirectory).toMatchObject({ kind: 'PROXY', baseUrls: [first.url], records: null });
  },
);

test('the second gateway returns a record with its redirects', async () => {
  const { data, errors } = await resultOf(second, '10.5555/loc');
  expect(errors).toEqual([]);
  expect(data.doi).toMatchObject({
    exists: true,
    redirect: { url: 'https://example.org/us', chosenBy: 'WEIGHTED' },
    own: { url: 'https://example.org/uk?a%20b', chosenBy: 'COUNTRY' },
  });
});

// Clients and servers collapse dot segments of a path.
test.each(['.', '..'])('the handle %j is looked up through two gateways', async (name) => {
  const server = await startDirectoryServer();
  const inner = await startGateway({}, { DOI_DIRECTORY_URL: server.url.href });
  const outer = await startGateway({}, { DOI_DIRECTORY_URL: inner.url });
  onTestFinished(async () => {
    await outer.close();
    await inner.close();
    await server.close();
  });
  const record = await exchange(`${outer.url}/api/handles%2F${name}`);
  expect([record.status, JSON.parse(record.text)]).toEqual([404, { responseCode: 100, handle: name }]);
  const agencies = await exchange(`${outer.url}/doiRA%2F${name}`);
  expect(JSON.parse(agencies.text)).toEqual([{ DOI: name, status: expect.any(String) }]);
  // The outer gateway probes the inner gateway with 10.1000/1.
  const targets = server.targets.filter((target) => target !== '/api/handles/10.1000/1');
  expect(targets).toEqual([`/api/handles%2F${name}`, `/doiRA%2F${name}`]);
});
