// Every argument of the schema, by size and by number.

import { names } from '../../peers/data.mjs';
import { type Attack, http, list, post, postBody, times } from '../attack.ts';

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
      target: `/graphql?query=${encodeURIComponent(`{dois(inputs:[${times(700, () => '"10.1/1"', '')}]){${times(120, (n) => `a${n}:proxyUrl(parameters:{urlAppend:"${letters(20)}"})`)}}}`)}`,
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

const PARSED =
  'form input fragment proxyParameters{name value} problem{code message position} doi{name uri warnings{code}}';
const parseDoi = `query($n:String!){parseDoi(input:$n){${PARSED}}}`;
const parseDois = `query($n:[String!]!){parseDois(inputs:$n){${PARSED}}}`;
const EQUIVALENCE =
  'query($a:String!,$b:String!){doiEquivalence(a:$a,b:$b){relation equivalent equivalentInNiso2000 explanation sameAliasTarget a{form doi{name}}b{form}}}';
const CLASSES =
  'query($n:[String!]!){doiEquivalenceClasses(inputs:$n){classes{doi{canonicalName}members{index input}}unreadable{index input problem{code message}}}}';
const MARK = '\u0301';

export const inputAttacks: readonly Attack[] = [
  post('parseDoi of 256,000 combining marks', parseDoi, { n: `10.1/a${MARK.repeat(256_000)}` }),
  post(
    'doi of 256,000 combining marks',
    doi('name warnings{code message}'),
    { n: `10.1/a${MARK.repeat(256_000)}` },
    { times: 3 },
  ),
  post('marks in runs of 255', parseDoi, { n: `10.1/${`a${MARK.repeat(255)}`.repeat(1_200)}` }, { times: 3 }),
  post('marks of many classes, in the wrong order', parseDoi, {
    n: `10.1/a${'\u0301\u0323\u0345\u0327\u05b0\u0e38'.repeat(50_000)}`,
  }),
  post('300,000 Hangul letters to compose', parseDoi, { n: `10.1/${'\u1100\u1161\u11a8'.repeat(90_000)}` }),
  post('300,000 letters that expand', parseDoi, { n: `10.1/${'\ufdfa'.repeat(300_000)}` }),
  post('doiEquivalence of 200,000 marks', EQUIVALENCE, {
    a: `10.1/a${MARK.repeat(200_000)}`,
    b: `10.1/a${MARK.repeat(200_001)}`,
  }),
  post('doiEquivalence of 80,000 triplets of triplets', EQUIVALENCE, {
    a: `10.1/${'%2525'.repeat(90_000)}`,
    b: `10.1/${'%25'.repeat(90_000)}`,
  }),
  post('doiEquivalence of 450,000 slashes', EQUIVALENCE, {
    a: `10.1/${'/'.repeat(450_000)}`,
    b: `10.1/${'/'.repeat(450_001)}`,
  }),
  post(
    '400 aliases of doiEquivalence of 300 kB',
    `query($a:String!){${times(400, (n) => `a${n}:doiEquivalence(a:$a,b:$a){relation}`)}}`,
    { a: `10.1/${letters(300_000)}` },
  ),
  post(
    'doiEquivalenceClasses of 5,000',
    CLASSES,
    { n: list(5_000, (n) => (n % 10 === 0 ? `bad ${n}` : `10.1177/${n % 2_000}`)) },
    { expect: 'allowed', times: 3 },
  ),
  post('doiEquivalenceClasses of 40,000', CLASSES, { n: list(40_000, (n) => `10.1/${n}`) }, { times: 3 }),
  post(
    'doiEquivalenceClasses of 5,000 in one class',
    CLASSES,
    { n: list(5_000, (n) => (n % 2 ? '10.1/a' : '10.1/A')) },
    { times: 3 },
  ),
  post(
    'doiEquivalenceClasses of 5,000 bad inputs',
    CLASSES,
    { n: list(5_000, (n) => `10.1000/%${n}`) },
    { times: 3 },
  ),
  post('parseDoi of a megabyte of %', parseDoi, { n: `10.1/${'%'.repeat(1_000_000)}` }),
  post('parseDoi of 330,000 triplets', parseDoi, { n: `https://doi.org/10.1/${'%C3%A9'.repeat(160_000)}` }),
  post('parseDoi of 330,000 triplets that are no UTF-8', parseDoi, {
    n: `https://doi.org/10.1/${'%E9'.repeat(330_000)}`,
  }),
  post('parseDoi of 300,000 proxy parameters', parseDoi, {
    n: `https://doi.org/10.1/1?${'a&'.repeat(400_000)}`,
  }),
  post('parseDoi of a fragment of a megabyte', parseDoi, {
    n: `https://doi.org/10.1/1#${'#'.repeat(900_000)}`,
  }),
  post('parseDoi of a megabyte of white space', parseDoi, { n: `${' \t\n'.repeat(320_000)}10.1/1` }),
  post('parseDoi of white space in the middle', parseDoi, { n: `10.1/1${' '.repeat(900_000)}x` }),
  post('parseDoi of a million colons after urn:doi:', parseDoi, { n: `urn:doi:10.1:${':'.repeat(900_000)}` }),
  post('parseDoi of a prefix of a megabyte', parseDoi, { n: `10.${'1.'.repeat(450_000)}/x` }),
  post('parseDoi of a million times doi:', parseDoi, { n: 'doi:'.repeat(240_000) }),
  post('parseDoi of a million times https://', parseDoi, { n: 'https://doi.org/'.repeat(60_000) }),
  post('parseDoi of invisible characters', parseDoi, { n: `10.1/${'\u00ad\u200b'.repeat(150_000)}` }),
  post('parseDois of 4,000 inputs with 200 %', parseDois, {
    n: list(4_000, () => `10.1/${'%'.repeat(200)}`),
  }),
  post('parseDois of 2,000 inputs with 100 parameters', parseDois, {
    n: list(2_000, (n) => `https://doi.org/10.1/${n}?${times(100, (m) => `a=${m}`, '&')}`),
  }),
  post('parseDois of 9,000 empty inputs', parseDois, { n: list(9_000, () => '') }, { times: 3 }),
  post('dois of 9,500 bad inputs', dois('name'), { n: list(9_500, () => '') }, { times: 3 }),
  post('dois of 9,500 bad inputs of 100 characters', dois('name'), {
    n: list(9_500, (n) => `bad ${n} ${letters(90)}`),
  }),
  post('dois of 1,000 bad inputs after 9,000 lines', `${'\n'.repeat(9_000)}${dois('name')}`, {
    n: list(9_000, () => 'x'),
  }),
  post(
    '300 aliases of dois of 30 bad inputs',
    `query($n:[String!]!){${times(300, (n) => `a${n}:dois(inputs:$n){name}`)}}`,
    { n: list(30, () => 'x') },
  ),
  post('dois of 200,000 inputs', dois('name'), { n: list(90_000, (n) => `10.1/${n}`) }, { times: 3 }),
  post(
    'dois of 2,000 times the same name',
    dois('record{values{type text}}registrationAgency{name}'),
    { n: list(2_000, () => names[0]) },
    { times: 3 },
  ),
  post(
    'dois with each wrong form',
    'query($n:[String!]!){a:dois(inputs:$n,form:URN){name}b:dois(inputs:$n,form:URL){name}}',
    { n: short(2_000) },
  ),
];

