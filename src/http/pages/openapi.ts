// Describes the REST API in OpenAPI 3.1, for `/openapi.json`.

import { ERROR_KINDS } from '../../errors.ts';
import { components, NAME, ref, STRING, text } from './openapi-components.ts';

const parameters = (names: string) => names.split(' ').map((name) => ref('parameters', name));
const vary = { Vary: ref('headers', 'Vary') };
const location = { ...vary, Location: ref('headers', 'Location') };
const retryAfter = { 'Retry-After': ref('headers', 'RetryAfter') };
const retryAfterIfTemporary = { 'Retry-After': ref('headers', 'RetryAfterIfTemporary') };

const respond = (description: string, content?: object, headers?: object) => ({
  description,
  headers,
  content,
});
const json = (schema: string, example: unknown) => ({
  'application/json': { schema: ref('schemas', schema), example },
});
const failure = (code: number, message: string, name = NAME) =>
  json('Failure', { responseCode: code, handle: name, message });
const html = { 'text/html': { schema: STRING } };
const NOT_MODIFIED = ref('responses', 'NotModified');
const NEEDS_KEY = 'The gateway needs an API key.';
const DIRECTORY_FAILED = 'The look-up failed. The name can still exist.';

const RECORD = {
  responseCode: 1,
  handle: NAME,
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
  parameters: parameters('name type index auth cert pretty callback'),
  responses: {
    200: respond(
      'Response code 1: the values. Response code 200: the name exists, but has no values of the requested types and indexes.',
      { ...json('Record', RECORD), 'application/javascript': { schema: text('With `callback`.') } },
    ),
    304: NOT_MODIFIED,
    400: respond(
      'The name or an index is invalid.',
      failure(102, 'The name in the path cannot be read.', '%zz'),
    ),
    401: respond(
      NEEDS_KEY,
      json('Refusal', { responseCode: 402, message: ERROR_KINDS.UNAUTHENTICATED.message }),
    ),
    404: respond(
      'Response code 100: the name does not exist.',
      json('NotFound', { responseCode: 100, handle: '10.1000/none' }),
    ),
    429: respond(
      'The client has no look-ups left for now. The gateway still returns cached records.',
      failure(3, ERROR_KINDS.RATE_LIMITED.message),
      retryAfter,
    ),
    500: respond(DIRECTORY_FAILED, failure(2, ERROR_KINDS.UPSTREAM_TIMEOUT.message), retryAfterIfTemporary),
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
    200: respond(
      'A row for each name.',
      json('Agencies', [
        { DOI: NAME, RA: 'Crossref' },
        { DOI: '10.1000/none', status: 'DOI does not exist' },
      ]),
    ),
    304: NOT_MODIFIED,
    401: respond(NEEDS_KEY, html),
    429: respond(
      'The client has no look-ups left for now. Only rows of cached names have an agency. All other rows have the status `Error`.',
      json('Agencies', [{ DOI: NAME, status: 'Error' }]),
      retryAfter,
    ),
  },
};

const CSL = { schema: ref('schemas', 'Csl') };

/** The response to a client that accepts a type of metadata, by type. */
const metadata = {
  'application/vnd.citationstyles.csl+json': CSL,
  'application/citeproc+json': CSL,
  'application/json': CSL,
  'application/x-bibtex': { schema: STRING },
  'application/x-research-info-systems': { schema: STRING },
  'text/x-bibliography': { schema: STRING },
  'text/bibliography': { schema: STRING },
};

const redirection = {
  operationId: 'redirect',
  tags: ['Redirection'],
  summary: 'Redirects to the target of a name, or returns the metadata of the work',
  description:
    'Works like https://doi.org/{name}. If `Accept` prefers a type of metadata, the response is the metadata; `text/x-bibliography` has the parameters `style` and `locale`. With `noredirect`, for a prefix, or if the name has no target, the response is a page with its values.',
  parameters: parameters(
    'name type index noredirect ignore_aliases action locatt country urlappend nols auth cert',
  ),
  responses: {
    200: respond(
      'The metadata, in the type that `Accept` prefers. Else a page with the values, or with `action=showurls` a list of locations.',
      { ...metadata, ...html, 'text/xml': { schema: STRING } },
      { ...vary, Link: ref('headers', 'CanonicalLink'), ETag: ref('headers', 'ETag') },
    ),
    204: respond('The agency has no metadata of the work.', undefined, vary),
    301: respond('The name is an alias. `Location` is the target of the alias.', html, location),
    302: respond(
      'Redirects to the target of the name. For a client that accepts data, `Location` can be the service of the agency. A record can set another 3xx status.',
      html,
      { ...location, Link: ref('headers', 'DescribedByLink') },
    ),
    304: NOT_MODIFIED,
    400: respond('The path or an index is invalid.', html),
    401: respond(NEEDS_KEY, html),
    404: respond(
      'The name does not exist. The response to a client that accepts metadata has no body.',
      html,
      vary,
    ),
    429: respond('The client has no look-ups left for now.', html, retryAfter),
    '5XX': respond(DIRECTORY_FAILED, html, retryAfterIfTemporary),
  },
};

/** @param base the gateway's URL for clients; empty: paths are relative to the server of the document */
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
