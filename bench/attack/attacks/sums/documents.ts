// Sums of GraphQL operations: every list argument, with good, bad, cold, warm and huge inputs, on every executor.

import { createHash } from 'node:crypto';
import { graphqlBytes, requestBytes } from '../../../http-bytes.ts';
import { names } from '../../../peers/data.mjs';
import { type Attack, list, type Options, times } from '../../attack.ts';
import { exchange } from '../../exchange.ts';
import { cold, type SumOptions, sums } from './sum.ts';

interface Operation {
  readonly declared: string;
  readonly selected: string;
  /** a function: other variables in each request */
  readonly variables: unknown | (() => unknown);
  readonly options?: Options;
}

const LIVE: Options = { gateway: 'live' };
const RECORD = 'name record{values{type text}}registrationAgency{name}';
const known = (count: number): string[] => names.slice(0, count);
const onNames = (selected: string, n: unknown, options: Options = {}): Operation => ({
  declared: '$n:[String!]!',
  selected,
  variables: typeof n === 'function' ? () => ({ n: n() }) : { n },
  options,
});
const dois = (fields: string, n: unknown, options?: Options): Operation =>
  onNames(`dois(inputs:$n){${fields}}`, n, options);
const inText = (fields: string, t: unknown, options: Options = {}): Operation => ({
  declared: '$t:String!',
  selected: `findDois(text:$t){${fields}}`,
  variables: typeof t === 'function' ? () => ({ t: t() }) : { t },
  options,
});
const entities = (r: readonly unknown[], aliases = 1): Operation => ({
  declared: '$r:[_Any!]!',
  selected: times(aliases, (n) => `a${n}:_entities(representations:$r){...on DOI{name exists}}`),
  variables: { r },
});

const NUMBERS = list(1_000, (n) => n);
const WORDS = list(1_000, (n) => `T${n}`);
const OPERATIONS: Readonly<Record<string, Operation>> = {
  'dois, warm': dois(RECORD, known(1_900)),
  'dois, cold': dois(RECORD, () => cold(1_900), LIVE),
  'dois, cold and slow': dois('record{handle}', () => cold(1_900, 'slow'), LIVE),
  'dois, cold and large': dois('record{values{text}}', () => cold(8, 'large'), LIVE),
  'dois, without response': dois('record{handle}', () => cold(1_900, 'unavailable'), LIVE),
  'dois, bad': dois(
    'name',
    list(9_400, () => ''),
  ),
  'dois, huge': dois('name url html', [`10.1/${'x'.repeat(900_000)}`]),
  'dois, long': dois(
    'display',
    list(400, (n) => `10.1/${n}${'x'.repeat(2_000)}`),
  ),
  'dois, metadata': dois('citation bibtex ris metadata{title csl}', known(300)),
  'dois, suggestions': dois('suggestions{name}', () => cold(150).map((name) => `${name}19850).,`), LIVE),
  'parseDois, warm': onNames('parseDois(inputs:$n){form doi{name uri}}', known(2_000)),
  'parseDois, bad': onNames(
    'parseDois(inputs:$n){problem{code message}}',
    list(9_000, () => 'x'),
  ),
  'doiEquivalenceClasses, warm': onNames(
    'doiEquivalenceClasses(inputs:$n){classes{members{index input}}}',
    known(5_000),
  ),
  'doiEquivalenceClasses, bad': onNames(
    'doiEquivalenceClasses(inputs:$n){unreadable{input problem{message}}}',
    list(5_000, (n) => `%${n}`),
  ),
  'doiEquivalence, aliases': {
    declared: '$a:String!',
    selected: times(20, (n) => `a${n}:doiEquivalence(a:$a,b:$a){explanation}`),
    variables: { a: `10.1/${'x'.repeat(40_000)}` },
  },
  'findDois, places': inText('start', '10.1000/a '.repeat(93_000)),
  'findDois, cold': inText('doi{name exists}', () => cold(1_900).join(' '), LIVE),
  '_entities, warm': entities(known(1_000).map((name) => ({ __typename: 'DOI', name }))),
  '_entities, bad': entities(list(10_000, () => ({ __typename: 'DOI' }))),
  '_entities, empty': entities(list(300_000, () => ({}))),
  'registrationAgencies, aliases': {
    declared: '$u:Boolean=true',
    selected: times(150, (n) => `a${n}:registrationAgencies@include(if:$u){name title}`),
    variables: {},
  },
  'encodings(forms)': dois('encodings(forms:[URN,HTML,MARKDOWN,CODE_POINTS]){form value}', known(1_000)),
  'values(types, indexes)': {
    declared: '$n:[String!]!,$t:[String!],$i:[Int!]',
    selected: 'dois(inputs:$n){record{values(types:$t,indexes:$i){text}}}',
    variables: { n: known(50), t: WORDS, i: NUMBERS },
  },
  'redirect(locatt)': {
    declared: '$n:[String!]!,$p:RedirectInput',
    selected: 'dois(inputs:$n){redirect(parameters:$p){url}}',
    variables: { n: known(50), p: { locatt: list(1_000, (n) => `a:${n}`) } },
  },
  'proxyUrl(types)': {
    declared: '$n:[String!]!,$p:ProxyUrlInput',
    selected: 'dois(inputs:$n){proxyUrl(parameters:$p)}',
    variables: { n: known(50), p: { types: WORDS } },
  },
};

