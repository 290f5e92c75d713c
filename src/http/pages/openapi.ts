// The description of the REST face in OpenAPI 3.1.

import { components } from './openapi-components.ts';

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const parameter = (name: string) => ref('parameters', name);
const json = (schema: string, example: unknown) => ({
  'application/json': { schema: ref('schemas', schema), example },
});
const html = { 'text/html': { schema: { type: 'string' } } };
const vary = { Vary: ref('headers', 'Vary') };

/** For clients that ask for metadata, by the media types that the gateway writes. */
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
  description: 'Byte for byte what the REST API of the DOI proxy answers.',
  parameters: [
    parameter('name'),
    parameter('type'),
    parameter('index'),
    parameter('auth'),
    parameter('cert'),
    parameter('pretty'),
    parameter('callback'),
  ],
  responses: {
    200: {
      description:
        'Response code 1: the values. Response code 200: the name exists and has none of those asked for.',
      content: {
        ...json('Record', RECORD),
        'application/javascript': { schema: { type: 'string', description: 'With `callback`.' } },
      },
    },
    304: ref('responses', 'NotModified'),
    400: {
      description: 'The name or an index cannot be read.',
      content: json('Failure', {
        responseCode: 102,
        handle: '%zz',
        message: 'The name in the path cannot be read.',
      }),
    },
    401: {
      description: 'The gateway answers to API keys alone.',
      content: json('Refusal', {
        responseCode: 402,
        message: 'This gateway answers to API keys alone: send yours as Authorization: Bearer.',
      }),
    },
    404: {
      description: 'Response code 100: there is no such name.',
      content: json('NotFound', { responseCode: 100, handle: '10.1000/none' }),
    },
    429: {
      description: 'Your look-ups are spent for now. What is cached is still answered.',
      headers: { 'Retry-After': ref('headers', 'RetryAfter') },
      content: json('Failure', {
        responseCode: 3,
        handle: '10.1000/182',
        message: 'This client has asked for more than it may. Try again later.',
      }),
    },
    500: {
      description: 'The directory could not be asked. Nothing follows about the name.',
      headers: { 'Retry-After': ref('headers', 'RetryAfterWherePassing') },
      content: json('Failure', {
        responseCode: 2,
        handle: '10.1000/182',
        message: 'The directory is slow. Try again.',
      }),
    },
  },
};

const agencies = {
  operationId: 'getRegistrationAgencies',
  tags: ['Agencies'],
  summary: 'Which agency registered each of some names',
  description: 'One row for each name, in their order. A name that fails costs the others nothing.',
  parameters: [parameter('names')],
  responses: {
    200: {
      description: 'A row for each name.',
      content: json('Agencies', [
        { DOI: '10.1000/182', RA: 'Crossref' },
        { DOI: '10.1000/none', status: 'DOI does not exist' },
      ]),
    },
    304: ref('responses', 'NotModified'),
    401: { description: 'The gateway answers to API keys alone.', content: html },
    429: {
      description: 'Your look-ups are spent for now; what is cached stands beside what was refused.',
      headers: { 'Retry-After': ref('headers', 'RetryAfter') },
      content: json('Agencies', [{ DOI: '10.1000/182', status: 'Error' }]),
    },
  },
};

const redirection = {
  operationId: 'redirect',
  tags: ['Redirection'],
  summary: 'Leads to where a name leads, or has the metadata of the work',
  description:
    'As https://doi.org/{name}. An `Accept` that asks for metadata gets it, by the highest `q`; `text/x-bibliography` takes `style` and `locale`. With `noredirect`, for prefixes, and where a name leads nowhere, a page of its values.',
  parameters: [
    parameter('name'),
    parameter('type'),
    parameter('index'),
    parameter('noredirect'),
    parameter('ignore_aliases'),
    parameter('action'),
    parameter('locatt'),
    parameter('country'),
    parameter('urlappend'),
    parameter('nols'),
    parameter('auth'),
    parameter('cert'),
  ],
  responses: {
    200: {
      description:
        'The metadata that `Accept` asks for; else a page of the values, or with `action=showurls` a list of locations.',
      headers: { ...vary, Link: ref('headers', 'CanonicalLink'), ETag: ref('headers', 'ETag') },
      content: { ...metadata, ...html, 'text/xml': { schema: { type: 'string' } } },
    },
    204: { description: 'The agency has no metadata of the work.', headers: vary },
    301: {
      description: 'The name is an alias: to the name that stands for it.',
      headers: { ...vary, Location: ref('headers', 'Location') },
      content: html,
    },
    302: {
      description:
        'To where it leads; for a client that asks for data, to the service of the agency. A record may ask for another 3xx.',
      headers: { ...vary, Location: ref('headers', 'Location'), Link: ref('headers', 'DescribedByLink') },
      content: html,
    },
    304: ref('responses', 'NotModified'),
    400: { description: 'The path or an index cannot be read.', content: html },
    401: { description: 'The gateway answers to API keys alone.', content: html },
    404: {
      description: 'There is no such name. A client that asks for metadata gets no page.',
      headers: vary,
      content: html,
    },
    429: {
      description: 'Your look-ups are spent for now.',
      headers: { 'Retry-After': ref('headers', 'RetryAfter') },
      content: html,
    },
    '5XX': {
      description: 'The directory could not be asked. Nothing follows about the name.',
      headers: { 'Retry-After': ref('headers', 'RetryAfterWherePassing') },
      content: html,
    },
  },
};

/** @param base the beginning of the paths; empty: the server of the document */
export function openApi(base: string, version: string): string {
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'DOI gateway, REST',
      version,
      summary: 'The REST API of the DOI proxy, by a gateway.',
      description: 'GraphQL is at /graphql (schema: /schema.graphql), tools for agents are at /mcp.',
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
