// GraphQL documents whose plans are much larger than their texts, and registered documents that take much memory.

import { exchange, graphqlBytes, requestBytes } from '../../../bench/http-bytes.ts';
import { type Attack, requests, tenAtOnce } from '../attack.ts';
import { graphqlAliases, list, op, times } from '../requests.ts';
import { byHash, register } from './documents.ts';

const MULTIPART = 'multipart/mixed;deferSpec=20220824, application/json';
const FLAGS = list(10, (n) => `$b${n}:Boolean!`).join(' ');
const CONDITIONS = times(10, (n) => `c${n}:__typename @include(if:$b${n})`);
/** Other values for each n, so that no kept plan has them. */
const flags = (n: number): object =>
  Object.fromEntries(list(10, (bit) => [`b${bit}`, ((n >> bit) & 1) === 1]));

/** A fragment in many places. @param places the number of aliases that spread it */
const spread = (places: number, fields: string, more = ''): string =>
  `query(${FLAGS}){${CONDITIONS} ${times(places, (n) => `a${n}:doi(input:"1"){...f${more}}`)}}fragment f on DOI{${fields}}`;
const ids = (count: number): string => graphqlAliases(count, 'id');
const RECORDS = graphqlAliases(40, 'record{values{index type ttl timestamp}}');
const DATA = graphqlAliases(20, 'record{values{data{format ...on HandleStringData{value}}}}');
const URLS = graphqlAliases(400, 'url(encoding:RECOMMENDED)');
const SKIPPED = graphqlAliases(900, 'id@skip(if:true)');
const NESTED = `query(${FLAGS}){${CONDITIONS} ${times(40, (n) => `a${n}:doi(input:"1"){...f}`)}}fragment f on DOI{${times(40, (n) => `h${n}:alias{doi{...g}}`)}}fragment g on DOI{${ids(40)}}`;
const TWO_FRAGMENTS = `${spread(220, ids(260), ' ...g')}fragment g on DOI{${ids(260)}}`;
const OPERATIONS = `${times(100, (n) => `query q${n}{...r}`)}fragment r on Query{${times(20, (n) => `a${n}:doi(input:"1"){...f}`)}}fragment f on DOI{${ids(300)}}`;

const DOCUMENTS: Readonly<Record<string, string>> = {
  'a fragment of 530 fields in 440 places': spread(440, ids(530)),
  'a fragment of 200 fields in 200 places': spread(200, ids(200)),
  'a fragment of 110 fields in 440 places': spread(440, ids(110)),
  'a fragment with 40 records in 200 places': spread(200, RECORDS),
  'a fragment with values of each type in 100 places': spread(100, DATA),
  'a fragment of 400 fields with arguments in 100 places': spread(100, URLS),
  'a fragment of 900 skipped fields in 50 places': spread(50, SKIPPED),
  'a fragment of 900 skipped fields in 400 places': spread(400, SKIPPED),
  'fragments in fragments': NESTED,
  'two fragments with equal fields in 220 places': TWO_FRAGMENTS,
};

type Send = (query: string, n: number) => Buffer;
const byPost: Send = (query, n) => graphqlBytes(op(query, flags(n)));
/** Most of these documents are longer than a head may be, so the requests name them by their hash. */
const byGet: Send = (query, n) =>
  requestBytes({ target: `${byHash(query)}&variables=${encodeURIComponent(JSON.stringify(flags(n)))}` });
const inParts: Send = (query, n) =>
  graphqlBytes(op(query.replace('{', '{...@defer{__typename}'), flags(n)), { accept: MULTIPART });

const each = (label: string, send: Send, count: number): Attack[] =>
  Object.entries(DOCUMENTS).flatMap(([name, query]) =>
    requests({
      [`plans, ${label}: ${name}`]: [
        (n) => send(query, n),
        {
          requests: count,
          atOnce: 1,
          prepare: (port) => exchange(port, register(query)).then(() => undefined),
        },
      ],
    }),
  );

const others = requests(
  {
    'plans, many operations of one document': (n) =>
      graphqlBytes({ query: OPERATIONS, operationName: `q${n % 100}` }),
    'plans, each document new': (n) => byPost(`${spread(200, ids(200))}#${n}_${Date.now()}`, n),
    'plans, each document new, @defer': (n) => inParts(`${spread(100, ids(100))}#${n}_${Date.now()}`, n),
  },
  tenAtOnce(60),
);

/** Documents of about 10,000 tokens. A GET of 170 to 400 bytes names one by its hash. */
const salted = (n: number): string => `s${n}:__typename`;
const LARGE: Readonly<Record<string, (n: number) => string>> = {
  'skipped fields': (n) => `{${salted(n)} doi(input:"1"){id ${graphqlAliases(900, 'name@skip(if:true)')}}}`,
  'skipped fields with variables': (n) =>
    `query(${FLAGS}){${CONDITIONS} ${salted(n)} doi(input:"1"){id ${times(800, (m) => `a${m}:name@skip(if:$b${m % 10})`)}}}`,
  'one skipped object': (n) => `{${salted(n)} doi(input:"1")@skip(if:true){${ids(3_000)}}}`,
  'aliases of a field': (n) => `{${salted(n)} doi(input:"1"){${ids(3_000)}}}`,
  'texts in a list': (n) => `{${salted(n)} dois(inputs:["1"${times(9_000, '""')}])@skip(if:true){id}}`,
  'objects in objects': (n) =>
    `{${salted(n)} doi(input:"1"){${graphqlAliases(900, 'record{values{index}}')}}}`,
  'many fragments': (n) =>
    `{${salted(n)} doi(input:"1"){...f0}}${times(700, (m) => `fragment f${m} on DOI{a${m}:id ...f${m + 1}}`)}fragment f700 on DOI{id}`,
  'an invalid document': (n) => `{${salted(n)} doi(input:"1"){${times(3_000, (m) => `a${m}:no`)}}}`,
  'a long comment': (n) => `{${salted(n)}}#${'x'.repeat(90_000)}`,
  'many operations': (n) =>
    `${times(200, (m) => `query q${m}{${salted(n)} doi(input:"1"){...f}}`)}fragment f on DOI{${ids(1_000)}}`,
};

/** @param documents how many documents the requests name, one after the other */
const named = (documents: number, count: number, accept = 'application/json'): Attack[] =>
  Object.entries(LARGE).flatMap(([name, query]) => {
    const prepare = async (port: number): Promise<void> => {
      for (let n = 0; n < documents; n += 1) await exchange(port, register(query(n)));
    };
    const bytes = (n: number): Buffer => {
      const variables = query(0).startsWith('query(') ? flags(n) : {};
      const at = `${byHash(query(n % documents))}&variables=${encodeURIComponent(JSON.stringify(variables))}`;
      return requestBytes({ target: at, headers: { accept } });
    };
    return requests({
      [`registered ${documents}: ${name}, ${accept}`]: [
        bytes,
        { requests: count, atOnce: 150, prepare, expect: 'shed', limitMs: 40_000 },
      ],
    });
  });

export const planAttacks: readonly Attack[] = [
  ...each('POST', byPost, 8),
  ...each('GET', byGet, 10),
  ...each('@defer', inParts, 5),
  ...others,
  ...named(1, 450),
  ...named(30, 450),
  ...named(1, 150, 'text/event-stream'),
];
