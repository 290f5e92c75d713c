// Attacks that send the same GraphQL operation many times in parallel, to see what all of them cost together. They cover
// every list argument with valid, invalid, uncached, known and huge inputs, on every executor.

import { exchange, graphqlBytes, requestBytes } from '../../../bench/http-bytes.ts';
import { type Attack, type Each, type ParallelOptions, parallel, uncachedNames } from '../attack.ts';
import { HOSTILE_ITEMS, type HostileItem } from '../hostile-items.ts';
import { known, letters, list, oneOf, op, times } from '../requests.ts';
import { byHash, register } from './documents.ts';

/**
 * A selection, the declarations of its variables, and their values. A function makes new values for each request: names
 * that no cache has.
 */
type Selected = readonly [selected: string, declared: string, variables: object | (() => object)];

const RECORD = 'name record{values{type text}}registrationAgency{name}';
const NAMES = '$n:[String!]!';
type Names = readonly string[] | (() => readonly string[]);
const inputs = (selected: string, n: Names, declared = '', more: object = {}): Selected => [
  selected,
  NAMES + declared,
  typeof n === 'function' ? () => ({ n: n() }) : { n, ...more },
];
const dois = (fields: string, ...given: [n: Names, declared?: string, more?: object]): Selected =>
  inputs(`dois(inputs:$n){${fields}}`, ...given);
const entities = (r: readonly unknown[], aliases = 1, fields = '...on DOI{name exists}'): Selected => [
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
const MANY_DOIS = { t: '10.1000/a '.repeat(93_000) };

const KNOWN_ENTITIES = known(1_000).map((name) => ({ __typename: 'DOI', name }));
const VALUES = 'record{values(types:$t,indexes:$i){text}}';
const SUGGESTED = (): string[] => uncachedNames(150).map((name) => `${name}19850).,`);
const FORTY_KB = { a: `10.1/${letters(40_000)}` };

let referenceCount = 0;
/** References that no cache has, for each of which the search finds hostile works. */
const references = (count: number): readonly string[] =>
  list(count, (n) => {
    referenceCount += 1;
    const words = oneOf(n, 'Reliability of hydraulic pumps ', 'hydraulix1 ', 'a b ', '漢字', '<i>');
    return `Berger A. ${oneOf(n, ...HOSTILE_ITEMS)} ${words.repeat(60)} ${referenceCount}. 2012;57:978.`;
  });
const MATCHED = 'reference outcome doi{name}evidence{detail verdict inReference inWork}candidates{doi{name}}';
const matched = (count: number): Selected => [
  `matchReferences(references:$r){${MATCHED}}`,
  '$r:[String!]!',
  () => ({ r: references(count) }),
];
const WORK =
  'metadata{title abstract kind subjects licenses{url spdx}funding{funder}fullTexts{url}contributors{name affiliations{name ror}}dates{kind}event csl}';
const works = (kind: HostileItem, fields = WORK): Selected =>
  dois(fields, () => uncachedNames(2).map((name) => name.replace('10.5555/', `10.5555/${kind}-`)));

const OPERATIONS = {
  'matchReferences, 10 hostile references': matched(10),
  'matchReferences, 200 hostile references': matched(200),
  'works, abstracts of 3 MB': works('abstracts'),
  'works, abstracts of elements': works('bombs'),
  'works, abstracts of formulas': works('formulas'),
  'works, 900 people': works('crowds'),
  'works, 100 people with 50 affiliations': works('institutes'),
  'works, 25,000 subjects': works('subjects'),
  'works, links that are scripts': works('scripts'),
  'works, 6,000 references': works('citing', 'references{text doi{name}}'),
  'works, references of 100 kB': works('words', 'references{text doi{name}}'),
  'dois, known names': dois(RECORD, known(1_900)),
  'dois, uncached names': dois(RECORD, () => uncachedNames(1_900)),
  'dois, uncached names, slow directory': dois('record{handle}', () => uncachedNames(1_900, 'slow')),
  'dois, uncached names, large records': dois('record{values{text}}', () => uncachedNames(8, 'large')),
  'dois, directory unavailable': dois('record{handle}', () => uncachedNames(1_900, 'unavailable')),
  'dois, invalid': dois('name', INVALID.dois),
  'dois, huge': dois('name url html', [`10.1/${letters(900_000)}`]),
  'dois, long': dois('display', LONG),
  'dois, metadata': dois('citation bibtex ris metadata{title csl}', known(300)),
  'dois, suggestions': dois('suggestions{name}', SUGGESTED),
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
    FORTY_KB,
  ],
  'findDois, a text with 93,000 DOIs': ['findDois(text:$t){start}', '$t:String!', MANY_DOIS],
  'findDois, uncached names': [
    'findDois(text:$t){doi{name exists}}',
    '$t:String!',
    () => ({ t: uncachedNames(1_900).join(' ') }),
  ],
  '_entities, known names': entities(KNOWN_ENTITIES),
  '_entities, invalid': entities(list(10_000, () => ({ __typename: 'DOI' }))),
  '_entities, empty': entities(EMPTY),
  'registrationAgencies, 150 GraphQL aliases': [
    times(150, (n) => `a${n}:registrationAgencies@include(if:$u){name title}`),
    '$u:Boolean=true',
    {},
  ],
  'encodings(forms)': dois('encodings(forms:[URN,HTML,MARKDOWN,CODE_POINTS]){form value}', known(1_000)),
  'values(types, indexes)': dois(VALUES, known(50), ',$t:[String!],$i:[Int!]', {
    t: TEXTS,
    i: list(1_000, (n) => n),
  }),
  'redirect(locatt)': dois('redirect(parameters:$p){url}', known(50), ',$p:RedirectInput', {
    p: { locatt: list(1_000, (n) => `a:${n}`) },
  }),
  'proxyUrl(types)': dois('proxyUrl(parameters:$p)', known(50), ',$p:ProxyUrlInput', { p: { types: TEXTS } }),
} satisfies Readonly<Record<string, Selected>>;

