// Clients of doi.org work without changes if the gateway replaces doi.org: over the sample, over a DOI system, and over
// another gateway.

import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ListeningGateway, startGateway } from '../support/gateway.ts';
import { type RawResponse, rawRequest } from '../support/raw-http.ts';
import { testTable } from '../support/test-table.ts';
import { CSL_TYPE, type DoiSystem, startDoiSystem, TURTLE } from './doi-system.ts';

const load = createRequire(import.meta.url);
const { Cite } = load('@citation-js/core') as {
  Cite: { async(input: unknown, options: object): Promise<{ readonly data: readonly object[] }> };
};
load('@citation-js/plugin-doi');

const TITLE = 'Differences between ORCID and DataCite Metadata';
const BIBTEX = /^@\w+\{fenner2015.*title\s*=\s*\{Differences between.*doi\s*=\s*\{10\.5438\/bc11-cqw1\}/is;
const APA = /^Fenner, M\. \(2015\)\. Differences/;
const CSL = new RegExp(`"title":"${TITLE}"`);
const RIS = /^TY {2}- .*TI {2}- Differences.*DO {2}- 10\.5438\/bc11-cqw1.*ER {2}- /s;

const NAME = '10.5438/bc11-cqw1';
const PATH = `/${NAME}`;
const ZOTERO = `application/vnd.datacite.datacite+json, application/vnd.crossref.unixref+xml, ${CSL_TYPE}`;
const STYLED = 'text/x-bibliography; style = apa; locale = en-US';
const REQUESTS = {
  'User-Agent': 'python-requests/2.32.3',
  'Accept-Encoding': 'gzip, deflate',
  Connection: 'keep-alive',
};

type Headers = Readonly<Record<string, string>>;
type Row = readonly [client: string, target: string, headers: Headers, type: string, body: RegExp];

/** The requests are copied from the source code of the clients. All clients follow redirects. */
const CLIENTS: readonly Row[] = [
  ['Zotero', `/${encodeURIComponent(NAME)}`, { Accept: ZOTERO }, CSL_TYPE, CSL],
  ['mystmd', PATH, { Accept: 'application/x-bibtex' }, 'application/x-bibtex', BIBTEX],
  ['mystmd without BibTeX', PATH, { Accept: CSL_TYPE }, CSL_TYPE, CSL],
  ['Quarto', PATH, { Accept: CSL_TYPE, 'User-Agent': 'node-fetch/1.0' }, CSL_TYPE, CSL],
  ['habanero', PATH, { ...REQUESTS, Accept: 'application/x-bibtex' }, 'application/x-bibtex', BIBTEX],
  ['habanero, text', PATH, { ...REQUESTS, Accept: STYLED }, 'text/x-bibliography', APA],
  [
    'rcrossref',
    PATH,
    { Accept: 'application/x-bibtex', 'User-Agent': 'libcurl/8.9' },
    'application/x-bibtex',
    BIBTEX,
  ],
  ['rcrossref, text', PATH, { Accept: STYLED, 'User-Agent': 'libcurl/8.9' }, 'text/x-bibliography', APA],
  [
    'rcrossref, RIS',
    PATH,
    { Accept: 'application/x-research-info-systems' },
    'application/x-research-info-systems',
    RIS,
  ],
  ['doi2bib2', PATH, { Accept: 'application/x-bibtex; charset=utf-8' }, 'application/x-bibtex', BIBTEX],
  [
    'manubot',
    '/api/handles/10/p54k?type=HS_ALIAS',
    REQUESTS,
    'application/json',
    /"value":"10\.1021\/JACS\.5C01100"/,
  ],
  [
    'manubot, no short DOI',
    '/api/handles/10/none?type=HS_ALIAS',
    REQUESTS,
    'application/json',
    /"responseCode":100/,
  ],
  [
    'curl, Crossref: formats with q',
    PATH,
    { Accept: `application/rdf+xml;q=0.5, ${CSL_TYPE};q=1.0` },
    CSL_TYPE,
    CSL,
  ],
  [
    'curl, Crossref: a citation',
    PATH,
    { Accept: 'text/x-bibliography; style=apa' },
    'text/x-bibliography',
    APA,
  ],
  [
    'curl, DataCite: a citation',
    PATH,
    { Accept: 'text/x-bibliography; style=modern-language-association' },
    'text/x-bibliography',
    /^Fenner, Martin\. /,
  ],
  ['curl, DataCite: CSL JSON', `/${NAME.toUpperCase()}`, { Accept: CSL_TYPE }, CSL_TYPE, CSL],
];

let system: DoiSystem;
let gateways: Readonly<Record<'sample' | 'system' | 'inner' | 'outer', ListeningGateway>>;

beforeAll(async () => {
  system = await startDoiSystem();
  const inner = await startGateway();
  gateways = {
    sample: await startGateway(),
    system: await startGateway({}, system.env),
    inner,
    outer: await startGateway({}, { DOI_DIRECTORY_URL: inner.url }),
  };
});
afterAll(async () => {
  for (const gateway of Object.values(gateways).reverse()) await gateway.close();
  await system.close();
});

/** Follows redirects as `curl -L` does, with the same headers at each address. */
async function follow(origin: string, target: string, headers: Headers): Promise<RawResponse> {
  for (let url = new URL(target, origin), left = 5; ; left -= 1) {
    const response = await rawRequest(url.origin, url.pathname + url.search, { headers });
    const { location } = response.headers;
    if (response.status < 300 || response.status > 308 || left === 0) return response;
    url = new URL(String(location), url);
  }
}

describe.each([
  ['the bundled sample', 'sample'],
  ['a DOI system', 'system'],
  ['another gateway', 'outer'],
] as const)('a gateway in front of %s', (_, which) => {
  testTable(CLIENTS)(
    'sends %s the expected document for %s',
    async (_client, target, headers, type, body) => {
      const response = await follow(gateways[which].url, target, headers);
      expect(response.body).toMatch(body);
      expect(String(response.headers['content-type']).split(';')[0]).toBe(type);
    },
  );

  test('sends citation-js the title and the authors of a work', async () => {
    const { data } = await Cite.async(gateways[which].url + PATH, { forceType: '@doi/api' });
    expect(data).toMatchObject([{ title: TITLE, author: [{ family: 'Fenner', given: 'Martin' }] }]);
  });
});

test('if the gateway cannot write a media type, it gets the document from the agency', async () => {
  const { body } = await follow(gateways.system.url, PATH, { Accept: 'text/turtle' });
  expect(body).toBe(TURTLE);
});

test('all formats except citations cost one look-up of a work', async () => {
  const target = '/10.5438/bv9z-dc66';
  const before = system.agency.targets.length;
  for (const accept of [CSL_TYPE, 'application/x-bibtex', 'application/x-research-info-systems']) {
    expect((await follow(gateways.system.url, target, { Accept: accept })).status).toBe(200);
  }
  expect(system.agency.targets.length - before).toBe(1);
});

test('a gateway over another gateway has the same titles, BibTeX and citations', async () => {
  const query = `{ doi(input: "${NAME}") { metadata { title } bibtex ris citation } }`;
  const lookUp = async ({ url }: ListeningGateway) => {
    const response = await fetch(`${url}/graphql?query=${encodeURIComponent(query)}`);
    return (await response.json()) as { data: { doi: object } };
  };
  const [inner, outer] = [await lookUp(gateways.inner), await lookUp(gateways.outer)];
  expect(outer).toEqual(inner);
  expect(outer.data.doi).toMatchObject({ metadata: { title: TITLE }, bibtex: expect.stringMatching(BIBTEX) });
});
