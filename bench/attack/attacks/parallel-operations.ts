// Attacks that send the same GraphQL operation many times in parallel, to see what all of them cost together. They cover
// every list argument with valid, invalid, uncached, known and huge inputs, on every executor.

import { exchange, graphqlBytes, requestBytes } from '../../http-bytes.ts';
import { type Attack, type ParallelBytes, type ParallelOptions, parallel, uncachedNames } from '../attack.ts';
import { dois as doisQuery, known, letters, list, op, times } from '../requests.ts';
import { byHash, register } from './documents.ts';

/** A selection, the declarations of its variables, their values, and options of the attack. */
type ParallelOperation = readonly [
  selected: string,
  declared: string,
  variables: object | (() => object),
  options?: ParallelOptions,
];

const LIVE: ParallelOptions = { gateway: 'live' };
const RECORD = 'name record{values{type text}}registrationAgency{name}';
const NAMES = '$n:[String!]!';
const dois = (fields: string, n: readonly string[], more: object = {}, declared = ''): ParallelOperation => [
  `dois(inputs:$n){${fields}}`,
  NAMES + declared,
  { n, ...more },
];
const uncachedDois = (fields: string, n: () => readonly string[]): ParallelOperation => [
  `dois(inputs:$n){${fields}}`,
  NAMES,
  () => ({ n: n() }),
  LIVE,
];
const inputs = (selected: string, n: readonly string[]): ParallelOperation => [selected, NAMES, { n }];
const entities = (
  r: readonly unknown[],
  aliases = 1,
  fields = '...on DOI{name exists}',
): ParallelOperation => [
  times(aliases, (n) => `a${n}:_entities(representations:$r){${fields}}`),
  '$r:[_Any!]!',
  { r },
];
const TEXTS = list(1_000, (n) => `T${n}`);
const INVALID = {
  dois: list(9_400, () => ''),
  parse: list(9_000, () => 'x'),
  classes: list(5_000, (n) => `%${n}`),
};
const LONG = list(400, (n) => `10.1/${n}${letters(2_000)}`);
const EMPTY = list(300_000, () => ({}));
const BY_PARAMETERS = 'redirect(parameters:$p){url}';
const MANY_DOIS = { t: '10.1000/a '.repeat(93_000) };

const OPERATIONS = {
  'dois, known names': dois(RECORD, known(1_900)),
  'dois, uncached names': uncachedDois(RECORD, () => uncachedNames(1_900)),
  'dois, uncached names, slow directory': uncachedDois('record{handle}', () => uncachedNames(1_900, 'slow')),
  'dois, uncached names, large records': uncachedDois('record{values{text}}', () =>
    uncachedNames(8, 'large'),
  ),
  'dois, directory unavailable': uncachedDois('record{handle}', () => uncachedNames(1_900, 'unavailable')),
  'dois, invalid': dois('name', INVALID.dois),
  'dois, huge': dois('name url html', [`10.1/${letters(900_000)}`]),
  'dois, long': dois('display', LONG),
  'dois, metadata': dois('citation bibtex ris metadata{title csl}', known(300)),
  'dois, suggestions': uncachedDois('suggestions{name}', () =>
    uncachedNames(150).map((name) => `${name}19850).,`),
  ),
  'parseDois, known names': inputs('parseDois(inputs:$n){form doi{name uri}}', known(2_000)),
  'parseDois, invalid': inputs('parseDois(inputs:$n){problem{code message}}', INVALID.parse),
  'doiEquivalenceClasses, known names': inputs(
    'doiEquivalenceClasses(inputs:$n){classes{members{index input}}}',
    known(5_000),
  ),
  'doiEquivalenceClasses, invalid': inputs(
    'doiEquivalenceClasses(inputs:$n){unreadable{input problem{message}}}',
    INVALID.classes,
  ),
  'doiEquivalence, 20 GraphQL aliases': [
    times(20, (n) => `a${n}:doiEquivalence(a:$a,b:$a){explanation}`),
    '$a:String!',
    { a: `10.1/${letters(40_000)}` },
  ],
  'findDois, a text with 93,000 DOIs': ['findDois(text:$t){start}', '$t:String!', MANY_DOIS],
  'findDois, uncached names': [
    'findDois(text:$t){doi{name exists}}',
    '$t:String!',
    () => ({ t: uncachedNames(1_900).join(' ') }),
    LIVE,
  ],
  '_entities, known names': entities(known(1_000).map((name) => ({ __typename: 'DOI', name }))),
  '_entities, invalid': entities(list(10_000, () => ({ __typename: 'DOI' }))),
  '_entities, empty': entities(EMPTY),
  'registrationAgencies, 150 GraphQL aliases': [
    times(150, (n) => `a${n}:registrationAgencies@include(if:$u){name title}`),
    '$u:Boolean=true',
    {},
  ],
  'encodings(forms)': dois('encodings(forms:[URN,HTML,MARKDOWN,CODE_POINTS]){form value}', known(1_000)),
  'values(types, indexes)': dois(
    'record{values(types:$t,indexes:$i){text}}',
    known(50),
    { t: TEXTS, i: list(1_000, (n) => n) },
    ',$t:[String!],$i:[Int!]',
  ),
  'redirect(locatt)': dois(
    BY_PARAMETERS,
    known(50),
    { p: { locatt: list(1_000, (n) => `a:${n}`) } },
    ',$p:RedirectInput',
  ),
  'proxyUrl(types)': dois('proxyUrl(parameters:$p)', known(50), { p: { types: TEXTS } }, ',$p:ProxyUrlInput'),
} satisfies Readonly<Record<string, ParallelOperation>>;

