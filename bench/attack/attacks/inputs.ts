// Inputs: DOI names that are long, many, bad or slow to read.

import { graphqlBytes } from '../../http-bytes.ts';
import { type Attack, attacks, posts } from '../attack.ts';
import {
  aliases,
  dois,
  EQUIVALENCE_CLASSES,
  letters,
  list,
  NAME,
  op,
  PARSE_DOI,
  PARSE_DOIS,
  short,
  times,
} from '../requests.ts';

const EQUIVALENCE =
  'query($a:String!,$b:String!){doiEquivalence(a:$a,b:$b){relation equivalent equivalentInNiso2000 explanation sameAliasTarget a{form doi{name}}b{form}}}';

const one = attacks((n: string) => graphqlBytes(op(PARSE_DOI, { n })), {
  'marks of many classes, in the wrong order': `10.1/a${'\u0301\u0323\u0345\u0327\u05b0\u0e38'.repeat(50_000)}`,
  '300,000 Hangul letters to compose': `10.1/${'\u1100\u1161\u11a8'.repeat(90_000)}`,
  '300,000 letters that expand': `10.1/${'\ufdfa'.repeat(300_000)}`,
  'parseDoi of a megabyte of %': `10.1/${'%'.repeat(1_000_000)}`,
  'parseDoi of 330,000 triplets': `https://doi.org/10.1/${'%C3%A9'.repeat(160_000)}`,
  'parseDoi of 330,000 triplets that are no UTF-8': `https://doi.org/10.1/${'%E9'.repeat(330_000)}`,
  'parseDoi of a fragment of a megabyte': `https://doi.org/10.1/1#${'#'.repeat(900_000)}`,
  'parseDoi of white space in the middle': `10.1/1${' '.repeat(900_000)}x`,
  'parseDoi of a million colons after urn:doi:': `urn:doi:10.1:${':'.repeat(900_000)}`,
  'parseDoi of a prefix of a megabyte': `10.${'1.'.repeat(450_000)}/x`,
  'parseDoi of a million times doi:': 'doi:'.repeat(240_000),
  'parseDoi of a million times https://': 'https://doi.org/'.repeat(60_000),
  'parseDoi of invisible characters': `10.1/${'\u00ad\u200b'.repeat(150_000)}`,
});

const two = attacks((given: { a: string; b: string }) => graphqlBytes(op(EQUIVALENCE, given)), {
  'doiEquivalence of 80,000 triplets of triplets': {
    a: `10.1/${'%2525'.repeat(90_000)}`,
    b: `10.1/${'%25'.repeat(90_000)}`,
  },
  'doiEquivalence of 450,000 slashes': { a: `10.1/${'/'.repeat(450_000)}`, b: `10.1/${'/'.repeat(450_001)}` },
});

const classes = (n: readonly string[]) => op(EQUIVALENCE_CLASSES, { n });
const many = posts(
  {
    '400 aliases of doiEquivalence of 300 kB': [
      op(`query($a:String!){${aliases(400, 'doiEquivalence(a:$a,b:$a){relation}')}}`, {
        a: `10.1/${letters(300_000)}`,
      }),
      1,
    ],
    'doiEquivalenceClasses of 5,000': [
      classes(list(5_000, (n) => (n % 10 === 0 ? `bad ${n}` : `10.1177/${n % 2_000}`))),
      { expect: 'allowed' },
    ],
    'doiEquivalenceClasses of 5,000 in one class': classes(list(5_000, (n) => (n % 2 ? '10.1/a' : '10.1/A'))),
    'parseDois of 4,000 inputs with 200 %': [
      op(PARSE_DOIS, { n: list(4_000, () => `10.1/${'%'.repeat(200)}`) }),
      1,
    ],
    'parseDois of 2,000 inputs with 100 parameters': [
      op(PARSE_DOIS, {
        n: list(2_000, (n) => `https://doi.org/10.1/${n}?${times(100, (m) => `a=${m}`, '&')}`),
      }),
      1,
    ],
    'dois of 9,500 bad inputs of 100 characters': [
      op(dois('name'), { n: list(9_500, (n) => `bad ${n} ${letters(90)}`) }),
      1,
    ],
    'dois of 1,000 bad inputs after 9,000 lines': [
      op(`${'\n'.repeat(9_000)}${dois('name')}`, { n: list(9_000, () => 'x') }),
      1,
    ],
    '300 aliases of dois of 30 bad inputs': [
      op(`query($n:[String!]!){${aliases(300, 'dois(inputs:$n){name}')}}`, { n: list(30, () => 'x') }),
      1,
    ],
    'dois of 2,000 times the same name': op(dois('record{values{type text}}registrationAgency{name}'), {
      n: list(2_000, () => NAME),
    }),
    'dois with each wrong form': [
      op('query($n:[String!]!){a:dois(inputs:$n,form:URN){name}b:dois(inputs:$n,form:URL){name}}', {
        n: short(2_000),
      }),
      1,
    ],
  },
  { times: 3 },
);

export const inputAttacks: readonly Attack[] = [...one, ...two, ...many];
