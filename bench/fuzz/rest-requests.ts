// Paths and queries of the REST face, of the pages and of what machines ask.

import fc from 'fast-check';
import { words } from './arbitraries.ts';
import { names } from './names.ts';
import { encodeAnything, encodeLoosely, headers, whole } from './whole-request.ts';

const PATHS = words(
  '/ / / /api/handles/ /api/handles/ /doiRA/ /ra/ /API/Handles/ /api/ /doi: /hdl: /info:doi/ /urn:doi: /?doi= /inspector/ /graphiql/ /graphql/ /healthz /readyz /metrics // /%2e%2e/ http://elsewhere.example/',
);
const FLAGS = [
  ...words(
    'noredirect ignore_aliases auth cert pretty nols index type urlappend locatt country action callback with %',
  ),
  '',
];
const GIVEN = [
  '',
  '',
  ...words(
    '1 true -1 99999999999 URL URL. id:1 country:gb gb showurls showvalues metadata %0d%0aX-Injected:1 <script> % %C3 //evil.example/',
  ),
  'f'.repeat(300),
];
const METHODS = ['GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'QUERY'];

const encodedNames = fc
  .tuple(
    fc.array(names, { minLength: 1, maxLength: 3 }),
    fc.constantFrom(encodeLoosely, encodeAnything, encodeLoosely),
  )
  .map(([some, encode]) => some.map(encode).join(','));

const queries = fc
  .array(fc.tuple(fc.constantFrom(...FLAGS), fc.constantFrom(...GIVEN)), { maxLength: 3 })
  .map((pairs) => pairs.map(([name, value]) => (value === '' ? name : `${name}=${value}`)).join('&'));

export const paths = fc
  .tuple(fc.constantFrom(...METHODS), fc.constantFrom(...PATHS), encodedNames, queries, headers)
  .map(([method, path, name, query, some]) =>
    whole(method, `${path}${name}${query === '' ? '' : `?${query}`}`.slice(0, 12_000), some),
  );

/** What programs read of the gateway, and its index, which `/` is to them. */
export const documents = fc
  .tuple(
    fc.constantFrom(...METHODS),
    fc.constantFrom('/schema.graphql', '/openapi.json', '/llms.txt', '/', '/schema.graphql/', '/LLMS.TXT'),
    queries,
    headers,
  )
  .map(([method, path, query, some]) => whole(method, `${path}${query === '' ? '' : `?${query}`}`, some));
