// The responses of the fuzzer's directory, and of the agency that serves metadata. The seed and the requested names decide
// each response.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { mutated, oddParts, weighted, wordFrom, words } from './arbitraries.ts';
import { CANARY } from './canaries.ts';
import {
  always,
  type DirectoryResponse,
  HTML_HEADERS,
  jsonResponses,
  oddValues,
  type PartialResponse,
  plainValues,
  type Responses,
  STATUSES,
  waits,
  withDefaults,
  withFaults,
} from './response-parts.ts';

/** Placeholder hosts in a `Location`. The gateway may send requests to AGENCY, and must send none to FORBIDDEN. */
export const AGENCY = 'agency.invalid';
export const FORBIDDEN = 'forbidden.invalid';

const CSL = { 'content-type': 'application/vnd.citationstyles.csl+json' };

/** Targets of redirects that the gateway must not follow. */
const FORBIDDEN_TARGETS = [
  `http://${FORBIDDEN}/`,
  `https://${FORBIDDEN}/`,
  `//${FORBIDDEN}/`,
  `http://${AGENCY}@${FORBIDDEN}/`,
  `http://${AGENCY}\\@${FORBIDDEN}/`,
  `http://${CANARY}@${AGENCY}/`,
  ...words(
    'http://10.0.0.1/ https://169.254.169.254/latest/meta-data/ https://[::1]/ https://api.crossref.org.evil.example/ https://publisher.example/article file:///etc/passwd javascript:alert(1) data:application/json,{} ftp://example.org/ http://[',
  ),
  `http://${AGENCY}/${'x'.repeat(9_000)}`,
  '',
];

const REDIRECTS = [301, 302, 303, 307, 308, 300, 304];

const redirect = (status: number, location: string, waitMs = 0): PartialResponse => {
  return { kind: 'redirect', status, headers: { ...HTML_HEADERS, location }, waitMs };
};
/** A redirect with one of the statuses to one of the targets. */
const redirects = (statuses: readonly number[], targets: readonly string[]): Responses =>
  always(
    fc.tuple(fc.constantFrom(...statuses), fc.constantFrom(...targets)).map((given) => redirect(...given)),
  );

const toAgency: Responses = fc
  .tuple(fc.constantFrom(302, 302, 303, 307), waits)
  .map(([status, waitMs]) => ([name = '']) => {
    return redirect(status, `http://${AGENCY}/works/${encodeURIComponent(name.toWellFormed())}`, waitMs);
  });

/** The directory's redirects for the metadata of a name: most lead to the agency. */
const directoryRedirects: Responses = weighted(
  [12, toAgency],
  [3, redirects(REDIRECTS, FORBIDDEN_TARGETS)],
  [2, redirects([302], ['', '/', '/10.5555/f1', '?', '/../', '/10.5555/%'])],
);

const MARKUP = [
  'A <i>plain</i> title',
  'H<sub>2</sub>O &amp; co',
  '<jats:title>T</jats:title>',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<b onclick="x">bold',
  ...words('</i></b> &lt;script&gt; <mml:math><mml:mi>x</mml:mi></mml:math>'),
  '\u202egnp.exe',
  'a\u0000b\u001b[31mc\u0007',
  '<'.repeat(3_000),
  '<i>'.repeat(500),
  '&'.repeat(2_000),
  '\ud800',
  '',
];

const texts = weighted([4, fc.constantFrom(...MARKUP)], [2, fc.string({ unit: 'grapheme', maxLength: 20 })]);
const item = fc.tuple(texts, texts, texts, texts).map(([title, family, given, container]) => ({
  title,
  author: [
    { family, given, ORCID: 'https://orcid.org/0000-0002-1825-0097', affiliation: [] },
    { literal: family },
  ],
  editor: [{ name: given }],
  issued: { 'date-parts': [[2020, 7, 29]] },
  'container-title': container,
  publisher: 'Press',
  type: 'journal-article',
  volume: '5',
  page: '1-3',
  language: 'en',
  reference: [{ DOI: '10.5555/f1' }],
}));
const items = mutated(item, 6, weighted([2, texts], [3, oddParts]));

/** Bodies with items of CSL, or with any other JSON. */
const csl: Responses = weighted(
  [6, jsonResponses(items.map((given) => ({ kind: 'metadata', make: () => given })))],
  [1, jsonResponses(fc.jsonValue().map((given) => ({ kind: 'odd metadata', make: () => given })))],
);

const CITATION = 'Doe, J. (2020). A title. https://doi.org/10.5555/1';
const TYPES = [
  ...words('text/x-bibliography application/x-bibtex text/plain;charset=latin1 text/plain;charset=nonsense'),
  ...['application/json;charset=utf-16le', 'text/html', '', 'x'.repeat(300)],
];

