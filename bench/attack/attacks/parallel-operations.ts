// Sums of GraphQL operations: every list argument, with good, bad, cold, warm and huge inputs, on every executor.

import { exchange, graphqlBytes, requestBytes } from '../../http-bytes.ts';
import { type Attack, cold, type SumBytes, type SumOptions, sums } from '../attack.ts';
import { dois as doisQuery, known, letters, list, op, times } from '../requests.ts';
import { byHash, register } from './documents.ts';

/** A selection, the declarations of its variables, their values, and options of the sum. */
type Sum = readonly [
  selected: string,
  declared: string,
  variables: object | (() => object),
  options?: SumOptions,
];

const LIVE: SumOptions = { gateway: 'live' };
const RECORD = 'name record{values{type text}}registrationAgency{name}';
const NAMES = '$n:[String!]!';
const dois = (fields: string, n: readonly string[], more: object = {}, declared = ''): Sum => [
  `dois(inputs:$n){${fields}}`,
  NAMES + declared,
  { n, ...more },
];
const coldDois = (fields: string, n: () => readonly string[]): Sum => [
  `dois(inputs:$n){${fields}}`,
  NAMES,
  () => ({ n: n() }),
  LIVE,
];
const inputs = (selected: string, n: readonly string[]): Sum => [selected, NAMES, { n }];
const entities = (r: readonly unknown[], aliases = 1, fields = '...on DOI{name exists}'): Sum => [
  times(aliases, (n) => `a${n}:_entities(representations:$r){${fields}}`),
  '$r:[_Any!]!',
  { r },
];
const TEXTS = list(1_000, (n) => `T${n}`);
const BAD = {
  dois: list(9_400, () => ''),
  parse: list(9_000, () => 'x'),
  classes: list(5_000, (n) => `%${n}`),
};
const LONG = list(400, (n) => `10.1/${n}${letters(2_000)}`);
const EMPTY = list(300_000, () => ({}));
const BY_PARAMETERS = 'redirect(parameters:$p){url}';
const PLACES = { t: '10.1000/a '.repeat(93_000) };

const OPERATIONS = {
  'dois, warm': dois(RECORD, known(1_900)),
  'dois, cold': coldDois(RECORD, () => cold(1_900)),
  'dois, cold and slow': coldDois('record{handle}', () => cold(1_900, 'slow')),
  'dois, cold and large': coldDois('record{values{text}}', () => cold(8, 'large')),
  'dois, without response': coldDois('record{handle}', () => cold(1_900, 'unavailable')),
  'dois, bad': dois('name', BAD.dois),
  'dois, huge': dois('name url html', [`10.1/${letters(900_000)}`]),
  'dois, long': dois('display', LONG),
  'dois, metadata': dois('citation bibtex ris metadata{title csl}', known(300)),
  'dois, suggestions': coldDois('suggestions{name}', () => cold(150).map((name) => `${name}19850).,`)),
  'parseDois, warm': inputs('parseDois(inputs:$n){form doi{name uri}}', known(2_000)),
  'parseDois, bad': inputs('parseDois(inputs:$n){problem{code message}}', BAD.parse),
  'doiEquivalenceClasses, warm': inputs(
    'doiEquivalenceClasses(inputs:$n){classes{members{index input}}}',
    known(5_000),
  ),
  'doiEquivalenceClasses, bad': inputs(
    'doiEquivalenceClasses(inputs:$n){unreadable{input problem{message}}}',
    BAD.classes,
  ),
  'doiEquivalence, aliases': [
    times(20, (n) => `a${n}:doiEquivalence(a:$a,b:$a){explanation}`),
    '$a:String!',
    { a: `10.1/${letters(40_000)}` },
  ],
  'findDois, places': ['findDois(text:$t){start}', '$t:String!', PLACES],
  'findDois, cold': [
    'findDois(text:$t){doi{name exists}}',
    '$t:String!',
    () => ({ t: cold(1_900).join(' ') }),
    LIVE,
  ],
  '_entities, warm': entities(known(1_000).map((name) => ({ __typename: 'DOI', name }))),
  '_entities, bad': entities(list(10_000, () => ({ __typename: 'DOI' }))),
  '_entities, empty': entities(EMPTY),
  'registrationAgencies, aliases': [
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
} satisfies Readonly<Record<string, Sum>>;

interface Executor {
  readonly accept: string;
  wrap(selected: string): string;
  readonly at?: readonly number[];
}

const LISTS = /^((?:\w+:)?(?:dois|parseDois|findDois|_entities)\([^)]*\))/;
const POST: Executor = { accept: 'application/json', wrap: (selected) => selected };
/** By the gateway itself, by Yoga, or by Yoga in parts. */
const EXECUTORS: Readonly<Record<string, Executor>> = {
  POST,
  events: { accept: 'text/event-stream', wrap: (selected) => selected, at: [150] },
  '@defer': { accept: 'multipart/mixed', wrap: (selected) => `...@defer{${selected}}`, at: [150] },
  '@stream': {
    accept: 'multipart/mixed',
    wrap: (selected) => selected.replace(LISTS, '$1@stream'),
    at: [150],
  },
};

