// The fuzzer's cases: whole requests to every endpoint, and bytes that are no request.

import fc from 'fast-check';
import { servedSchema } from '../../src/graphql/incremental/incremental-rules.ts';
import { generatedOperations } from '../../test/graphql/generated-operations.ts';
import { damaged, names, spellings, weighted, wordFrom, words } from './arbitraries.ts';
import { jobPages, jobRequests, uploads } from './job-requests.ts';
import { mcpMessages } from './mcp-requests.ts';
import { encodeAnything, encodeLoosely, type FuzzRequest, headers, wholeRequest } from './whole-request.ts';

// Operations on the gateway's schema, valid and invalid, as POST and as GET.

const texts = fc.sample(spellings, { seed: 1, numRuns: 400 });
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  name: ['Crossref', 'Nobody', ''],
  types: ['URL', 'url.', 'HS_ADMIN', '10320/loc', ''],
  locatt: ['id:1', 'country:gb', 'nonsense', ':', 'a:'],
  country: ['gb', 'US', '', 'é'],
  urlAppend: ['?page=2', '//elsewhere.example/', '\u00e9', '\u0000'],
};
const REPRESENTATIONS = [
  ...texts.slice(0, 40).map((ref) => ({ __typename: 'DOI', ref })),
  { __typename: 'DOI', id: 'doi:10.5555/f1', name: 7 },
  { __typename: 'DOI', __proto__: 'x' },
  { __typename: 'RegistrationAgency', name: 'DataCite' },
  { __typename: 'Work' },
  'nothing',
  null,
];

const operations = generatedOperations({
  schema: servedSchema,
  texts: (argument) => TEXTS[argument] ?? texts,
  values: { _Any: REPRESENTATIONS },
  mayBeBad: true,
});

/** In half of the operations, inline fragments have @defer. */
const deferred = fc.tuple(operations, fc.nat(3)).map(([{ query, variables }, at]) => ({
  query:
    at > 1 ? query : query.replaceAll(/\.\.\.( on \w+)? ?\{/g, `...$1 @defer${at ? '(label: "x")' : ''} {`),
  variables,
}));

/** Operations that select metadata, which generated operations seldom do. */
const works = fc.array(spellings, { minLength: 1, maxLength: 8 }).map((inputs) => ({
  query: `query ($inputs: [String!]!) { dois(inputs: $inputs) { name citation bibtex metadata {
    title titleHtml creators { name orcid } issued { year } containerTitle publisher type source csl } } }`,
  variables: { inputs },
}));

const withMembers = fc
  .tuple(deferred, fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }))
  .map(([one, extraMembers]) => ({ ...one, ...extraMembers }));
const persisted = fc
  .constantFrom({ sha256Hash: 'a'.repeat(64), version: 1 }, { sha256Hash: 7 })
  .map((persistedQuery) => ({ extensions: { persistedQuery } }));

const parameters: fc.Arbitrary<unknown> = weighted(
  [2, works],
  [8, deferred],
  [2, withMembers],
  [1, damaged(operations.map(({ query }) => query)).map((query) => ({ query }))],
  [1, fc.jsonValue().map((extensions) => ({ query: '{__typename}', extensions }))],
  [1, persisted],
  [1, fc.jsonValue()],
);

const JSON_TYPES = words(
  'application/json application/json application/json application/graphql-response+json application/json;charset=latin1 text/plain application/graphql application/x-www-form-urlencoded multipart/form-data;boundary=x nonsense',
);
const posts = fc
  .tuple(parameters, fc.constantFrom(...JSON_TYPES, ''), headers, fc.nat(9))
  .chain(([params, type, extraHeaders, how]) => {
    const text = JSON.stringify(params);
    const bodies = how === 0 ? damaged(fc.constant(text)) : fc.constant(text);
    return bodies.map((body) =>
      wholeRequest('POST', '/graphql', { ...extraHeaders, 'content-type': type }, body),
    );
  });

