// Inputs: DOI names that are long, many, bad or slow to read.

import { names } from '../../peers/data.mjs';
import { type Attack, list, post, times } from '../attack.ts';

const short = (count: number): string[] => list(count, (n) => `10.1/${n}`);
const dois = (fields: string, more = ''): string => `query($n:[String!]!${more}){dois(inputs:$n){${fields}}}`;
const doi = (fields: string, more = ''): string => `query($n:String!${more}){doi(input:$n){${fields}}}`;
const letters = (count: number): string => 'x'.repeat(count);
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
