// Documents: many of everything that GraphQL lets a client write, and text that is slow to read.

import { createHash } from 'node:crypto';
import { graphqlBytes } from '../../http-bytes.ts';
import { type Attack, attack, http, list, post, postBody, times } from '../attack.ts';

const NAME = '10.1177/0020720920000000';
const one = (fields: string): string => `{doi(input:"${NAME}"){${fields}}}`;
const salt = (n: number): string => `${n}_${Date.now().toString(36)}`;

/** `{a{a{…}}}`: `depth` times. */
const nest = (depth: number, open: string, inner: string, close = '}'): string =>
  open.repeat(depth) + inner + close.repeat(depth);

const INTROSPECTION =
  '{__schema{types{name description fields(includeDeprecated:true){name description args{name type{name kind ofType{name kind ofType{name}}}}type{name kind ofType{name kind ofType{name}}}}inputFields{name}enumValues{name description}possibleTypes{name}}directives{name args{name}}}}';

/** Every fragment spreads the next one twice. */
const fragmentBomb = (depth: number): string =>
  `{doi(input:"${NAME}"){...f0}}${times(depth, (n) => `fragment f${n} on DOI{name ...f${n + 1} ...f${n + 1}}`)} fragment f${depth} on DOI{name}`;

export const documents: readonly Attack[] = [
  post('2,000 aliases of doi', `{${times(2_000, (n) => `a${n}:doi(input:"10.1/${n}"){name}`)}}`),
  post(
    '900 aliases of doi with record',
    `{${times(900, (n) => `a${n}:doi(input:"10.1177/0020720920000${n}"){record{values{type text}}}`)}}`,
  ),
  post(
    '1,500 aliases of registrationAgencies',
    `{${times(1_500, (n) => `a${n}:registrationAgencies{name title homepageUrl}`)}}`,
  ),
  post('3,000 aliases of one field', one(times(3_000, (n) => `a${n}:html`))),
  post('9,000 times the same field', one('name '.repeat(9_000))),
  post('9,000 __typename', one('__typename '.repeat(9_000))),
  post('fragments that double 30 times', fragmentBomb(30)),
  post(
    'fragments in a ring',
    `{doi(input:"x"){...a}}${times(500, (n) => `fragment f${n} on DOI{...f${(n + 1) % 500}}`)} fragment a on DOI{...f0}`,
  ),
  post(
    '2,000 fragments, none used',
    `{doiDirectory{kind}}${times(2_000, (n) => `fragment f${n} on DOI{name}`)}`,
  ),
  post('1,000 inline fragments in each other', one(nest(1_000, '...{', 'name'))),
  post(
    'overlapping fields: 300 fragments of the same keys',
    `{doi(input:"x"){${times(300, (n) => `...f${n}`)}}}${times(300, (n) => `fragment f${n} on DOI{a:url b:urn c:html r:record{handle v:values{index type}}}`)}`,
  ),
  post('overlapping fields: 2,500 that conflict', one(times(2_500, (n) => `a:${n % 2 ? 'url' : 'urn'}`))),
  post(
    'overlapping aliases, nested and with arguments',
    one(times(400, (n) => `r:record{v:values(types:["T${n}"]){index}}`)),
  ),
  post('3,000 directives on one field', one(`name ${'@skip(if:false) '.repeat(1_800)}`)),
  post('3,000 unknown directives', one(`name ${times(3_000, (n) => `@d${n}`)}`)),
  post(
    'directives with variables on 1,000 fields',
    `query($b:Boolean=true){doi(input:"x"){${times(1_000, (n) => `a${n}:name @include(if:$b) @skip(if:false)`)}}}`,
  ),
  post('selections 3,000 deep', one(nest(3_000, 'alias{doi{', 'name', '}}'))),
  post('aliases of aliases, 15 deep', one(nest(15, 'alias{doi{', 'redirect{url}', '}}'))),
  post('a list literal 400,000 deep', `{dois(inputs:${'['.repeat(400_000)}`),
  post('a list literal 4,000 deep', `{dois(inputs:${nest(4_000, '[', '"x"', ']')}){name}}`),
  post(
    'an object literal 2,000 deep',
    `{doi(input:"x"){proxyUrl(parameters:${nest(2_000, '{a:', '1', '}')})}}`,
  ),
  post('a variable type 4,000 deep', `query($a:${nest(4_000, '[', 'String', ']')}){doiDirectory{kind}}`),
  post('introspection, 40 at once', INTROSPECTION, {}, { times: 40, expect: 'graphql' }),
  post(
    'introspection of fields of types of fields',
    `{__schema{types{fields{type{fields{type{fields{type{fields{type{name}}}}}}}}}}}`,
  ),
  post(
    '200 aliases of introspection',
    `{${times(200, (n) => `a${n}:__schema{types{fields{name args{name}}}}`)}}`,
  ),
  post('__type of 2,000 names', `{${times(1_900, (n) => `a${n}:__type(name:"T${n}"){name}`)}}`),
  post('a megabyte of comments', `${'#\n'.repeat(500_000)}{doiDirectory{kind}}`, undefined, { times: 5 }),
  post('one comment of a megabyte', `#${'x'.repeat(1_000_000)}\n{doiDirectory{kind}}`, undefined, {
    times: 5,
  }),
  post('a megabyte of commas', `{doiDirectory{kind${','.repeat(1_000_000)}}}`, undefined, { times: 5 }),
  post('a megabyte of line ends, then a fault', `${'\n'.repeat(500_000)}{nothing}`, undefined, { times: 5 }),
  post('carriage returns, then 2,000 faults', `${'\r'.repeat(400_000)}{${times(2_000, (n) => `f${n}`)}}`),
  post('one name of a megabyte', `{${'a'.repeat(1_000_000)}}`),
  post('a name of 100,000 that is nearly a field', one(`registrationAgenc${'y'.repeat(100_000)}`)),
  post('3,000 unknown fields that are nearly right', one(times(3_000, (n) => `registrationAgenc${n}`))),
  post('2,000 unknown types', `{doi(input:"x"){${times(2_000, (n) => `...on Regis${n}{name}`)}}}`),
  post('2,000 unknown arguments', one(times(2_000, (n) => `a${n}:url(encodin${n}:1)`))),
  post('one field with 3,000 arguments', one(`url(${times(3_000, (n) => `e${n}:1`)})`)),
  post('1,500 unknown values of an enum', one(times(1_500, (n) => `a${n}:url(encoding:RECOMMENDE${n})`))),
  post(
    '3,000 fields of an input object that are not there',
    one(`proxyUrl(parameters:{${times(3_000, (n) => `typ${n}:1`)}})`),
  ),
  post(
    '4,000 variables that are not defined',
    `query{${times(1_500, (n) => `a${n}:doi(input:$v${n}){name}`)}}`,
  ),
  post(
    '2,000 variables that are not used',
    `query(${times(2_000, (n) => `$v${n}:String`)}){doiDirectory{kind}}`,
  ),
  post(
    '2,000 variables with defaults',
    `query(${times(1_400, (n) => `$v${n}:[String!]=["x"]`)}){doiDirectory{kind}}`,
  ),
  postBody(
    '2,000 operations, one asked for',
    JSON.stringify({ query: times(1_500, (n) => `query q${n}{doiDirectory{kind}}`), operationName: 'q7' }),
  ),
  postBody(
    'an operationName of a megabyte',
    JSON.stringify({ query: '{doiDirectory{kind}}', operationName: 'x'.repeat(1_000_000) }),
  ),
  post(
    'definitions of 2,000 types',
    times(2_000, (n) => `type T${n}{a:Int}`),
  ),
  post(
    'mutations and subscriptions',
    (n) => (n % 2 ? 'mutation{a}' : 'subscription{a}'),
    {},
    { times: 200, atOnce: 20 },
  ),
  post('a block string of 300,000 lines', `{doi(input:"""${' \n'.repeat(300_000)}"""){name}}`),
  post(
    'a block string that indents more and more',
    `{doi(input:"""${times(1_400, (n) => ' '.repeat(n), '\n')}"""){name}}`,
  ),
  post('a megabyte of escapes in a string', `{doi(input:"${'\\u{10FFFF}'.repeat(100_000)}"){name}}`),
  post('a string that does not end', `{doi(input:"${'x'.repeat(1_000_000)}`),
  post('an Int of a megabyte', one(`record{values(indexes:[${'9'.repeat(1_000_000)}]){index}}`)),
  post('1,500 invalid documents, each new', (n) => `{a${salt(n)}}`, {}, { times: 1_500, atOnce: 10 }),
  post(
    '100 invalid documents of 60 kB, each new',
    (n) => `{${times(2_000, (m) => `f${m}_${salt(n)}`)}}`,
    {},
    { times: 100, atOnce: 10 },
  ),
  post(
    '150 documents that do not parse, 300 kB each',
    (n) => `{ "${salt(n)}${'x'.repeat(300_000)}`,
    {},
    { times: 150, atOnce: 10 },
  ),
  post(
    '600 valid documents of 20 kB, each new',
    (n) => one(times(900, (m) => `a${m}_${salt(n)}:name`)),
    {},
    { times: 600, atOnce: 10 },
  ),
  post(
    '60 valid documents of 900 kB, each new',
    (n) => `#${'x'.repeat(900_000)}${salt(n)}\n{doiDirectory{kind}}`,
    {},
    { times: 60, atOnce: 10 },
  ),
  post(
    '500 small documents that come three times',
    (n) => `{a${n % 500}:doi(input:"10.1/x"){name url urn record{values{type}}}}`,
    {},
    { times: 1_500, atOnce: 10 },
  ),
  http(
    'a document of 14 kB by GET',
    { target: `/graphql?query=${encodeURIComponent(one(times(900, (n) => `a${n}:html`)))}` },
    { expect: 'graphql', times: 20 },
  ),
  http(
    '200 documents by GET, each new',
    (n) => ({ target: `/graphql?query=%7Ba${salt(n)}:doiDirectory%7Bkind%7D%7D` }),
    { expect: 'graphql', times: 200, atOnce: 10 },
  ),
  http(
    'mutation and odd parameters by GET',
    (n) => ({
      target: `/graphql?${['query=mutation%7Ba%7D', 'query=%7B', 'query', 'variables=%7B', 'query=%7BdoiDirectory%7Bkind%7D%7D&variables=[]', 'query=%zz', 'extensions=1&query=1'][n % 7]}`,
      headers: { accept: 'application/json' },
    }),
    { expect: 'graphql', times: 70, atOnce: 10 },
  ),
  http(
    '1,500 times query= in one GET',
    { target: `/graphql?${times(1_500, (n) => `query=${n}`, '&')}`, headers: { accept: 'application/json' } },
    { expect: 'graphql', times: 20 },
  ),
];

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const persisted = (hash: string): unknown => ({ persistedQuery: { version: 1, sha256Hash: hash } });
const register = (query: string): Buffer => graphqlBytes({ query, extensions: persisted(sha256(query)) });
const byHash = (query: string): string =>
  `/graphql?extensions=${encodeURIComponent(JSON.stringify(persisted(sha256(query))))}`;

