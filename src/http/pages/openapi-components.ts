// Parameters, headers and schemas that several paths of the OpenAPI document use.

const flag = (name: string, description: string) => ({
  name,
  in: 'query',
  description: `${description} On if the parameter has no value, or the value \`true\`, \`yes\` or \`y\`.`,
  allowEmptyValue: true,
  schema: { type: 'string' },
});
const text = (name: string, description: string) => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string' },
});
const list = (name: string, description: string, items: object) => ({
  name,
  in: 'query',
  description,
  style: 'form',
  explode: true,
  schema: { type: 'array', items },
});
const object = (properties: object, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
});

const responseCode = {
  type: 'integer',
  description:
    '1: found. 2: the look-up failed. 3: too busy. 4: invalid request. 100: not found. 102: invalid name. 200: no such values. 402: an API key is needed. Other codes come from the directory.',
};
const handle = { type: 'string', description: 'The name of the request.' };
const message = { type: 'string' };

export const components = {
  securitySchemes: {
    apiKey: { type: 'http', scheme: 'bearer', description: 'Only if the operator gave you an API key.' },
  },
  parameters: {
    name: {
      name: 'name',
      in: 'path',
      required: true,
      description:
        'A DOI name or any other handle, percent-encoded. Slashes do not need encoding: `10.1000/456%23789`.',
      schema: { type: 'string' },
      example: '10.1000/182',
    },
    names: {
      name: 'names',
      in: 'path',
      required: true,
      description: 'DOI names or prefixes, divided by commas. Write a comma in a name as `%2C`.',
      schema: { type: 'string' },
      example: '10.1000/182',
    },
    type: list('type', 'Only values of these types, such as `URL`.', { type: 'string' }),
    index: list('index', 'Only values with these indexes.', { type: 'integer', format: 'int32' }),
    auth: flag('auth', 'Look up the name at an authoritative server, and in no cache.'),
    cert: flag('cert', 'Request an authenticated response from the handle server.'),
    pretty: flag('pretty', 'Indent the JSON.'),
    callback: text('callback', 'Wrap the JSON in a call of this function.'),
    noredirect: flag('noredirect', 'Show the values instead of redirecting.'),
    ignore_aliases: flag('ignore_aliases', 'Do not follow aliases.'),
    action: {
      name: 'action',
      in: 'query',
      description: '`showvalues` does the same as `noredirect`. `showurls` returns the locations as XML.',
      schema: { type: 'string' },
    },
    locatt: list('locatt', 'Choose a location with this attribute, as `key:value`.', { type: 'string' }),
    country: text('country', 'Choose a location for this country (ISO 3166 alpha-2).'),
    urlappend: text('urlappend', 'Append this text to the target. It cannot change the host.'),
    nols: flag('nols', 'Do not redirect to a local service.'),
  },
  headers: {
    Vary: {
      description: 'The request headers on which the response depends, such as `Accept`.',
      schema: { type: 'string' },
    },
    ETag: { description: 'For `If-None-Match`.', schema: { type: 'string' } },
    CanonicalLink: {
      description: 'The link of the DOI, with `rel="canonical"`.',
      schema: { type: 'string' },
    },
    DescribedByLink: {
      description: 'The address of the metadata, with `rel="describedby"`: one link for each type.',
      schema: { type: 'string' },
    },
    Location: { description: 'The target of the redirect.', required: true, schema: { type: 'string' } },
    RetryAfter: { description: 'Seconds.', required: true, schema: { type: 'integer' } },
    RetryAfterIfTemporary: {
      description: 'Seconds. Only if a retry can help.',
      schema: { type: 'integer' },
    },
  },
  responses: { NotModified: { description: 'Your copy is still fresh.' } },
  schemas: {
    Record: object(
      {
        responseCode,
        handle,
        values: { type: 'array', items: { $ref: '#/components/schemas/Value' } },
      },
      ['responseCode', 'handle', 'values'],
    ),
    Value: object(
      {
        index: { type: 'integer', description: 'Unique in the record.' },
        type: { type: 'string', description: '`URL`, `HS_ADMIN`, `10320/loc`, …' },
        data: object(
          {
            format: { type: 'string', description: '`string`, `base64`, `admin`, …' },
            value: { description: 'Its type depends on `format`.' },
          },
          ['format'],
        ),
        ttl: { type: ['integer', 'string'], description: 'Seconds, or the time at which the value expires.' },
        timestamp: { type: 'string', description: 'The time of the last change.' },
      },
      ['index', 'type', 'data'],
    ),
    Csl: { type: 'object', description: 'CSL JSON: https://docs.citationstyles.org/' },
    NotFound: object({ responseCode: { const: 100 }, handle }, ['responseCode', 'handle']),
    Failure: object({ responseCode, handle, message }, ['responseCode', 'handle', 'message']),
    Refusal: object({ responseCode: { const: 402 }, message }, ['responseCode', 'message']),
    Agencies: {
      type: 'array',
      items: {
        oneOf: [
          object(
            { DOI: { type: 'string' }, RA: { type: 'string', description: '`Crossref`, …, `Unknown`' } },
            ['DOI', 'RA'],
          ),
          object(
            {
              DOI: { type: 'string' },
              status: { enum: ['DOI does not exist', 'Invalid DOI', 'Error'] },
            },
            ['DOI', 'status'],
          ),
        ],
      },
    },
  },
} as const;
