// Describes the REST API in OpenAPI 3.1, for `/openapi.json`.

import { ERROR_KINDS } from '../../errors.ts';
import { components } from './openapi-components.ts';

const NEEDS_KEY = 'The gateway needs an API key.';
const DIRECTORY_FAILED = 'The look-up failed. The name can still exist.';

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const parameters = (...names: readonly string[]) => names.map((name) => ref('parameters', name));
const json = (schema: string, example: unknown) => ({
  'application/json': { schema: ref('schemas', schema), example },
});
const html = { 'text/html': { schema: { type: 'string' } } };
const vary = { Vary: ref('headers', 'Vary') };
const retryAfter = { 'Retry-After': ref('headers', 'RetryAfter') };
const retryAfterIfTemporary = { 'Retry-After': ref('headers', 'RetryAfterIfTemporary') };

/** The response to a client that accepts a type of metadata, by type. */
const metadata = Object.fromEntries([
  ...['application/vnd.citationstyles.csl+json', 'application/citeproc+json', 'application/json'].map(
    (type) => [type, { schema: ref('schemas', 'Csl') }],
  ),
  ...[
    'application/x-bibtex',
    'application/x-research-info-systems',
    'text/x-bibliography',
    'text/bibliography',
  ].map((type) => [type, { schema: { type: 'string' } }]),
]);

const RECORD = {
  responseCode: 1,
  handle: '10.1000/182',
  values: [
    {
      index: 1,
      type: 'URL',
      data: { format: 'string', value: 'http://www.doi.org/hb.html' },
      ttl: 86_400,
      timestamp: '2004-01-21T14:14:17Z',
    },
  ],
};

const handles = {
  operationId: 'getRecord',
  tags: ['Records'],
  summary: 'The handle record of a name',
  description: 'The response is byte for byte the same as from the REST API of the DOI proxy.',
  parameters: parameters('name', 'type', 'index', 'auth', 'cert', 'pretty', 'callback'),
  responses: {
    200: {
      description:
        'Response code 1: the values. Response code 200: the name exists, but has no values of the requested types and indexes.',
      content: {
        ...json('Record', RECORD),
        'application/javascript': { schema: { type: 'string', description: 'With `callback`.' } },
      },
    },
    304: ref('responses', 'NotModified'),
    400: {
      description: 'The name or an index is invalid.',
      content: json('Failure', {
        responseCode: 102,
        handle: '%zz',
        message: 'The name in the path cannot be read.',
      }),
    },
    401: {
      description: NEEDS_KEY,
      content: json('Refusal', { responseCode: 402, message: ERROR_KINDS.UNAUTHENTICATED.message }),
    },
    404: {
      description: 'Response code 100: the name does not exist.',
      content: json('NotFound', { responseCode: 100, handle: '10.1000/none' }),
    },
    429: {
      description: 'The client has no look-ups left for now. The gateway still returns cached records.',
      headers: retryAfter,
      content: json('Failure', {
        responseCode: 3,
        handle: '10.1000/182',
        message: ERROR_KINDS.RATE_LIMITED.message,
      }),
    },
    500: {
      description: DIRECTORY_FAILED,
      headers: retryAfterIfTemporary,
      content: json('Failure', {
        responseCode: 2,
        handle: '10.1000/182',
        message: ERROR_KINDS.UPSTREAM_TIMEOUT.message,
      }),
    },
  },
};

const agencies = {
  operationId: 'getRegistrationAgencies',
  tags: ['Agencies'],
  summary: 'The registration agency of each name',
  description:
    'One row for each name, in the order of the path. A name that fails does not affect the other names.',
  parameters: parameters('names'),
  responses: {
    200: {
      description: 'A row for each name.',
      content: json('Agencies', [
        { DOI: '10.1000/182', RA: 'Crossref' },
        { DOI: '10.1000/none', status: 'DOI does not exist' },
      ]),
    },
    304: ref('responses', 'NotModified'),
    401: { description: NEEDS_KEY, content: html },
    429: {
      description:
        'The client has no look-ups left for now. Rows with a cached agency have it; the other rows have the status `Error`.',
      headers: retryAfter,
      content: json('Agencies', [{ DOI: '10.1000/182', status: 'Error' }]),
    },
  },
};

const redirection = {
  operationId: 'redirect',
  tags: ['Redirection'],
  summary: 'Redirects to the target of a name, or returns the metadata of the work',
  description:
    'Like https://doi.org/{name}. If `Accept` prefers a type of metadata, the response is the metadata; `text/x-bibliography` has the parameters `style` and `locale`. With `noredirect`, for a prefix, or if the name has no target, the response is a page with its values.',
  parameters: parameters(
    'name',
    'type',
    'index',
    'noredirect',
    'ignore_aliases',
    'action',
    'locatt',
    'country',
    'urlappend',
    'nols',
    'auth',
    'cert',
  ),
  responses: {
    200: {
      description:
        'The metadata, in the type that `Accept` prefers. Else a page with the values, or with `action=showurls` a list of locations.',
      headers: { ...vary, Link: ref('headers', 'CanonicalLink'), ETag: ref('headers', 'ETag') },
      content: { ...metadata, ...html, 'text/xml': { schema: { type: 'string' } } },
    },
    204: { description: 'The agency has no metadata of the work.', headers: vary },
    301: {
      description: 'The name is an alias. `Location` is the target of the alias.',
      headers: { ...vary, Location: ref('headers', 'Location') },
      content: html,
    },
    302: {
      description:
        'To the target of the name. For a client that accepts data, `Location` can be the service of the agency. A record can set another 3xx status.',
      headers: { ...vary, Location: ref('headers', 'Location'), Link: ref('headers', 'DescribedByLink') },
      content: html,
    },
    304: ref('responses', 'NotModified'),
    400: { description: 'The path or an index is invalid.', content: html },
    401: { description: NEEDS_KEY, content: html },
    404: {
      description: 'The name does not exist. The response to a client that accepts metadata has no body.',
      headers: vary,
      content: html,
    },
    429: {
      description: 'The client has no look-ups left for now.',
      headers: retryAfter,
      content: html,
    },
    '5XX': {
      description: DIRECTORY_FAILED,
      headers: retryAfterIfTemporary,
      content: html,
    },
  },
};

/** @param base the gateway's URL for clients; empty: the server from which a client loads the document */
export function openApi(base: string, version: string): string {
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'DOI gateway, REST',
      version,
      summary: 'The REST API of the DOI proxy, served by a gateway.',
      description:
        'The gateway also serves GraphQL at /graphql (schema: /schema.graphql), and tools for agents at /mcp.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: base === '' ? '/' : base }],
    security: [{}, { apiKey: [] }],
    tags: [{ name: 'Records' }, { name: 'Agencies' }, { name: 'Redirection' }],
    paths: {
      '/api/handles/{name}': { get: handles },
      '/doiRA/{names}': { get: agencies },
      '/{name}': { get: redirection },
    },
    components,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
