// What is asked for is as large as the gateway allows. Whoever sets prices leaves something out; this finds it.

import { names } from '../../peers/data.mjs';
import { type Attack, largest } from '../attack.ts';
import { aliases, doi, dois, letters, list, NAME, op, short, times } from '../requests.ts';

const BATCHES = [1, 20, 200, 2_000];

/** An argument of a field, with so many names, as large as can be. */
const argument = (
  name: string,
  maxSize: number,
  field: string,
  type: string,
  make: (size: number) => unknown,
): Attack[] =>
  BATCHES.map((count) =>
    largest(`${name}, for ${count} names`, maxSize, (size) =>
      op(dois(field, `,$p:${type}`), {
        n: [...names.slice(0, count - 1), '10.5555/locations'],
        p: make(size),
      }),
    ),
  );

const argumentsOfFields: readonly Attack[] = [
  ...argument('urlAppend of proxyUrl', 900_000, 'proxyUrl(parameters:$p)', 'ProxyUrlInput', (size) => ({
    urlAppend: letters(size),
  })),
  ...argument(
    'urlAppend of proxyUrl, all of it encoded',
    200_000,
    'proxyUrl(parameters:$p)',
    'ProxyUrlInput',
    (size) => ({ urlAppend: '\u{10ffff}'.repeat(size) }),
  ),
  ...argument('types of proxyUrl', 100_000, 'proxyUrl(parameters:$p)', 'ProxyUrlInput', (size) => ({
    types: list(size, (n) => `T${n}`),
  })),
  ...argument('indexes of proxyUrl', 130_000, 'proxyUrl(parameters:$p)', 'ProxyUrlInput', (size) => ({
    indexes: list(size, (n) => n),
  })),
  ...argument('types of values', 100_000, 'record{values(types:$p){index}}', '[String!]', (size) =>
    list(size, (n) => `T${n}.`),
  ),
  ...argument('indexes of values', 130_000, 'record{values(indexes:$p){index}}', '[Int!]', (size) =>
    list(size, (n) => n),
  ),
  ...argument('types of redirect', 100_000, 'redirect(parameters:$p){url}', 'RedirectInput', (size) => ({
    types: list(size, (n) => `T${n}`),
  })),
  ...argument('locatt of redirect', 80_000, 'redirect(parameters:$p){url}', 'RedirectInput', (size) => ({
    locatt: list(size, (n) => `id:${n}`),
  })),
  ...argument('country of redirect', 900_000, 'redirect(parameters:$p){url}', 'RedirectInput', (size) => ({
    country: letters(size),
  })),
  ...argument('urlAppend of redirect', 900_000, 'redirect(parameters:$p){url}', 'RedirectInput', (size) => ({
    urlAppend: `?${letters(size)}`,
  })),
  ...argument('forms of encodings', 60_000, 'encodings(forms:$p){value}', '[DOIEncodingForm!]', (size) =>
    list(size, () => 'HTML'),
  ),
];

const inputs = (name: string, maxSize: number, query: string, make: (n: number) => unknown): Attack =>
  largest(name, maxSize, (size) => op(query, { n: list(size, make) }));
const PARSED = 'form input problem{code message position}doi{name uri warnings{code message}}';
const parseDois = `query($n:[String!]!){parseDois(inputs:$n){${PARSED}}}`;
const CLASSES =
  'query($n:[String!]!){doiEquivalenceClasses(inputs:$n){classes{doi{canonicalName html}members{index input}}unreadable{index input problem{code message}}}}';
const ENTITIES = 'query($r:[_Any!]!){_entities(representations:$r){...on DOI{name record{values{text}}}}}';

