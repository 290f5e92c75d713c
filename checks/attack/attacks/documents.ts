// GraphQL documents that repeat one element very often, and documents with text that is slow to read.

import { createHash } from 'node:crypto';
import { graphqlBytes } from '../../../bench/http-bytes.ts';
import { type Attack, attacks, gets, http, posts, queries, tenAtOnce } from '../attack.ts';
import { graphqlAliases, letters, nest, oneOf, times } from '../requests.ts';

const NAME = '10.1177/0020720920000000';
const one = (fields: string): string => `{doi(input:"${NAME}"){${fields}}}`;
/** Makes a name that no earlier run has used. */
const salt = (n: number): string => `${n}_${Date.now().toString(36)}`;
const KIND = '{doiDirectory{kind}}';

const oneType = (n: number): string => `r:record{v:values(types:["T${n}"]){index}}`;
const INTROSPECTION =
  '{__schema{types{name description fields(includeDeprecated:true){name description args{name type{name kind ofType{name kind ofType{name}}}}type{name kind ofType{name kind ofType{name}}}}inputFields{name}enumValues{name description}possibleTypes{name}}directives{name args{name}}}}';

/** Every fragment spreads the next one twice. */
const fragmentBomb = (depth: number): string =>
  `${one('...f0')}${times(depth, (n) => `fragment f${n} on DOI{name ...f${n + 1} ...f${n + 1}}`)} fragment f${depth} on DOI{name}`;

const texts = queries({
  '2,000 GraphQL aliases of doi': `{${times(2_000, (n) => `a${n}:doi(input:"10.1/${n}"){name}`)}}`,
  '900 GraphQL aliases of doi with record': `{${times(900, (n) => `a${n}:doi(input:"10.1177/0020720920000${n}"){record{values{type text}}}`)}}`,
  '3,000 GraphQL aliases of one field': one(graphqlAliases(3_000, 'html')),
  '9,000 times the same field': one('name '.repeat(9_000)),
  'fragments that double 30 times': fragmentBomb(30),
  'fragments in a ring': `${one('...f0')}${times(500, (n) => `fragment f${n} on DOI{...f${(n + 1) % 500}}`)}`,
  '2,000 fragments, none used': `${KIND}${times(2_000, (n) => `fragment f${n} on DOI{name}`)}`,
  '1,000 inline fragments, one inside the other': one(nest(1_000, '...{', 'name')),
  '400 fields under one GraphQL alias, each with different arguments': one(times(400, oneType)),
  '1,800 directives on one field': one(`name ${'@skip(if:false) '.repeat(1_800)}`),
  '3,000 unknown directives': one(`name ${times(3_000, (n) => `@d${n}`)}`),
  'directives with variables on 1,000 fields': `query($b:Boolean=true)${one(graphqlAliases(1_000, 'name @include(if:$b) @skip(if:false)'))}`,
  'selections of handle aliases, 3,000 deep': one(nest(3_000, 'alias{doi{', 'name', '}}')),
  'handle aliases of handle aliases, 15 deep': one(nest(15, 'alias{doi{', 'redirect{url}', '}}')),
  'a list literal 400,000 deep': `{dois(inputs:${'['.repeat(400_000)}`,
  'an object literal 2,000 deep': one(`proxyUrl(parameters:${nest(2_000, '{a:', '1')})`),
  'a variable type 4,000 deep': `query($a:${nest(4_000, '[', 'String', ']')})${KIND}`,
  'introspection, 40 at once': [INTROSPECTION, 40],
  'introspection, 4 levels of fields of types': `{__schema{types{${nest(4, 'fields{type{', 'name', '}}')}}}}`,
  '__type of 1,900 names': `{${times(1_900, (n) => `a${n}:__type(name:"T${n}"){name}`)}}`,
  'a megabyte of comments': [`${'#\n'.repeat(500_000)}${KIND}`, 5],
  'one comment of a megabyte': [`#${letters(1_000_000)}\n${KIND}`, 5],
  'a megabyte of commas': [`{doiDirectory{kind${','.repeat(1_000_000)}}}`, 5],
  '500,000 line ends, then an unknown field': [`${'\n'.repeat(500_000)}{nothing}`, 5],
  '400,000 carriage returns, then 2,000 unknown fields': `${'\r'.repeat(400_000)}{${times(2_000, (n) => `f${n}`)}}`,
  'one name of a megabyte': `{${'a'.repeat(1_000_000)}}`,
  'an unknown field of 100,000 letters, similar to a known field': one(`registrationAgenc${'y'.repeat(1e5)}`),
  '2,000 unknown types': one(times(2_000, (n) => `...on Regis${n}{name}`)),
  '2,000 unknown arguments': one(times(2_000, (n) => `a${n}:url(encodin${n}:1)`)),
  'one field with 3,000 arguments': one(`url(${times(3_000, (n) => `e${n}:1`)})`),
  '1,500 unknown values of an enum': one(times(1_500, (n) => `a${n}:url(encoding:RECOMMENDE${n})`)),
  '3,000 unknown fields of an input object': one(
    `proxyUrl(parameters:{${times(3_000, (n) => `typ${n}:1`)}})`,
  ),
  '1,500 variables that are not defined': `query{${times(1_500, (n) => `a${n}:doi(input:$v${n}){name}`)}}`,
  '2,000 variables that are not used': `query(${times(2_000, (n) => `$v${n}:String`)})${KIND}`,
  '1,400 variables with defaults': `query(${times(1_400, (n) => `$v${n}:[String!]=["x"]`)})${KIND}`,
  'definitions of 2,000 types': times(2_000, (n) => `type T${n}{a:Int}`),
  'mutations and subscriptions': [
    (n) => oneOf(n, 'subscription{a}', 'mutation{a}'),
    { requests: 200, atOnce: 20 },
  ],
  'a block string of 300,000 lines': `{doi(input:"""${' \n'.repeat(300_000)}"""){name}}`,
  'a block string of 1,400 lines, each indented more': `{doi(input:"""${times(1_400, (n) => ' '.repeat(n), '\n')}"""){name}}`,
  'a megabyte of escapes in a string': `{doi(input:"${'\\u{10FFFF}'.repeat(100_000)}"){name}}`,
  'a string that does not end': `{doi(input:"${letters(1_000_000)}`,
  'an Int of a megabyte': one(`record{values(indexes:[${'9'.repeat(1_000_000)}]){index}}`),
  '1,500 invalid documents, each new': [(n) => `{a${salt(n)}}`, tenAtOnce(1_500)],
  '100 invalid documents of 35 kB, each new': [
    (n) => `{${times(2_000, (m) => `f${m}_${salt(n)}`)}}`,
    tenAtOnce(100),
  ],
  '150 documents that do not parse, 300 kB each': [(n) => `{ "${salt(n)}${letters(300_000)}`, tenAtOnce(150)],
  '600 valid documents of 20 kB, each new': [
    (n) => one(times(900, (m) => `a${m}_${salt(n)}:name`)),
    tenAtOnce(600),
  ],
  '60 valid documents of 900 kB, each new': [(n) => `#${letters(900_000)}${salt(n)}\n${KIND}`, tenAtOnce(60)],
  '500 small documents, each sent three times': [
    (n) => `{a${n % 500}:doi(input:"10.1/x"){name url urn record{values{type}}}}`,
    tenAtOnce(1_500),
  ],
});