const title = (kind: string, headers: object): PartialResponse => ({
  kind,
  headers: { ...CSL, ...headers },
  body: Buffer.from('{"title":"T"}'),
});
const citation = (type: string): PartialResponse => {
  return { kind: 'text', headers: { 'content-type': type }, body: Buffer.from(CITATION) };
};
const page = (status: number): PartialResponse => {
  return { kind: 'HTML', status, headers: HTML_HEADERS, body: Buffer.from(`<h1>${CANARY}</h1>`) };
};
const LIMITS = fc.tuple(fc.constantFrom('0', '1', '50', 'x', '9'.repeat(30)), wordFrom('1s 0s s 99999s'));
const odd: fc.Arbitrary<PartialResponse> = fc.oneof(
  fc.constantFrom(...TYPES).map(citation),
  fc.constantFrom(200, 200, 404, 406).map(page),
  wordFrom('gzip br identity x').map((encoding) => title('not compressed', { 'content-encoding': encoding })),
  LIMITS.map(([limit, interval]) =>
    title('limits', { 'x-rate-limit-limit': limit, 'x-rate-limit-interval': interval }),
  ),
  fc.constant<PartialResponse>({ kind: 'deep', headers: CSL, body: Buffer.from('['.repeat(5_000)) }),
);

/** The agency's responses: works, chains of redirects, and odd responses. */
const metadata: Responses = weighted(
  [9, csl.map((make) => (requested: readonly string[]) => ({ ...make(requested), headers: CSL }))],
  [3, always(odd)],
  [2, redirects(REDIRECTS, ['again', `http://${AGENCY}/again`, '?more', ...FORBIDDEN_TARGETS])],
);

const CODES = [1, 2, 3, 4, 7, 100, 102, 200, 301, 302, 402, -1, '1', null];

const recordOf = (kind: string, given: object, status = 200) => ({
  kind,
  status,
  make: ([handle]: readonly string[]) => ({ responseCode: 1, handle, ...given }),
});
const codes = fc
  .tuple(fc.constantFrom(...CODES), fc.constantFrom(...STATUSES))
  .map(([responseCode, status]) => recordOf('code', { responseCode, values: [], message: CANARY }, status));
const records = jsonResponses(
  weighted(
    [6, plainValues.map((values) => recordOf('record', { values }))],
    [3, oddValues.map((values) => recordOf('odd record', { values, message: CANARY }))],
    [2, codes],
    [1, fc.jsonValue().map((body) => ({ kind: 'odd JSON', make: () => ({ [CANARY]: body }) }))],
  ),
);

const AGENCIES: readonly object[] = [
  ...['Crossref', 'DataCite', 'Unknown', 'EIDR', '', 'é'.repeat(50), 7, null].map((RA) => ({ RA })),
  ...['Invalid DOI', 'DOI does not exist', 'Unknown', 'odd'].map((status) => ({ status })),
];
const plainAgencies = fc.array(fc.constantFrom(...AGENCIES), { minLength: 1, maxLength: 8 }).map((rows) => ({
  kind: 'agencies',
  make: (requested: readonly string[]) => requested.map((DOI, at) => ({ DOI, ...rows[at % rows.length] })),
}));
const oddAgencies = fc.jsonValue().map((body) => ({
  kind: 'odd agencies',
  make: (requested: readonly string[]) => [...requested.slice(1).map((DOI) => ({ DOI, RA: body })), body],
}));
const agencies = jsonResponses(weighted([6, plainAgencies], [2, oddAgencies]));

const ENDPOINTS = {
  handles: withFaults(records),
  doiRA: withFaults(agencies),
  /** the directory's redirects for the metadata of a name */
  metadata: withFaults(directoryRedirects),
  /** the service to which the directory redirects */
  agency: withFaults(metadata),
};

export type DirectoryEndpoint = keyof typeof ENDPOINTS;

/** Returns a seed for fast-check that the given values decide. */
export function seedOf(...texts: readonly unknown[]): number {
  return createHash('sha256').update(JSON.stringify(texts)).digest().readInt32BE();
}

/** @param requested the names in one request */
export function responseOf(
  seed: number,
  endpoint: DirectoryEndpoint,
  requested: readonly string[],
): DirectoryResponse {
  const seedOfName = seedOf(seed, endpoint, requested[0]?.toLowerCase());
  const [plan] = fc.sample(ENDPOINTS[endpoint], { seed: seedOfName, numRuns: 1 });
  if (plan === undefined) throw new Error('fast-check returned no sample');
  return withDefaults(plan(requested));
}