const numbersOfInputs: readonly Attack[] = [
  inputs('bad inputs of dois', 100_000, dois('name'), () => ''),
  inputs(
    'bad inputs of dois, with four fields',
    100_000,
    dois('name uri record{handle}redirect{url}'),
    (n) => `bad ${n}`,
  ),
  inputs('good inputs of dois, computed fields alone', 40_000, dois('name uri url html'), (n) => `10.1/${n}`),
  inputs(
    'good inputs of dois, with records',
    4_000,
    dois('record{values{type text}}redirect{url}'),
    (n) => names[n % names.length],
  ),
  inputs(
    'names that are not there, and suggestions',
    4_000,
    dois('exists suggestions{name}'),
    (n) => `10.1/${n}%252F.`,
  ),
  inputs('inputs of parseDois', 40_000, parseDois, (n) => `https://doi.org/10.1/${n}`),
  inputs('bad inputs of parseDois', 40_000, parseDois, () => '10.1000/%'),
  inputs('inputs of parseDois of 400 characters', 2_500, parseDois, (n) => `10.1/${n}${'%C3%A9'.repeat(66)}`),
  inputs('inputs of doiEquivalenceClasses', 40_000, CLASSES, (n) => `10.1/${n}`),
  inputs('bad inputs of doiEquivalenceClasses', 40_000, CLASSES, (n) => `bad ${n}`),
  largest('bad representations', 40_000, (size) =>
    op(ENTITIES, { r: list(size, () => ({ __typename: 'DOI', id: 'x' })) }),
  ),
  largest('representations', 20_000, (size) =>
    op(ENTITIES, { r: list(size, (n) => ({ __typename: 'DOI', ref: names[n % names.length] })) }),
  ),
];

const FORMS = 'name uri url urn html markdown utf8Hex codePoints webForm warnings{code}encodings{value}';
const one = (name: string, maxSize: number, query: string, make: (size: number) => string): Attack =>
  largest(name, maxSize, (size) => op(query, { n: make(size) }));
const parseDoi = `query($n:String!){parseDoi(input:$n){${PARSED} fragment proxyParameters{name value}}}`;

const lengthsOfInputs: readonly Attack[] = [
  one('one long name in all forms', 900_000, doi(FORMS), (size) => `10.1/${letters(size)}`),
  one('one long name of < in all forms', 900_000, doi(FORMS), (size) => `10.1/${'<'.repeat(size)}`),
  one(
    'one long name, 100 aliases of html',
    900_000,
    doi(aliases(100, 'html')),
    (size) => `10.1/${'<'.repeat(size)}`,
  ),
  one(
    'one long name, 100 aliases of encodings',
    900_000,
    doi(aliases(100, 'encodings{value}')),
    (size) => `10.1/${letters(size)}`,
  ),
  one(
    'one long name that is not there',
    900_000,
    doi('exists suggestions{name}redirect{url}whichRa{status}'),
    (size) => `10.1/${letters(size)}`,
  ),
  one(
    'combining marks',
    480_000,
    doi('name warnings{code message}'),
    (size) => `10.1/a${'\u0301'.repeat(size)}`,
  ),
  one('combining marks, read', 480_000, parseDoi, (size) => `10.1/a${'\u0301\u0323'.repeat(size / 2)}`),
  one(
    'combining marks in short runs',
    480_000,
    parseDoi,
    (size) => `10.1/${`a${'\u0323\u0301'.repeat(60)}`.repeat(size / 121)}`,
  ),
  one('proxy parameters', 400_000, parseDoi, (size) => `https://doi.org/10.1/1?${'a&'.repeat(size)}`),
  one('triplets', 300_000, parseDoi, (size) => `https://doi.org/10.1/${'%25'.repeat(size)}`),
  one('white space', 900_000, parseDoi, (size) => `${' '.repeat(size)}10.1/1 x`),
  largest('marks to compare', 200_000, (size) =>
    op('query($a:String!,$b:String!){doiEquivalence(a:$a,b:$b){relation explanation}}', {
      a: `10.1/a${'\u0301\u0323'.repeat(size)}`,
      b: `10.1/a${'\u0323\u0301'.repeat(size)}`,
    }),
  ),
  ...[1, 30, 900].map((count) =>
    largest(`a name of an agency, ${count} aliases`, 900_000, (size) =>
      op(`query($a:String!){${aliases(count, 'registrationAgency(name:$a){name title}')}}`, {
        a: letters(size),
      }),
    ),
  ),
];

const many = (name: string, field: string, maxSize = 3_000): Attack =>
  largest(name, maxSize, (size) => op(`{doi(input:"${NAME}"){${aliases(size, field)}}}`));