const BAD_LITERALS = `{dois(inputs:[${times(9_500, () => '""')}]){name}}`;
const MANY_RECORDS = `{dois(inputs:[${times(1_000, (n) => `"10.1177/00207209${20_000_000 + n}"`, '')}]){uri url urn html record{values{index type text}}}}`;

export const registered: readonly Attack[] = [
  http('3,000 hashes nobody registered', (n) => ({ target: byHash(`${n}`) }), {
    expect: 'graphql',
    times: 3_000,
    atOnce: 10,
  }),
  attack('2,000 queries registered', (n) => register(`{a${salt(n)}:doiDirectory{kind}}`), {
    times: 2_000,
    atOnce: 10,
  }),
  attack(
    '150 queries of 90 kB registered',
    (n) => register(`#${'x'.repeat(90_000)}${salt(n)}\n{doiDirectory{kind}}`),
    { times: 150, atOnce: 10 },
  ),
  postBody(
    'hashes that are not of their query',
    JSON.stringify({
      query: `#${'x'.repeat(900_000)}\n{doiDirectory{kind}}`,
      extensions: persisted(sha256('x')),
    }),
    { times: 20 },
  ),
  postBody('a hash of a megabyte', JSON.stringify({ extensions: persisted('a'.repeat(1_000_000)) }), {
    times: 5,
  }),
  postBody('a documentId of a megabyte', JSON.stringify({ documentId: 'a'.repeat(1_000_000) }), { times: 5 }),
  postBody(
    'ids of every wrong kind',
    (n) =>
      JSON.stringify({
        [n % 2 ? 'documentId' : 'doc_id']: list(5, () => ({ a: [] }))[n % 5],
        extensions: { persistedQuery: [null, 1, [], 'x'][n % 4] },
      }),
    { times: 40, atOnce: 10 },
  ),
  attack('9,500 bad inputs registered', register(BAD_LITERALS), {}),
  http(
    '9,500 bad inputs by a GET of 150 bytes',
    { target: byHash(BAD_LITERALS) },
    { expect: 'graphql', times: 10 },
  ),
  attack('1,000 records registered', register(MANY_RECORDS), {}),
  http(
    '1,000 records by a GET of 150 bytes',
    { target: byHash(MANY_RECORDS) },
    { expect: 'graphql', times: 20 },
  ),
];
