// Operations on the gateway's own schema, right and wrong, as POST and as GET.

import fc from 'fast-check';
import { servedSchema } from '../../src/graphql/incremental/incremental-rules.ts';
import { generatedOperations } from '../../test/graphql/generated-operations.ts';
import { damaged, weighted, words } from './arbitraries.ts';
import { spellings } from './names.ts';
import { encodeLoosely, headers, whole } from './whole-request.ts';

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

/** Fragments that come later, in one of two operations. */
const deferred = fc.tuple(operations, fc.nat(3)).map(([{ query, variables }, at]) => ({
  query:
    at > 1 ? query : query.replaceAll(/\.\.\.( on \w+)? ?\{/g, `...$1 @defer${at ? '(label: "x")' : ''} {`),
  variables,
}));

/** What a name is, of which generated operations seldom ask. */
const works = fc.array(spellings, { minLength: 1, maxLength: 8 }).map((inputs) => ({
  query: `query ($inputs: [String!]!) { dois(inputs: $inputs) { name citation bibtex metadata {
    title titleHtml creators { name orcid } issued { year } containerTitle publisher type source csl } } }`,
  variables: { inputs },
}));

const parameters: fc.Arbitrary<unknown> = weighted(
  [2, works],
  [8, deferred],
  [
    2,
    fc
      .tuple(deferred, fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }))
      .map(([one, more]) => ({ ...one, ...more })),
  ],
  [1, damaged(operations.map(({ query }) => query)).map((query) => ({ query }))],
  [1, fc.jsonValue().map((extensions) => ({ query: '{__typename}', extensions }))],
  [
    1,
    fc
      .constantFrom({ sha256Hash: 'a'.repeat(64), version: 1 }, { sha256Hash: 7 })
      .map((persistedQuery) => ({ extensions: { persistedQuery } })),
  ],
  [1, fc.jsonValue()],
);

const JSON_TYPES = [
  ...words(
    'application/json application/json application/json application/graphql-response+json application/json;charset=latin1 text/plain application/graphql application/x-www-form-urlencoded',
  ),
  'multipart/form-data; boundary=x',
  'nonsense',
  '',
];
export const posts = fc
  .tuple(parameters, fc.constantFrom(...JSON_TYPES), headers, fc.nat(9))
  .chain(([params, type, some, how]) => {
    const text = JSON.stringify(params);
    const bodies = how === 0 ? damaged(fc.constant(text)) : fc.constant(text);
    return bodies.map((body) => whole('POST', '/graphql', { ...some, 'content-type': type }, body));
  });

export const gets = fc.tuple(parameters, headers).map(([params, some]) => {
  const given = Object.entries(Object(params) as object);
  const query = given.map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return whole('GET', `/graphql?${query.map(encodeLoosely).join('&')}`.slice(0, 12_000), some);
});
