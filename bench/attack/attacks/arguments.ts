// Every argument of a field, by size and by number.

import { type Attack, gets, posts } from '../attack.ts';
import { aliases, doi, dois, FORMS, known, letters, list, NAME, op, short, times } from '../requests.ts';

const words = (count: number): string[] => list(count, (n) => `T${n}`);
const numbers = (count: number): number[] => list(count, (n) => n);
const VALUES = dois('record{values(types:$t,indexes:$i){index}}', ',$t:[String!],$i:[Int!]');
const PROXY = 'proxyUrl(parameters:$p)';
const OBJECT_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

const REDIRECT = 'redirect(parameters:$p){url chosenBy}';
const proxy = (name: string, n: readonly string[], p: unknown): Attack[] =>
  posts({ [`proxyUrl: ${name}`]: op(dois(PROXY, ',$p:ProxyUrlInput'), { n, p }) });
const redirect = (name: string, n: readonly string[], p: unknown): Attack[] =>
  posts({ [`redirect: ${name}`]: op(dois(REDIRECT, ',$p:RedirectInput'), { n, p }) });

export const argumentAttacks: readonly Attack[] = [
  ...proxy('50,000 locatt for 1,000 names', short(1_000), { locatt: list(50_000, (n) => `a:${n}`) }),
  ...proxy('a country of 900 kB for 2,000 names', short(2_000), { country: letters(900_000) }),
  ...gets(
    {
      'proxyUrl: 13 kB by GET': `/graphql?query=${encodeURIComponent(`{dois(inputs:[${times(500, () => '"10.1/1"', '')}]){${aliases(90, `proxyUrl(parameters:{urlAppend:"${letters(20)}"})`)}}}`)}`,
    },
    { expect: 'graphql' },
  ),
  ...redirect('150,000 indexes for 200 names', known(200), { indexes: numbers(150_000) }),
  ...redirect('locatt without a colon', known(500), { locatt: list(80_000, () => ':') }),
  ...redirect('an urlAppend of 7 kB for 1,000 names', known(1_000), { urlAppend: `?${letters(7_000)}` }),
  ...posts({
    'proxyUrl: 300 aliases of 2 kB for 500 names': op(dois(aliases(300, PROXY), ',$p:ProxyUrlInput'), {
      n: short(500),
      p: { urlAppend: letters(2_000) },
    }),
    'proxyUrl: the variable nested in a literal': op(
      dois(aliases(50, 'proxyUrl(parameters:{urlAppend:$u,types:[$u]})'), ',$u:String!'),
      { n: short(1_000), u: letters(300_000) },
    ),
    'values: one type of 900 kB for 1,000 names': op(VALUES, { n: known(1_000), t: [letters(900_000)] }),
    'values: 400 aliases of 500 types': op(
      doi(aliases(400, 'record{values(types:$t){index}}'), ',$t:[String!]'),
      { n: NAME, t: words(500) },
    ),
    'registrationAgency: 1,900 names': op(
      `{${times(1_900, (n) => `a${n}:registrationAgency(name:"A${n}"){name}`)}}`,
    ),
    'registrationAgency: the names of Object': op(
      `{${times(300, (n) => `a${n}:registrationAgency(name:"${OBJECT_NAMES[n % 4]}"){name title documented}`)}}`,
    ),
    'url: 200 aliases for 1,000 names': op(dois(aliases(200, 'url(encoding:MANDATORY)')), {
      n: known(1_000),
    }),
    'all forms of 300,000 emoji': op(doi(FORMS), { n: `10.1/${'\u{1f600}'.repeat(240_000)}` }),
    '50 aliases of the code points of 300 kB': op(doi(times(50, (n) => `a${n}:codePoints b${n}:utf8Hex`)), {
      n: `10.1/${letters(300_000)}`,
    }),
    'suggestions for a name of 300,000 triplets': op(doi('suggestions{name exists}'), {
      n: `10.1/${'%252F'.repeat(150_000)}`,
    }),
    'suggestions for 900 names that are not there': op(dois('suggestions{name exists suggestions{name}}'), {
      n: list(900, (n) => `10.1177/x${n}%252F./`),
    }),
    'auth and cert for 900 names': op(
      dois('a:record(auth:true){handle}b:record(cert:true){handle}c:record(auth:true,cert:true){handle}'),
      { n: known(600) },
    ),
    'warnings of a million slashes and full stops': op(doi('warnings{code position message}'), {
      n: `10.1/${'/../.'.repeat(190_000)}`,
    }),
    'warnings of 2,000 names of 400 triplets': op(dois('warnings{code position message}'), {
      n: list(800, (n) => `10.1/${n}${'%2525'.repeat(200)}`),
    }),
  }),
];