/** Changes a selection, for example adds `@defer` around it. */
type Wrap = (selected: string) => string;
const unchanged: Wrap = (selected) => selected;
const LISTS = /^((?:\w+:)?(?:dois|parseDois|findDois|_entities)\([^)]*\))/;
/**
 * How a POST request selects an executor: its Accept header, and the change of its selection. The gateway's own executor
 * runs `POST`, whose response is plain JSON. Yoga runs the other three. It sends the result of `events` whole, and the
 * results of `@defer` and `@stream` in parts.
 */
const EXECUTORS: Readonly<Record<string, readonly [accept: string, wrap: Wrap]>> = {
  POST: ['application/json', unchanged],
  events: ['text/event-stream', unchanged],
  '@defer': ['multipart/mixed', (selected) => `...@defer{${selected}}`],
  '@stream': ['multipart/mixed', (selected) => selected.replace(LISTS, '$1@stream')],
};

/** Returns the request of an operation, or a function that makes a new one each time. */
function bytesOf(
  [selected, declared, variables]: Selected,
  accept = 'application/json',
  wrap = unchanged,
): Each<Buffer> {
  const query = `query(${declared}){${wrap(selected)}}`;
  if (typeof variables === 'function') return () => graphqlBytes(op(query, variables()), { accept });
  return graphqlBytes(op(query, variables), { accept });
}

const posts = Object.entries(EXECUTORS).flatMap(([label, [accept, wrap]]) =>
  Object.entries<Selected>(OPERATIONS)
    .filter(([, [selected]]) => wrap(selected) !== selected || !label.startsWith('@'))
    .flatMap(([name, operation]) => {
      const counts = label === 'POST' ? {} : { requestCounts: [150] };
      return parallel({ [`${label}, ${name}`]: [bytesOf(operation, accept, wrap), counts] });
    }),
);

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

/** The same operations with other numbers of requests, and from clients that behave differently. */
const VARIANTS: readonly (readonly [
  name: keyof typeof OPERATIONS,
  endOfLabel: string,
  options: ParallelOptions,
])[] = [
  ['findDois, a text with 93,000 DOIs', '', { requestCounts: [16, 25] }],
  ['dois, invalid', '', { requestCounts: [100] }],
  ['dois, uncached names', '', { requestCounts: [60, 100] }],
  ['dois, uncached names, slow directory', '', { requestCounts: [60] }],
  ['dois, known names', ', never read', { requestCounts: [150], limitMs: 8_000, read: 'nothing' }],
  ['dois, known names', ', the client leaves after 100 ms', { leaveAfterMs: 100 }],
  ['dois, uncached names, slow directory', ', the client leaves after 300 ms', { leaveAfterMs: 300 }],
  ['dois, known names', ', from many addresses', { from: 'many' }],
  ['dois, uncached names', ', from many addresses', { from: 'many' }],
];
const variants = VARIANTS.flatMap(([name, endOfLabel, options]) =>
  parallel({ [`POST, ${name}${endOfLabel}`]: [bytesOf(OPERATIONS[name]), options] }),
);

const ENDLESS = ['hints', 'lines', 'trailers', 'extensions', 'endless'] as const;
const others = parallel({
  'POST, _entities, empty, 20 GraphQL aliases': [
    bytesOf(entities(EMPTY, 20, '__typename')),
    { requestCounts: [1, 10] },
  ],
  'POST, a body of 1 MB without its last byte': [
    graphqlBytes(`{"query":"#${letters(1_000_000)}"}`).subarray(0, -1),
    { limitMs: 8_000, leaveAfterMs: 7_000 },
  ],
  ...Object.fromEntries(
    ENDLESS.map((behaviour) => [
      `POST, the directory never ends its response: ${behaviour}`,
      [bytesOf(dois('record{handle}', () => uncachedNames(64, behaviour))), { requestCounts: [1] }],
    ]),
  ),
});

export const parallelOperations: readonly Attack[] = [...posts, ...gets, ...variants, ...others];