/** How a request selects an executor: its Accept header, and a change of its selection, such as `@defer` around it. */
interface Executor {
  readonly accept: string;
  wrap(selected: string): string;
  readonly requestCounts?: readonly number[];
}

const LISTS = /^((?:\w+:)?(?:dois|parseDois|findDois|_entities)\([^)]*\))/;
const POST: Executor = { accept: 'application/json', wrap: (selected) => selected };
/**
 * All operations are sent by POST. The gateway's own executor runs `POST`, whose response is plain JSON. Yoga runs the
 * other three. It sends the result of `events` whole, and the results of `@defer` and `@stream` in parts.
 */
const EXECUTORS: Readonly<Record<string, Executor>> = {
  POST,
  events: { accept: 'text/event-stream', wrap: (selected) => selected, requestCounts: [150] },
  '@defer': {
    accept: 'multipart/mixed',
    wrap: (selected) => `...@defer{${selected}}`,
    requestCounts: [150],
  },
  '@stream': {
    accept: 'multipart/mixed',
    wrap: (selected) => selected.replace(LISTS, '$1@stream'),
    requestCounts: [150],
  },
};

/** Returns the requests of an operation. Makes the body only once if all requests are the same. */
function bytesOf([selected, declared, variables]: ParallelOperation, { accept, wrap } = POST): ParallelBytes {
  const query = `query(${declared}){${wrap(selected)}}`;
  if (typeof variables === 'function') return () => graphqlBytes(op(query, variables()), { accept });
  const body = JSON.stringify(op(query, variables));
  return () => graphqlBytes(body, { accept });
}

const posts = Object.entries(EXECUTORS).flatMap(([label, executor]) => {
  const { wrap, requestCounts } = executor;
  return Object.entries<ParallelOperation>(OPERATIONS)
    .filter(([, [selected]]) => wrap(selected) !== selected || !label.startsWith('@'))
    .flatMap(([name, operation]) =>
      parallel({
        [`${label}, ${name}`]: [
          bytesOf(operation, executor),
          { ...operation[3], ...(requestCounts && { requestCounts }) },
        ],
      }),
    );
});

/** Queries with all their inputs in the text. A GET of 164 bytes names such a query by the hash of its text. */
const REGISTERED: Readonly<Record<string, string>> = {
  invalid: `{dois(inputs:[${times(9_400, '""')}]){name}}`,
  'known names': `{dois(inputs:${JSON.stringify(known(1_000))}){${RECORD}}}`,
  classes: `{doiEquivalenceClasses(inputs:${JSON.stringify(known(1_000))}){classes{members{input}}}}`,
};
const gets = Object.entries(REGISTERED).flatMap(([name, query]) => {
  const prepare = async (port: number): Promise<void> => void (await exchange(port, register(query)));
  const bytes = requestBytes({ target: byHash(query) });
  return parallel({
    [`GET, registered, ${name}`]: [bytes, { requestCounts: [50, 100, 150, 300], prepare }],
  });
});

const requestOf = (name: keyof typeof OPERATIONS): ParallelBytes => bytesOf(OPERATIONS[name]);
const aliasesOfEmpty = bytesOf(entities(EMPTY, 20, '__typename'));
const unfinished = graphqlBytes(`{"query":"#${letters(1_000_000)}"}`).subarray(0, -1);
const endless = (['hints', 'lines', 'trailers', 'extensions', 'endless'] as const).map(
  (behaviour): [string, [ParallelBytes, ParallelOptions]] => [
    `POST, the directory never ends its response: ${behaviour}`,
    [
      () => graphqlBytes(op(doisQuery('record{handle}'), { n: uncachedNames(64, behaviour) })),
      { ...LIVE, requestCounts: [1] },
    ],
  ],
);

/**
 * The same operations with other numbers of requests, from clients that behave differently, and against a directory
 * whose responses never end.
 */
const others = parallel({
  'POST, findDois, a text with 93,000 DOIs': [
    requestOf('findDois, a text with 93,000 DOIs'),
    { requestCounts: [16, 25] },
  ],
  'POST, dois, invalid': [requestOf('dois, invalid'), { requestCounts: [100] }],
  'POST, dois, uncached names': [requestOf('dois, uncached names'), { ...LIVE, requestCounts: [60, 100] }],
  'POST, dois, uncached names, slow directory': [
    requestOf('dois, uncached names, slow directory'),
    { ...LIVE, requestCounts: [60] },
  ],
  'POST, _entities, empty, 20 GraphQL aliases': [aliasesOfEmpty, { requestCounts: [1, 10] }],
  'POST, dois, known names, never read': [
    requestOf('dois, known names'),
    { requestCounts: [150], limitMs: 8_000, manner: { read: 'nothing' } },
  ],
  'POST, dois, known names, the client leaves after 100 ms': [
    requestOf('dois, known names'),
    { manner: { leaveAfterMs: 100 } },
  ],
  'POST, dois, uncached names, slow directory, the client leaves after 300 ms': [
    requestOf('dois, uncached names, slow directory'),
    { ...LIVE, manner: { leaveAfterMs: 300 } },
  ],
  'POST, a body of 1 MB without its last byte': [
    unfinished,
    { limitMs: 8_000, manner: { leaveAfterMs: 7_000 } },
  ],
  'POST, dois, known names, from many addresses': [
    requestOf('dois, known names'),
    { manner: { from: 'many' } },
  ],
  'POST, dois, uncached names, from many addresses': [
    requestOf('dois, uncached names'),
    { ...LIVE, manner: { from: 'many' } },
  ],
  ...Object.fromEntries(endless),
});

export const parallelOperations: readonly Attack[] = [...posts, ...gets, ...others];