const ENTITIES =
  'query($r:[_Any!]!){_entities(representations:$r){__typename ...on DOI{name exists}...on RegistrationAgency{name}}}';
const entities = (name: string, representations: unknown): Attack =>
  post(`_entities: ${name}`, ENTITIES, { r: representations }, { times: 2 });
const deepText = (depth: number): string =>
  `{"__typename":"DOI","ref":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;
const asRepresentations = (texts: string): string =>
  `{"query":${JSON.stringify(ENTITIES)},"variables":{"r":[${texts}]}}`;

export const entityAttacks: readonly Attack[] = [
  entities(
    '10,000 bad ones',
    list(10_000, () => ({ __typename: 'DOI' })),
  ),
  entities(
    '10,000 of no type',
    list(10_000, () => ({})),
  ),
  entities(
    '10,000 of an unknown type',
    list(10_000, (n) => ({ __typename: `T${n}`, id: 'x' })),
  ),
  entities(
    '10,000 bad names',
    list(10_000, () => ({ __typename: 'DOI', name: 'x' })),
  ),
  entities(
    '20,000 agencies',
    list(20_000, (n) => ({ __typename: 'RegistrationAgency', name: `A${n}` })),
  ),
  entities(
    '9,000 names of nobody',
    list(9_000, (n) => ({ __typename: 'DOI', id: `doi:10.1/${n}` })),
  ),
  postBody('_entities: one, 5,000 objects deep', asRepresentations(deepText(5_000)), { times: 2 }),
  postBody(
    '_entities: 4,000, each 20 objects deep',
    asRepresentations(times(4_000, () => deepText(20), ',')),
    { times: 2 },
  ),
  entities('one with 60,000 keys', [
    { __typename: 'DOI', ...Object.fromEntries(list(60_000, (n) => [`k${n}`, n])) },
  ]),
  entities('a reference of 900 kB', [{ __typename: 'DOI', ref: letters(900_000) }]),
  entities(
    'a list in place of a reference',
    list(5_000, () => ({ __typename: 'DOI', ref: [[[]]], id: null })),
  ),
  entities(
    'keys that contradict each other',
    list(5_000, (n) => ({
      __typename: 'DOI',
      id: `doi:10.1/${n}`,
      name: '10.2/1',
      canonicalName: 'x',
      ref: 1,
    })),
  ),
  post('_service 900 times', `{${times(900, (n) => `a${n}:_service{sdl}`)}}`, {}, { times: 3 }),
  post(
    '_entities: 300 aliases',
    `query($r:[_Any!]!){${times(300, (n) => `a${n}:_entities(representations:$r){__typename}`)}}`,
    { r: list(300, () => ({ __typename: 'DOI', ref: 'x' })) },
  ),
  post(
    '_entities: literals with the variable inside',
    `query($s:String!){_entities(representations:[${times(2_000, () => '{__typename:"DOI",name:$s}', ',')}]){__typename}}`,
    { s: letters(500_000) },
  ),
];

/** What stays allowed: the machine is busy with it, and others are answered all the same. */
const ALLOWED = dois(
  `${FORMS} ${ENCODINGS} record{status responseCode values{index type ttl timestamp data{format ...on HandleStringData{value}...on HandleAdminData{handle index permissions}}}}registrationAgency{name title}redirect{url chosenBy}`.replace(
    ` ${ENCODINGS}`,
    '',
  ),
);

export const allowed: readonly Attack[] = [
  post(
    '1,000 names in all forms, 10 at once',
    ALLOWED,
    { n: known(1_000) },
    { times: 10, expect: 'allowed' },
  ),
  post(
    '1,000 names in all forms, 10 at once, other names',
    ALLOWED,
    { n: names.slice(5_000, 6_000) },
    { times: 10, expect: 'allowed' },
  ),
  post(
    '1,000 names with record and agency, 20 at once',
    dois('name uri url record{values{type text}}registrationAgency{name}'),
    { n: known(1_000) },
    { times: 20, expect: 'allowed' },
  ),
  post('2,000 parseDois, 10 at once', parseDois, { n: known(2_000) }, { times: 10, expect: 'allowed' }),
  post(
    '1,000 names in all forms, and gone after 50 ms',
    ALLOWED,
    { n: known(1_000) },
    { times: 60, atOnce: 20, manner: { leaveAfterMs: 50 } },
  ),
];
