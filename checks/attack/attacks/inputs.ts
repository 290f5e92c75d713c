// Inputs: DOI names and representations of entities that are long, many, invalid or slow to read.

import { graphqlBytes } from '../../../bench/http-bytes.ts';
import { type Attack, attacks, posts } from '../attack.ts';
import {
  doi,
  dois,
  EQUIVALENCE_CLASSES,
  FORMS,
  graphqlAliases,
  known,
  letters,
  list,
  NAME,
  nest,
  oneOf,
  op,
  PARSE_DOI,
  PARSE_DOIS,
  short,
  times,
} from '../requests.ts';

const oneInput = attacks((n: string) => graphqlBytes(op(PARSE_DOI, { n })))({
  'parseDoi: combining marks in the wrong order': `10.1/a${'\u0301\u0323\u0345\u0327\u05b0\u0e38'.repeat(50_000)}`,
  'parseDoi: 270,000 Hangul letters to compose': `10.1/${'\u1100\u1161\u11a8'.repeat(90_000)}`,
  'parseDoi: 300,000 letters that expand': `10.1/${'\ufdfa'.repeat(300_000)}`,
  'parseDoi: a megabyte of %': `10.1/${'%'.repeat(1_000_000)}`,
  'parseDoi: 320,000 percent triplets': `https://doi.org/10.1/${'%C3%A9'.repeat(160_000)}`,
  'parseDoi: 330,000 percent triplets that are not UTF-8': `https://doi.org/10.1/${'%E9'.repeat(330_000)}`,
  'parseDoi: a URL fragment of 900 kB': `https://doi.org/10.1/1#${'#'.repeat(900_000)}`,
  'parseDoi: 900,000 spaces in the middle': `10.1/1${' '.repeat(900_000)}x`,
  'parseDoi: 900,000 colons after urn:doi:': `urn:doi:10.1:${':'.repeat(900_000)}`,
  'parseDoi: a DOI prefix of 900 kB': `10.${'1.'.repeat(450_000)}/x`,
  'parseDoi: 240,000 times doi:': 'doi:'.repeat(240_000),
  'parseDoi: 60,000 times https://doi.org/': 'https://doi.org/'.repeat(60_000),
  'parseDoi: 300,000 invisible characters': `10.1/${'\u00ad\u200b'.repeat(150_000)}`,
});

const EQUIVALENCE =
  'query($a:String!,$b:String!){doiEquivalence(a:$a,b:$b){relation equivalent equivalentInNiso2000 explanation sameAliasTarget a{form doi{name}}b{form}}}';
const twoInputs = attacks((given: { a: string; b: string }) => graphqlBytes(op(EQUIVALENCE, given)))({
  'doiEquivalence: 90,000 percent signs that are encoded twice': {
    a: `10.1/${'%2525'.repeat(90_000)}`,
    b: `10.1/${'%25'.repeat(90_000)}`,
  },
  'doiEquivalence: 450,000 slashes': { a: `10.1/${'/'.repeat(450_000)}`, b: `10.1/${'/'.repeat(450_001)}` },
});

const agency = (n: number): string => oneOf(n, '__proto__', 'constructor', 'toString', 'hasOwnProperty');
const classes = (item: (n: number) => string) => op(EQUIVALENCE_CLASSES, { n: list(5_000, item) });
const PROXY_URLS = graphqlAliases(50, 'proxyUrl(parameters:{urlAppend:$u,types:[$u]})');
const SAME = `query($a:String!){${graphqlAliases(400, 'doiEquivalence(a:$a,b:$a){relation}')}}`;
const HUNDRED_PARAMETERS = times(100, (m) => `a=${m}`, '&');
const MANY_DOIS = `query($n:[String!]!){${graphqlAliases(300, 'dois(inputs:$n){name}')}}`;
const TWO_FORMS = 'query($n:[String!]!){a:dois(inputs:$n,form:URN){name}b:dois(inputs:$n,form:URL){name}}';
const MANY_ENTITIES = graphqlAliases(300, '_entities(representations:$r){__typename}');
const LITERALS = `query($s:String!){_entities(representations:[${times(2_000, '{__typename:"DOI",name:$s}', ',')}]){__typename}}`;
const OF_TYPES = 'record{values(types:$t){index}}';
const REDIRECT = dois('redirect(parameters:$p){url chosenBy}', ',$p:RedirectInput');
const AUTHORIZED =
  'a:record(auth:true){handle}b:record(cert:true){handle}c:record(auth:true,cert:true){handle}';