const operationName = posts({
  '1,500 operations, one selected': JSON.stringify({
    query: times(1_500, (n) => `query q${n}${KIND}`),
    operationName: 'q7',
  }),
  'an operationName of a megabyte': JSON.stringify({ query: KIND, operationName: letters(1_000_000) }),
});

const ODD_PARAMETERS = [
  ...['query=mutation%7Ba%7D', 'query=%7B', 'query', 'variables=%7B'],
  ...['query=%7BdoiDirectory%7Bkind%7D%7D&variables=[]', 'query=%zz', 'extensions=1&query=1'],
];
const headers = { accept: 'application/json' };
const byGet = http(
  {
    'a document of 12 kB by GET': {
      target: `/graphql?query=${encodeURIComponent(one(graphqlAliases(900, 'html')))}`,
    },
    '200 documents by GET, each new': [
      (n) => ({ target: `/graphql?query=%7Ba${salt(n)}:doiDirectory%7Bkind%7D%7D` }),
      tenAtOnce(200),
    ],
    'a mutation and odd parameters by GET': [
      (n) => ({ target: `/graphql?${oneOf(n, ...ODD_PARAMETERS)}`, headers }),
      tenAtOnce(70),
    ],
    'the parameter query 1,500 times in one GET': {
      target: `/graphql?${times(1_500, (n) => `query=${n}`, '&')}`,
      headers,
    },
  },
  { expect: 'graphql', requests: 20, atOnce: 20 },
);

export const documents: readonly Attack[] = [...texts, ...operationName, ...byGet];

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const persisted = (hash: string): object => ({ persistedQuery: { version: 1, sha256Hash: hash } });
/** A request that registers a document under its hash. */
export const register = (query: string): Buffer =>
  graphqlBytes({ query, extensions: persisted(sha256(query)) });
/** The target of a GET request that names a document by its hash. */
export const byHash = (query: string): string =>
  `/graphql?extensions=${encodeURIComponent(JSON.stringify(persisted(sha256(query))))}`;
const LONG_COMMENT = `#${letters(900_000)}\n${KIND}`;
const INVALID_PERSISTED_QUERIES = [null, 1, [], 'x'];

export const registered: readonly Attack[] = [
  ...gets({ '3,000 unregistered hashes': (n) => byHash(`${n}`) }, { expect: 'graphql', ...tenAtOnce(3_000) }),
  ...attacks(register)({
    '2,000 queries registered': [(n) => `{a${salt(n)}:doiDirectory{kind}}`, tenAtOnce(2_000)],
    '150 queries of 90 kB registered': [(n) => `#${letters(90_000)}${salt(n)}\n${KIND}`, tenAtOnce(150)],
  }),
  ...attacks<object>(graphqlBytes)({
    'a hash of another text than the query': [
      { query: LONG_COMMENT, extensions: persisted(sha256('x')) },
      20,
    ],
    'a hash of a megabyte': [{ extensions: persisted('a'.repeat(1_000_000)) }, 5],
    'a documentId of a megabyte': [{ documentId: 'a'.repeat(1_000_000) }, 5],
    'document ids of every wrong type': [
      (n: number) => ({
        [oneOf(n, 'doc_id', 'documentId')]: { a: [] },
        extensions: { persistedQuery: INVALID_PERSISTED_QUERIES[n % 4] },
      }),
      tenAtOnce(40),
    ],
  }),
];
