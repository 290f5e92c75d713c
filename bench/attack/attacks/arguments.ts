// Every argument of a field, by size and by number.

import { names } from '../../peers/data.mjs';
import { type Attack, http, list, post, times } from '../attack.ts';

const known = (count: number): string[] => names.slice(0, count);
const short = (count: number): string[] => list(count, (n) => `10.1/${n}`);
const dois = (fields: string, more = ''): string => `query($n:[String!]!${more}){dois(inputs:$n){${fields}}}`;
const doi = (fields: string, more = ''): string => `query($n:String!${more}){doi(input:$n){${fields}}}`;
const words = (count: number): string[] => list(count, (n) => `T${n}`);
const numbers = (count: number): number[] => list(count, (n) => n);
const letters = (count: number): string => 'x'.repeat(count);

const PROXY = 'proxyUrl(parameters:$p)';
const proxy = (name: string, count: number, p: unknown): Attack =>
  post(`proxyUrl: ${name}`, dois(PROXY, ',$p:ProxyUrlInput'), { n: short(count), p });
const VALUES = dois('record{values(types:$t,indexes:$i){index}}', ',$t:[String!],$i:[Int!]');
const REDIRECT = dois('redirect(parameters:$p){url chosenBy}', ',$p:RedirectInput');
const redirect = (name: string, count: number, p: unknown): Attack =>
  post(`redirect: ${name}`, REDIRECT, { n: known(count), p });
const FORMS =
  'name display uri url dxUrl urn urnUrl infoUri handleUri apiUrl whichRaUrl webForm html markdown utf8Hex codePoints';
const ENCODINGS = 'encodings{form label value sourceDocument}';