const AGENCIES = times(300, (n) => `a${n}:registrationAgency(name:"${agency(n)}"){name title documented}`);
const alone = posts({
  'doiEquivalence: 400 GraphQL aliases with an input of 300 kB': op(SAME, { a: `10.1/${letters(300_000)}` }),
  'parseDois: 2,000 inputs with 100 parameters each': op(PARSE_DOIS, {
    n: list(2_000, (n) => `https://doi.org/10.1/${n}?${HUNDRED_PARAMETERS}`),
  }),
  'dois: 9,000 invalid inputs after 9,000 empty lines': op('\n'.repeat(9_000) + dois('name'), {
    n: list(9_000, () => 'x'),
  }),
  'dois: 300 GraphQL aliases with 30 invalid inputs': op(MANY_DOIS, { n: list(30, () => 'x') }),
  'dois: 2,000 inputs, each in the wrong form': op(TWO_FORMS, { n: short(2_000) }),
  '_entities: 300 GraphQL aliases': op(`query($r:[_Any!]!){${MANY_ENTITIES}}`, {
    r: list(300, () => ({ __typename: 'DOI', ref: 'x' })),
  }),
  '_entities: 2,000 literals with a variable inside': op(LITERALS, { s: letters(500_000) }),
});
const manyInputs = posts(
  {
    'doiEquivalenceClasses: 5,000 inputs': [
      classes((n) => (n % 10 === 0 ? `bad ${n}` : `10.1177/${n % 2_000}`)),
      { expect: 'success' },
    ],
    'doiEquivalenceClasses: 5,000 inputs in one class': classes((n) => oneOf(n, '10.1/A', '10.1/a')),
    'dois: 2,000 times the same name': op(dois('record{values{type text}}registrationAgency{name}'), {
      n: list(2_000, () => NAME),
    }),
    'doi: all forms of 240,000 emoji': op(doi(FORMS), { n: `10.1/${'\u{1f600}'.repeat(240_000)}` }),
    'suggestions: a name of 150,000 slashes that are encoded twice': op(doi('suggestions{name exists}'), {
      n: `10.1/${'%252F'.repeat(150_000)}`,
    }),
    'values: one type of 900 kB for 1,000 names': op(dois(OF_TYPES, ',$t:[String!]'), {
      n: known(1_000),
      t: [letters(900_000)],
    }),
    'values: 400 GraphQL aliases with 500 types': op(doi(graphqlAliases(400, OF_TYPES), ',$t:[String!]'), {
      n: NAME,
      t: list(500, (n) => `T${n}`),
    }),
    'redirect: the parameter locatt with 80,000 values, each only a colon': op(REDIRECT, {
      n: known(500),
      p: { locatt: list(80_000, () => ':') },
    }),
    'proxyUrl: a variable inside a literal': op(dois(PROXY_URLS, ',$u:String!'), {
      n: short(1_000),
      u: letters(300_000),
    }),
    'record: auth and cert for 600 names': op(dois(AUTHORIZED), { n: known(600) }),
    'registrationAgency: names of the properties of Object.prototype': op(`{${AGENCIES}}`),
    'warnings: 950,000 slashes and full stops': op(doi('warnings{code position message}'), {
      n: `10.1/${'/../.'.repeat(190_000)}`,
    }),
  },
  3,
);

export const inputAttacks: readonly Attack[] = [...oneInput, ...twoInputs, ...alone, ...manyInputs];

// Representations of entities, as the router of a federated graph may send them.

const ENTITIES =
  'query($r:[_Any!]!){_entities(representations:$r){__typename ...on DOI{name exists}...on RegistrationAgency{name}}}';
const deepText = (depth: number): string => `{"__typename":"DOI","ref":${nest(depth, '{"a":', '1')}}`;
const asRepresentations = (texts: string): string =>
  `{"query":${JSON.stringify(ENTITIES)},"variables":{"r":[${texts}]}}`;
const entities = (count: number, given: (n: number) => object) =>
  op(ENTITIES, { r: list(count, (n) => ({ __typename: 'DOI', ...given(n) })) });
const SERVICES = graphqlAliases(900, '_service{sdl}');
const AGENCY = { __typename: 'RegistrationAgency' };

export const entityAttacks: readonly Attack[] = posts(
  {
    '_entities: 10,000 of an unknown type': entities(10_000, (n) => ({ __typename: `T${n}`, id: 'x' })),
    '_entities: 20,000 agencies': entities(20_000, (n) => ({ ...AGENCY, name: `A${n}` })),
    '_entities: one representation with 60,000 keys': entities(1, () =>
      Object.fromEntries(list(60_000, (n) => [`k${n}`, n])),
    ),
    '_entities: a reference of 900 kB': entities(1, () => ({ ref: letters(900_000) })),
    '_entities: a list in place of a reference': entities(5_000, () => ({ ref: [[[]]], id: null })),
    '_entities: keys that contradict each other': entities(5_000, (n) => ({
      id: `doi:10.1/${n}`,
      name: '10.2/1',
      canonicalName: 'x',
      ref: 1,
    })),
    '_entities: one representation, 5,000 objects deep': asRepresentations(deepText(5_000)),
    '_entities: 4,000 representations, each 20 objects deep': asRepresentations(
      times(4_000, deepText(20), ','),
    ),
    '_service: 900 GraphQL aliases': [op(`{${SERVICES}}`), 3],
  },
  2,
);