/** How an operation is executed: by the gateway itself, by Yoga, or by Yoga in parts. */
const EXECUTORS: Readonly<Record<string, { accept: string; wrap(selected: string): string } & SumOptions>> = {
  POST: { accept: 'application/json', wrap: (selected) => selected },
  events: { accept: 'text/event-stream', wrap: (selected) => selected, at: [150] },
  '@defer': { accept: 'multipart/mixed', wrap: (selected) => `...@defer{${selected}}`, at: [150] },
  '@stream': {
    accept: 'multipart/mixed',
    wrap: (selected) =>
      selected.replace(/^((?:\w+:)?(?:dois|parseDois|findDois|_entities)\([^)]*\))/, '$1@stream'),
    at: [150],
  },
};

function bodyOf(
  { declared, selected, variables }: Operation,
  wrap: (selected: string) => string,
): () => string {
  const query = `query(${declared}){${wrap(selected)}}`;
  if (typeof variables === 'function') return () => JSON.stringify({ query, variables: variables() });
  const body = JSON.stringify({ query, variables });
  return () => body;
}

const posts = Object.entries(EXECUTORS).flatMap(([executor, { accept, wrap, at }]) =>
  Object.entries(OPERATIONS)
    .filter(([, { selected }]) => wrap(selected) !== selected || !executor.startsWith('@'))
    .flatMap(([name, operation]) => {
      const body = bodyOf(operation, wrap);
      return sums(`${executor}, ${name}`, () => graphqlBytes(body(), { accept }), {
        ...operation.options,
        ...(at && { at }),
      });
    }),
);

/** By the hash of their text, with all inputs in the text: a GET of 164 bytes. */
const REGISTERED: Readonly<Record<string, string>> = {
  bad: `{dois(inputs:[${times(9_400, () => '""')}]){name}}`,
  warm: `{dois(inputs:${JSON.stringify(known(1_000))}){${RECORD}}}`,
  classes: `{doiEquivalenceClasses(inputs:${JSON.stringify(known(1_000))}){classes{members{input}}}}`,
};

const gets = Object.entries(REGISTERED).flatMap(([name, query]) => {
  const sha256Hash = createHash('sha256').update(query).digest('hex');
  const extensions = { persistedQuery: { version: 1, sha256Hash } };
  const target = `/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`;
  return sums(`GET, registered, ${name}`, requestBytes({ target }), {
    at: [50, 100, 150, 300],
    async prepare(port) {
      await exchange(port, graphqlBytes({ query, extensions }), {}, 6_000);
    },
  });
});

const warm = graphqlBytes({
  query: `query($n:[String!]!){dois(inputs:$n){${RECORD}}}`,
  variables: { n: known(1_900) },
});
const slow = bodyOf(OPERATIONS['dois, cold and slow'] as Operation, (selected) => selected);
/** The same operations by clients that are not like others. */
const manners = [
  ...sums('POST, dois, warm, never read', warm, { at: [150], limitMs: 8_000, manner: { read: 'nothing' } }),
  ...sums('POST, dois, warm, gone after 100 ms', warm, { manner: { leaveAfterMs: 100 } }),
  ...sums('POST, dois, cold and slow, gone after 300 ms', () => graphqlBytes(slow()), {
    ...LIVE,
    manner: { leaveAfterMs: 300 },
  }),
  ...sums('POST, a body of 1 MB without its last byte', unfinished(1_000_000), {
    limitMs: 8_000,
    manner: { leaveAfterMs: 7_000 },
  }),
  ...sums('POST, dois, warm, from many addresses', warm, { manner: { from: 'many' } }),
  ...sums('POST, dois, cold, from many addresses', () => graphqlBytes(coldBody()), {
    ...LIVE,
    manner: { from: 'many' },
  }),
];

function coldBody(): string {
  return bodyOf(OPERATIONS['dois, cold'] as Operation, (selected) => selected)();
}

function unfinished(bytes: number): Buffer {
  const whole = graphqlBytes(`{"query":"#${'x'.repeat(bytes)}"}`);
  return whole.subarray(0, whole.length - 1);
}

export const documentSums: readonly Attack[] = [...posts, ...gets, ...manners];