export const argumentAttacks: readonly Attack[] = [
  proxy('an urlAppend of 450 kB for 2,500 names', 2_500, { urlAppend: letters(450_000) }),
  proxy('an urlAppend that grows when encoded', 2_000, { urlAppend: '\u{10ffff}'.repeat(150_000) }),
  proxy('60,000 types for 1,000 names', 1_000, { types: words(60_000) }),
  proxy('100,000 indexes for 1,000 names', 1_000, { indexes: numbers(100_000) }),
  proxy('50,000 locatt for 1,000 names', 1_000, { locatt: list(50_000, (n) => `a:${n}`) }),
  proxy('a country of 900 kB for 2,000 names', 2_000, { country: letters(900_000) }),
  http(
    'proxyUrl: 13 kB by GET',
    {
      target: `/graphql?query=${encodeURIComponent(`{dois(inputs:[${times(500, () => '"10.1/1"', '')}]){${times(90, (n) => `a${n}:proxyUrl(parameters:{urlAppend:"${letters(20)}"})`)}}}`)}`,
    },
    { expect: 'graphql' },
  ),
  post(
    'proxyUrl: 300 aliases of 2 kB for 500 names',
    dois(
      times(300, (n) => `a${n}:${PROXY}`),
      ',$p:ProxyUrlInput',
    ),
    { n: short(500), p: { urlAppend: letters(2_000) } },
  ),
  post(
    'proxyUrl: the variable nested in a literal',
    `query($n:[String!]!,$u:String){dois(inputs:$n){${times(50, (n) => `a${n}:proxyUrl(parameters:{urlAppend:$u,types:[$u]})`)}}}`.replace(
      '$u:String',
      '$u:String!',
    ),
    { n: short(1_000), u: letters(300_000) },
  ),
  post('values: 100,000 types for 200 names', VALUES, { n: known(200), t: words(100_000) }),
  post('values: 150,000 indexes for 200 names', VALUES, { n: known(200), i: numbers(150_000) }),
  post('values: one type of 900 kB for 1,000 names', VALUES, { n: known(1_000), t: [letters(900_000)] }),
  post('values: 90,000 types that end in a full stop', VALUES, {
    n: known(500),
    t: list(90_000, (n) => `${n}.`),
  }),
  post(
    'values: 400 aliases of 500 types',
    doi(
      times(400, (n) => `a${n}:record{values(types:$t){index}}`),
      ',$t:[String!]',
    ),
    { n: names[0], t: words(500) },
  ),
  redirect('100,000 types for 200 names', 200, { types: words(100_000) }),
  redirect('150,000 indexes for 200 names', 200, { indexes: numbers(150_000) }),
  redirect('80,000 locatt for 500 names', 500, { locatt: list(80_000, (n) => `a:${n}`) }),
  redirect('locatt without a colon', 500, { locatt: list(80_000, () => ':') }),
  redirect('a country of 900 kB for 1,000 names', 1_000, { country: letters(900_000) }),
  redirect('an urlAppend of 900 kB for 1,000 names', 1_000, { urlAppend: letters(900_000) }),
  redirect('an urlAppend of 7 kB for 1,000 names', 1_000, { urlAppend: `?${letters(7_000)}` }),
  post(
    'registrationAgency: 300 aliases of one megabyte',
    `query($n:String!){${times(300, (n) => `a${n}:registrationAgency(name:$n){name title}`)}}`,
    { n: letters(1_000_000) },
  ),
  post(
    'registrationAgency: 1,900 names',
    `{${times(1_900, (n) => `a${n}:registrationAgency(name:"A${n}"){name}`)}}`,
  ),
  post(
    'registrationAgency: the names of Object',
    `{${times(300, (n) => `a${n}:registrationAgency(name:"${['__proto__', 'constructor', 'toString', 'hasOwnProperty'][n % 4]}"){name title documented}`)}}`,
  ),
  post('encodings: 100,000 forms', dois('encodings(forms:$f){value}', ',$f:[DOIEncodingForm!]'), {
    n: short(200),
    f: list(60_000, () => 'URN'),
  }),
  post('encodings: 40 aliases for 1,000 names', dois(times(40, (n) => `a${n}:${ENCODINGS}`)), {
    n: known(1_000),
  }),
  post('url: 200 aliases for 1,000 names', dois(times(200, (n) => `a${n}:url(encoding:MANDATORY)`)), {
    n: known(1_000),
  }),
  post('all forms of a name of 900 kB', doi(FORMS), { n: `10.1/${letters(900_000)}` }),
  post('all forms of 900 kB of < and &', doi(FORMS), { n: `10.1/${'<&'.repeat(450_000)}`, form: 'NAME' }),
  post('all forms of 300,000 emoji', doi(FORMS), { n: `10.1/${'\u{1f600}'.repeat(240_000)}` }),
  post('50 aliases of the code points of 300 kB', doi(times(50, (n) => `a${n}:codePoints b${n}:utf8Hex`)), {
    n: `10.1/${letters(300_000)}`,
  }),
  post(
    'a name of 900 kB that does not exist',
    doi('exists record{message} suggestions{name} whichRa{status} redirect{url}'),
    { n: `10.1/${letters(900_000)}` },
  ),
  post('suggestions for a name of 300,000 triplets', doi('suggestions{name exists}'), {
    n: `10.1/${'%252F'.repeat(150_000)}`,
  }),
  post('suggestions for 900 names that are not there', dois('suggestions{name exists suggestions{name}}'), {
    n: list(900, (n) => `10.1177/x${n}%252F./`),
  }),
  post(
    'auth and cert for 900 names',
    dois('a:record(auth:true){handle}b:record(cert:true){handle}c:record(auth:true,cert:true){handle}'),
    { n: known(600) },
  ),
  post('warnings of a million slashes and full stops', doi('warnings{code position message}'), {
    n: `10.1/${'/../.'.repeat(190_000)}`,
  }),
  post('warnings of 2,000 names of 400 triplets', dois('warnings{code position message}'), {
    n: list(800, (n) => `10.1/${n}${'%2525'.repeat(200)}`),
  }),
];
