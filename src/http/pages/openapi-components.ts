// What the paths of the OpenAPI document share.

const flag = (name: string, description: string) => ({
  name,
  in: 'query',
  description: `${description} On when it stands alone, is empty, \`true\`, \`yes\` or \`y\`.`,
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
const named = (properties: object, required: readonly string[]) => ({ type: 'object', properties, required });

const responseCode = {
  type: 'integer',
  description:
    '1 found, 2 failed, 3 too busy, 4 not understood, 100 not found, 102 no name, 200 no values, 402 key needed; others are the directory’s.',
};
const handle = { type: 'string', description: 'The name as it was asked for.' };
const message = { type: 'string' };

export const components = {
  securitySchemes: {
    apiKey: { type: 'http', scheme: 'bearer', description: 'Where the gateway has API keys.' },
  },
  parameters: {
    name: {
      name: 'name',
      in: 'path',
      required: true,
      description:
        'A DOI name or any other handle, percent-encoded; its slashes may stay: `10.1000/456%23789`.',
      schema: { type: 'string' },
      example: '10.1000/182',
    },
    names: {
      name: 'names',
      in: 'path',
      required: true,
      description: 'DOI names or prefixes, divided by commas; a comma in a name is `%2C`.',
      schema: { type: 'string' },
      example: '10.1000/182',
    },
    type: list('type', 'Only values of these types, such as `URL`.', { type: 'string' }),
    index: list('index', 'Only values with these indexes.', { type: 'integer', format: 'int32' }),
    auth: flag('auth', 'Ask an authoritative server, past every cache.'),
    cert: flag('cert', 'Have the answer authenticated.'),
    pretty: flag('pretty', 'Indent the JSON.'),
    callback: text('callback', 'Wrap the JSON in a call of this function.'),
    noredirect: flag('noredirect', 'Show the values instead of redirecting.'),
    ignore_aliases: flag('ignore_aliases', 'Do not follow aliases.'),
    action: {
      name: 'action',
      in: 'query',
      description: '`showvalues` is `noredirect`, `showurls` lists the locations as XML.',
      schema: { type: 'string' },
    },
    locatt: list('locatt', '`key:value`, which the location must have.', { type: 'string' }),
    country: text('country', 'Chooses among locations, as ISO 3166 alpha-2.'),
    urlappend: text('urlappend', 'Appended to where the name leads; never to another host.'),
    nols: flag('nols', 'No redirection to a local service.'),
  },
  headers: {
    Vary: {
      description: 'The request headers that matter: `Accept` where the gateway has metadata.',
      schema: { type: 'string' },
    },
    ETag: { description: 'For `If-None-Match`.', schema: { type: 'string' } },
    CanonicalLink: {
      description: 'Of metadata: the link of the DOI, with `rel="canonical"`.',
      schema: { type: 'string' },
    },
    DescribedByLink: {
      description: 'For a person: where programs find the metadata, with `rel="describedby"` and each type.',
      schema: { type: 'string' },
    },
    Location: { description: 'Where to go.', required: true, schema: { type: 'string' } },
    RetryAfter: { description: 'Seconds.', required: true, schema: { type: 'integer' } },
    RetryAfterWherePassing: {
      description: 'Seconds, where the failure may pass.',
      schema: { type: 'integer' },
    },
  },
  responses: { NotModified: { description: 'Your copy is still good.' } },
  schemas: {
    Record: named(
      {
        responseCode,
        handle,
        values: { type: 'array', items: { $ref: '#/components/schemas/Value' } },
      },
      ['responseCode', 'handle', 'values'],
    ),
    Value: named(
      {
        index: { type: 'integer', description: 'Unique in the record.' },
        type: { type: 'string', description: '`URL`, `HS_ADMIN`, `10320/loc`, …' },
        data: named(
          {
            format: { type: 'string', description: '`string`, `base64`, `admin`, …' },
            value: { description: 'Of a shape that follows from `format`.' },
          },
          ['format'],
        ),
        ttl: { type: ['integer', 'string'], description: 'Seconds, or the time at which it expires.' },
        timestamp: { type: 'string', description: 'When it was last changed.' },
      },
      ['index', 'type', 'data'],
    ),
    Csl: { type: 'object', description: 'CSL JSON: https://docs.citationstyles.org/' },
    NotFound: named({ responseCode: { const: 100 }, handle }, ['responseCode', 'handle']),
    Failure: named({ responseCode, handle, message }, ['responseCode', 'handle', 'message']),
    Refusal: named({ responseCode: { const: 402 }, message }, ['responseCode', 'message']),
    Agencies: {
      type: 'array',
      items: {
        oneOf: [
          named(
            { DOI: { type: 'string' }, RA: { type: 'string', description: '`Crossref`, …, `Unknown`' } },
            ['DOI', 'RA'],
          ),
          named(
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