/** The requests of a sum. The body is made once if all are the same. */
function bytesOf([selected, declared, variables]: Sum, { accept, wrap } = POST): SumBytes {
  const query = `query(${declared}){${wrap(selected)}}`;
  if (typeof variables === 'function') return () => graphqlBytes(op(query, variables()), { accept });
  const body = JSON.stringify(op(query, variables));
  return () => graphqlBytes(body, { accept });
}

const posts = Object.entries(EXECUTORS).flatMap(([executor, how]) =>
  Object.entries<Sum>(OPERATIONS)
    .filter(([, [selected]]) => how.wrap(selected) !== selected || !executor.startsWith('@'))
    .flatMap(([name, sum]) =>
      sums({ [`${executor}, ${name}`]: [bytesOf(sum, how), { ...sum[3], ...(how.at && { at: how.at }) }] }),
    ),
);

/** Named by the hash of their text, with all inputs in the text: a GET of 164 bytes. */
const REGISTERED: Readonly<Record<string, string>> = {
  bad: `{dois(inputs:[${times(9_400, '""')}]){name}}`,
  warm: `{dois(inputs:${JSON.stringify(known(1_000))}){${RECORD}}}`,
  classes: `{doiEquivalenceClasses(inputs:${JSON.stringify(known(1_000))}){classes{members{input}}}}`,
};
const gets = Object.entries(REGISTERED).flatMap(([name, query]) => {
  const prepare = async (port: number): Promise<void> => void (await exchange(port, register(query)));
  const bytes = requestBytes({ target: byHash(query) });
  return sums({ [`GET, registered, ${name}`]: [bytes, { at: [50, 100, 150, 300], prepare }] });
});

const sum = (name: keyof typeof OPERATIONS): SumBytes => bytesOf(OPERATIONS[name]);
const aliasesOfEmpty = bytesOf(entities(EMPTY, 20, '__typename'));
const unfinished = graphqlBytes(`{"query":"#${letters(1_000_000)}"}`).subarray(0, -1);
const endless = (['hints', 'lines', 'trailers', 'extensions', 'endless'] as const).map(
  (temper): [string, [SumBytes, SumOptions]] => [
    `POST, a directory without an end: ${temper}`,
    [() => graphqlBytes(op(doisQuery('record{handle}'), { n: cold(64, temper) })), { ...LIVE, at: [1] }],
  ],
);

/** The same operations in other numbers, by other kinds of clients, past a directory without an end. */
const others = sums({
  'POST, findDois, places': [sum('findDois, places'), { at: [16, 25] }],
  'POST, dois, bad': [sum('dois, bad'), { at: [100] }],
  'POST, dois, cold': [sum('dois, cold'), { ...LIVE, at: [60, 100] }],
  'POST, dois, cold and slow': [sum('dois, cold and slow'), { ...LIVE, at: [60] }],
  'POST, _entities, empty, 20 aliases': [aliasesOfEmpty, { at: [1, 10] }],
  'POST, dois, warm, never read': [
    sum('dois, warm'),
    { at: [150], limitMs: 8_000, manner: { read: 'nothing' } },
  ],
  'POST, dois, warm, gone after 100 ms': [sum('dois, warm'), { manner: { leaveAfterMs: 100 } }],
  'POST, dois, cold and slow, gone after 300 ms': [
    sum('dois, cold and slow'),
    { ...LIVE, manner: { leaveAfterMs: 300 } },
  ],
  'POST, a body of 1 MB without its last byte': [
    unfinished,
    { limitMs: 8_000, manner: { leaveAfterMs: 7_000 } },
  ],
  'POST, dois, warm, from many addresses': [sum('dois, warm'), { manner: { from: 'many' } }],
  'POST, dois, cold, from many addresses': [sum('dois, cold'), { ...LIVE, manner: { from: 'many' } }],
  ...Object.fromEntries(endless),
});

export const documentSums: readonly Attack[] = [...posts, ...gets, ...others];