const gets = fc.tuple(parameters, headers).map(([params, extraHeaders]) => {
  const query = Object.entries(Object(params) as object).map(([name, value]) => {
    return encodeLoosely(`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  });
  return wholeRequest('GET', `/graphql?${query.join('&')}`.slice(0, 12_000), extraHeaders);
});

// Paths and queries of the REST API, of the pages, and of documents for programs.

const starts = wordFrom(
  '/ / / /api/handles/ /api/handles/ /doiRA/ /ra/ /API/Handles/ /api/ /doi: /hdl: /info:doi/ /urn:doi: /?doi= /inspector/ /graphiql/ /graphql/ /healthz /readyz /metrics // /%2e%2e/ http://elsewhere.example/',
);
const FLAGS = words(
  'noredirect ignore_aliases auth cert pretty nols index type urlappend locatt country action callback with %',
);
const GIVEN = [
  '',
  '',
  ...words(
    '1 true -1 99999999999 URL URL. id:1 country:gb gb showurls showvalues metadata %0d%0aX-Injected:1 <script> % %C3 //evil.example/',
  ),
  'f'.repeat(300),
];
const methods = wordFrom('GET GET GET GET GET HEAD OPTIONS POST DELETE QUERY');

const encodings = fc.constantFrom(encodeLoosely, encodeAnything, encodeLoosely);
const encodedNames = fc
  .tuple(fc.array(names, { minLength: 1, maxLength: 3 }), encodings)
  .map(([list, encode]) => list.map(encode).join(','));

const queries = fc
  .array(fc.tuple(fc.constantFrom(...FLAGS, ''), fc.constantFrom(...GIVEN)), { maxLength: 3 })
  .map((pairs) => pairs.map(([name, value]) => (value === '' ? name : `${name}=${value}`)).join('&'))
  .map((query) => (query === '' ? '' : `?${query}`));

const paths = fc
  .tuple(methods, starts, encodedNames, queries, headers)
  .map(([method, path, name, query, extraHeaders]) =>
    wholeRequest(method, `${path}${name}${query}`.slice(0, 12_000), extraHeaders),
  );

const documentPaths = wordFrom('/schema.graphql /openapi.json /llms.txt / /schema.graphql/ /LLMS.TXT');
/** Requests for documents for programs. `/` is their index. */
const documents = fc
  .tuple(methods, documentPaths, queries, headers)
  .map(([method, path, query, extraHeaders]) => wholeRequest(method, path + query, extraHeaders));

/** Requests that the fuzzer sends at the same time, each on its own connection. */
export type FuzzCase = readonly FuzzRequest[];

const wholes = weighted([5, posts], [2, gets], [6, paths], [1, documents], [3, mcpMessages], [1, jobPages]);

/** One upload, and requests for its job while the job runs and afterwards. */
const jobs = fc
  .tuple(uploads, fc.array(jobRequests, { maxLength: 6 }))
  .map(([upload, others]) => [upload, ...others]);

const CHUNKED =
  'POST /graphql HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';

const latin1 = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** Bytes that no HTTP client would send. */
const bytes = weighted(
  [4, damaged(weighted([3, wholes], [1, uploads]).map((request) => request.bytes))],
  [1, damaged(fc.constant(`${CHUNKED}15\r\n{"query":"{__typename\r\n3\r\n}"}\r\n0\r\n\r\n`))],
  [1, fc.tuple(wholes, wholes).map(([a, b]) => a.bytes.replace(/connection: close\r\n/, '') + b.bytes)],
).map((text): FuzzRequest => ({ kind: 'bytes', method: '', target: '', bytes: latin1(text) }));

const manyRequests = { minLength: 1, maxLength: 20, size: 'max' } as const;
const anything = fc.array(weighted([12, wholes], [1, bytes]), manyRequests);

/** A single request, which may be an upload or a request for a job. */
export const oneRequest = weighted([12, wholes], [2, bytes], [1, uploads], [1, jobRequests]);

export const cases: fc.Arbitrary<FuzzCase> = weighted(
  [4, anything],
  [1, fc.tuple(jobs, anything).map(([jobCase, others]) => [...jobCase, ...others.slice(0, 6)])],
);