const record = (name: string, field: string, what = field.split('{')[0]): Attack =>
  largest(`record ${name}, aliases of ${what}`, 2_000, (size) =>
    op(`{doi(input:"10.5555/${name}"){${aliases(size, field)}}}`),
  );
const again = (name: string, field: string, more = ''): Attack =>
  largest(`record ${name}, names of it${more}`, 2_000, (size) =>
    op(dois(field), { n: list(size, () => `10.5555/${name}`) }),
  );
const VALUES = 'record{values{index type text ttl data{format}}}';
const LOCATIONS = 'locations{href attributes{name value}}';

const aliasesOfFields: readonly Attack[] = [
  many('aliases of encodings', 'encodings{form label value sourceDocument}'),
  many('aliases of record', 'record{values{type text data{format}}}'),
  many('aliases of suggestions', 'suggestions{name}'),
  many('aliases of proxyUrl', 'proxyUrl(parameters:{types:["a","b"],urlAppend:"xxxxxxxx"})'),
  largest('aliases of introspection', 400, (size) =>
    op(
      `{${aliases(size, '__schema{types{name description fields{name description args{name type{name}}type{name ofType{name}}}}}')}}`,
    ),
  ),
  largest('aliases of _service', 2_000, (size) => op(`{${aliases(size, '_service{sdl}')}}`)),
  largest('aliases of registrationAgencies', 2_000, (size) =>
    op(`{${aliases(size, 'registrationAgencies{name title homepageUrl documented}')}}`),
  ),
  largest('aliases of sameAliasTarget', 2_000, (size) =>
    op(
      `{${times(size, (n) => `a${n}:doiEquivalence(a:"10.5555/chain-${n % 38}",b:"10.5555/chain-${(n + 5) % 38}"){sameAliasTarget}`)}}`,
    ),
  ),
  largest('encodings of 1,000 names', 300, (size) =>
    op(dois(aliases(size, 'encodings{value}')), { n: short(1_000) }),
  ),
  ...['values', 'admins', 'long-text', 'quotes', 'controls', 'wide', 'references', 'bytes', 'deep'].map(
    (name) => record(name, VALUES),
  ),
  record('wide', 'record{values{data{...on HandleOtherData{value}}}}', 'its JSON'),
  record('admins', 'record{values{data{...on HandleAdminData{grants}}}}', 'its grants'),
  record(
    'references',
    'record{values{data{...on HandleValueListData{references{handle index}}}}}',
    'its references',
  ),
  record('bytes', 'record{values{data{...on HandleBinaryData{hex base64 text}}}}', 'its bytes'),
  ...['attributes', 'locations', 'lists', 'weight', 'choose-many', 'template', 'entities'].flatMap((name) => [
    record(name, LOCATIONS),
    record(name, 'redirect{url candidates{href attributes{value}}}'),
  ]),
  again('values', VALUES),
  again('values', 'record{values(types:["NONE"]){index}}', ', none kept'),
  again('attributes', LOCATIONS),
  again('locations', 'redirect{url}'),
  again('long-text', 'record{values{text}}'),
  again('controls', 'record{values{text}}'),
  again('chain-20', 'redirect{url via}'),
];

const documents: readonly Attack[] = [
  largest('fields that are not there', 6_000, (size) =>
    op(`{doi(input:"x"){${times(size, (n) => `registrationAgenc${n}`)}}}`),
  ),
  largest('fields that conflict', 6_000, (size) =>
    op(`{doi(input:"x"){${times(size, (n) => `a:${n % 2 ? 'url' : 'urn'}`)}}}`),
  ),
  largest('fragments to compare', 1_000, (size) =>
    op(
      `{doi(input:"x"){${times(size, (n) => `...f${n}`)}}}${times(size, (n) => `fragment f${n} on DOI{a:url b:urn}`)}`,
    ),
  ),
  largest('parts of 500 names', 300, (size) =>
    op(dois(times(size, (n) => `...@defer(label:"l${n}"){a${n}:url}`)), { n: short(500) }),
  ),
];

export const largestAttacks: readonly Attack[] = [
  ...argumentsOfFields,
  ...numbersOfInputs,
  ...lengthsOfInputs,
  ...aliasesOfFields,
  ...documents,
];
