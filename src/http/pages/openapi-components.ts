// Parameters, headers and schemas that several paths of the OpenAPI document use.

export const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

// Schemas. All members of an object are required, except the members in `optional`.
export const STRING = { type: 'string' };
export const text = (description: string) => ({ ...STRING, description });
const listOf = (items: object) => ({ type: 'array', items });
const object = (properties: object, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

const responseCode = {
  type: 'integer',
  description:
    '1: found. 2: the look-up failed. 3: too busy. 4: invalid request. 100: not found. 102: invalid name. 200: the record has no such values. 402: an API key is needed. Other codes come from the directory.',
};
const handle = text('The requested name.');

const schemas = {
  Record: object({ responseCode, handle, values: listOf(ref('schemas', 'Value')) }),
  Value: object(
    {
      index: { type: 'integer', description: 'Unique in the record.' },
      type: text('`URL`, `HS_ADMIN`, `10320/loc`, …'),
      data: object(
        {
          format: text('`string`, `base64`, `admin`, …'),
          value: { description: 'Its type depends on `format`.' },
        },
        ['value'],
      ),
      ttl: { type: ['integer', 'string'], description: 'Seconds, or the time at which the value expires.' },
      timestamp: text('The time of the last change.'),
    },
    ['ttl', 'timestamp'],
  ),
  Csl: { type: 'object', description: 'CSL JSON: https://docs.citationstyles.org/' },
  NotFound: object({ responseCode: { const: 100 }, handle }),
  Failure: object({ responseCode, handle, message: STRING }),
  Refusal: object({ responseCode: { const: 402 }, message: STRING }),
  Agencies: listOf({
    oneOf: [
      object({ DOI: STRING, RA: text('`Crossref`, …, `Unknown`') }),
      object({ DOI: STRING, status: { enum: ['DOI does not exist', 'Invalid DOI', 'Error'] } }),
    ],
  }),
};

// Parameters.
export const NAME = '10.1000/182';
const inPath = (name: string, description: string) => ({
  ...{ name, in: 'path', required: true, description },
  ...{ schema: STRING, example: NAME },
});
const inQuery = (name: string, description: string) => ({ name, in: 'query', description, schema: STRING });
const flag = (name: string, description: string) => ({
  ...inQuery(
    name,
    `${description} On if the parameter has no value, or the value \`true\`, \`yes\` or \`y\`.`,
  ),
  allowEmptyValue: true,
});
const list = (name: string, description: string, items: object = STRING) => ({
  ...inQuery(name, description),
  style: 'form',
  explode: true,
  schema: listOf(items),
});

const PARAMETERS = [
  inPath(
    'name',
    'A DOI name or any other handle, percent-encoded. Slashes do not need encoding: `10.1000/456%23789`.',
  ),
  inPath('names', 'DOI names or prefixes, separated by commas. Write a comma in a name as `%2C`.'),
  list('type', 'Only values of these types, such as `URL`.'),
  list('index', 'Only values with these indexes.', { type: 'integer', format: 'int32' }),
  flag('auth', 'Look up the name at an authoritative server, without caches.'),
  flag('cert', 'Request an authenticated response from the handle server.'),
  flag('pretty', 'Indent the JSON.'),
  inQuery('callback', 'Return JavaScript that calls this function with the JSON.'),
  flag('noredirect', 'Show the values instead of redirecting.'),
  flag('ignore_aliases', 'Do not follow aliases.'),
  inQuery('action', '`showvalues` does the same as `noredirect`. `showurls` returns the locations as XML.'),
  list('locatt', 'Choose a location with this attribute, as `key:value`.'),
  inQuery('country', 'Choose a location for this country (ISO 3166 alpha-2).'),
  inQuery('urlappend', 'Append this text to the target. It cannot change the host.'),
  flag('nols', 'Do not redirect to a local service.'),
];
// Headers.
const header = (description: string, schema: object = STRING) => ({ description, schema });
const SECONDS = { type: 'integer' };

const headers = {
  Vary: header('The request headers on which the response depends, such as `Accept`.'),
  ETag: header('For `If-None-Match`.'),
  CanonicalLink: header('The link of the DOI, with `rel="canonical"`.'),
  DescribedByLink: header('The address of the metadata, with `rel="describedby"`: one link for each type.'),
  Location: { ...header('The target of the redirect.'), required: true },
  RetryAfter: { ...header('Seconds.', SECONDS), required: true },
  RetryAfterIfTemporary: header('Seconds. Only if a retry can help.', SECONDS),
};

export const components = {
  securitySchemes: {
    apiKey: { type: 'http', scheme: 'bearer', description: 'Only if the operator gave you an API key.' },
  },
  parameters: Object.fromEntries(PARAMETERS.map((parameter) => [parameter.name, parameter])),
  headers,
  responses: { NotModified: { description: 'Your copy is still fresh.' } },
  schemas,
};
