// findDois: texts with much that looks like a DOI name, with many names, and with expensive names.

import { graphqlBytes } from '../../../bench/http-bytes.ts';
import { type Attack, largest, posts, requests, upTo } from '../attack.ts';
import { dois, graphqlAliases, list, nest, op, times } from '../requests.ts';

const find = (fields: string): string => `query($t:String!){findDois(text:$t){${fields}}}`;
const FOUND = find('start end text form repaired doi{name uri url}');
const LENGTH = 900_000;
const filled = (piece: string): string => piece.repeat(Math.floor(LENGTH / Buffer.byteLength(piece)));
const PLAIN = filled('10.1000/a ');
const FORTY = `query($t:String!){${graphqlAliases(40, 'findDois(text:$t){start}')}}`;
const ideographs = list(20_000, (n) => String.fromCharCode(0x4e00 + n)).join('');

const PIECES: Readonly<Record<string, string>> = {
  'the starts of names': '10.',
  'prefixes without suffixes': '10.1000/ ',
  'prefixes, one after the other': '10.1000/',
  'digits and dots': '10.1.1.1.1.1.1.1.',
  'names, each of one letter': '10.1000/a ',
  'names in addresses': 'https://doi.org/10.1000/a?b=c#d ',
  'names broken at line ends': '10.1000/\n',
  'names with markup inside': '10.1000/a<i>b</i>',
  'percent escapes': '10.1000/%2525%25',
  'escapes of a slash': '10.1%2F',
  entities: '10.1000/&amp;amp;&#38;&lt;',
  'entities that do not end': '10.1000/&amp&#x26&',
  'combining marks': `10.1000/a${'\u0301\u0323'.repeat(500)} `,
  'look-alikes': '\u0661\u0660.\u0661\u2215\u0430 10.1000/\u0430b ',
  'quotation marks and ends of sentences': '"10.1000/a".,;:!?\u201d\u00bb',
  'many names like base64': '10.1000/QUJDREVGR0hJSktMTU5PUA==',
};
const TEXTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(PIECES).map(([name, piece]) => [name, filled(piece)])),
  'brackets that are opened and closed': `10.1000/a${nest(400_000, '(', '', ')')}`,
  'brackets that are only opened': `10.1000/a${'([{<'.repeat(220_000)}`,
  'brackets that are only closed': `10.1000/a${')]}>'.repeat(220_000)}`,
  'one name like base64': `10.1000/${filled('QUJDREVGR0hJSktMTU5PUA+/')}`,
};
const twoHundred = (field: (n: number) => string) => op(`{${times(200, (n) => `a${n}:${field(n)}`)}}`);
const operations = posts({
  ...Object.fromEntries(Object.entries(TEXTS).map(([name, t]) => [`findDois in ${name}`, op(FOUND, { t })])),
  'findDois in a name of 290,000 ideographs': op(find('doi{name warnings{code message repaired{name}}}'), {
    t: `10.1000/a${ideographs.repeat(15).slice(0, 290_000)}`,
  }),
  'findDois of 100 kB in 40 GraphQL aliases': op(FORTY, { t: PLAIN.slice(0, 100_000) }),
  'findDois of 2,500 names, all looked up': op(find('doi{exists suggestions{name}}'), {
    t: times(2_500, (n) => `10.1000/${n}`),
  }),
  'findDois of 1,000 repaired names, all looked up': op(find('doi{warnings{repaired{exists}}}'), {
    t: times(1_000, (n) => `10.1000/${n}&amp;x).</a>`),
  }),
  'dois of 5,000 inputs that are no names': [
    op(dois('name'), { n: list(5_000, (n) => `see 10.1000/${n}, and 10.2/${n}`) }),
    3,
  ],
  '200 GraphQL aliases of doiPrefix': twoHundred(
    (n) => `doiPrefix(name:"10.${n + 1_000}"){name record{status}}`,
  ),
  '200 GraphQL aliases of handle': twoHundred(
    (n) => `handle(name:"hdl:2381/${n}"){url record{status}redirect{url}}`,
  ),
  '200 GraphQL aliases of shortDoi': twoHundred((n) => `shortDoi(input:"10/a${n}"){handle exists}`),
});

const inParts = (query: string, accept = 'multipart/mixed'): Buffer =>
  graphqlBytes(op(query, { t: PLAIN }), { accept });
const STREAMED = 'query($t:String!){findDois(text:$t)@stream(initialCount:0){start doi{name}}}';
const partial = requests(
  {
    'findDois, streamed': inParts(STREAMED),
    'findDois, each deferred': inParts(find('start ...@defer{doi{name}}')),
    'findDois of 90,000 names, as events': inParts(find('start'), 'text/event-stream'),
  },
  3,
);

const SUGGESTIONS = dois('suggestions{name exists suggestions{name}}');
const REPAIRS = dois('warnings{repaired{exists warnings{repaired{exists}}}}');
export const findDoisAttacks: readonly Attack[] = [
  ...operations,
  ...partial,
  ...largest({
    'suggestions of suggestions': upTo(400, (size) =>
      op(SUGGESTIONS, { n: list(size, (n) => `10.1000/${n}19850).,`) }),
    ),
    'repairs of repairs, looked up': upTo(300, (size) =>
      op(REPAIRS, { n: list(size, (n) => `10.1000/${n}&amp;a%41</a>).?x=y/full.`) }),
    ),
  }),
];
