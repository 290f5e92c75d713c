// findDois: texts that hold much that nearly is a name, many names, and names that cost much.

import { graphqlBytes } from '../../http-bytes.ts';
import { type Attack, attack, largest, list, type Options, post, times } from '../attack.ts';

const PLACES = 'start end text form repaired';
const find = (fields: string): string => `query($t:String!){findDois(text:$t){${fields}}}`;
const FOUND = find(`${PLACES} doi{name uri url}`);
const LENGTH = 900_000;
const filled = (piece: string): string => piece.repeat(Math.floor(LENGTH / Buffer.byteLength(piece)));

const text = (name: string, piece: string, options?: Options): Attack =>
  post(`findDois in ${name}`, FOUND, { t: filled(piece) }, options);
const bracketed = (open: string, close: string, count: number): string =>
  `10.1000/a${open.repeat(count)}${close.repeat(count)}`;
const letters = list(20_000, (n) => String.fromCharCode(0x4e00 + n)).join('');

export const findDoisAttacks: readonly Attack[] = [
  text('the starts of names', '10.'),
  text('prefixes without suffixes', '10.1000/ '),
  text('prefixes in each other', '10.1000/'),
  text('digits and dots', '10.1.1.1.1.1.1.1.'),
  text('names, each of one letter', '10.1000/a '),
  text('names in addresses', 'https://doi.org/10.1000/a?b=c#d '),
  text('names broken at line ends', '10.1000/\n'),
  text('names with markup inside', '10.1000/a<i>b</i>'),
  text('percent escapes', '10.1000/%2525%25'),
  text('escapes of a slash', '10.1%2F'),
  text('entities', '10.1000/&amp;amp;&#38;&lt;'),
  text('entities that do not end', '10.1000/&amp&#x26&'),
  text('combining marks', `10.1000/a${'\u0301\u0323'.repeat(500)} `),
  text('look-alikes', '\u0661\u0660.\u0661\u2215\u0430 10.1000/\u0430b '),
  text('quotation marks and ends of sentences', '"10.1000/a".,;:!?\u201d\u00bb'),
  post('findDois in brackets that are opened and closed', FOUND, { t: bracketed('(', ')', 400_000) }),
  post('findDois in brackets that are only opened', FOUND, { t: `10.1000/a${'([{<'.repeat(220_000)}` }),
  post('findDois in brackets that are only closed', FOUND, { t: `10.1000/a${')]}>'.repeat(220_000)}` }),
  post('findDois in something like base64', FOUND, { t: `10.1000/${filled('QUJDREVGR0hJSktMTU5PUA+/')}` }),
  post('findDois in something like base64, many', FOUND, { t: filled('10.1000/QUJDREVGR0hJSktMTU5PUA==') }),
  post('findDois in a name of all letters', find('doi{name warnings{code message repaired{name}}}'), {
    t: `10.1000/a${list(15, () => letters)
      .join('')
      .slice(0, 290_000)}`,
  }),
  post(
    'findDois in 40 aliases of a long text',
    `query($t:String!){${times(40, (n) => `a${n}:findDois(text:$t){start}`)}}`,
    { t: filled('10.1000/a ').slice(0, 100_000) },
  ),
  post('findDois of 2,500 names, all looked up', find('doi{exists suggestions{name}}'), {
    t: times(2_500, (n) => `10.1000/${n}`),
  }),
  post('findDois of repaired names, all looked up', find('doi{warnings{repaired{exists}}}'), {
    t: times(1_000, (n) => `10.1000/${n}&amp;x).</a>`),
  }),
  attack(
    'findDois, streamed',
    graphqlBytes(
      {
        query: 'query($t:String!){findDois(text:$t)@stream(initialCount:0){start doi{name}}}',
        variables: { t: filled('10.1000/a ') },
      },
      { accept: 'multipart/mixed' },
    ),
    { times: 3 },
  ),
  attack(
    'findDois, each deferred',
    graphqlBytes(
      {
        query: 'query($t:String!){findDois(text:$t){start ...@defer{doi{name}}}}',
        variables: { t: filled('10.1000/a ') },
      },
      { accept: 'multipart/mixed' },
    ),
    { times: 3 },
  ),
  attack(
    'findDois of 90,000 names, as events',
    graphqlBytes(
      { query: find('start'), variables: { t: filled('10.1000/a ') } },
      { accept: 'text/event-stream' },
    ),
    { times: 3 },
  ),
  post(
    'dois of 5,000 that are no names',
    'query($n:[String!]!){dois(inputs:$n){name}}',
    {
      n: list(5_000, (n) => `see 10.1000/${n}, and 10.2/${n}`),
    },
    { times: 3 },
  ),
  post(
    'aliases of doiPrefix',
    `{${times(200, (n) => `a${n}:doiPrefix(name:"10.${n + 1_000}"){name record{status}}`)}}`,
  ),
  post('aliases of shortDoi', `{${times(200, (n) => `a${n}:shortDoi(input:"10/a${n}"){handle exists}`)}}`),
  largest('suggestions of suggestions', 400, (size) => ({
    query: 'query($n:[String!]!){dois(inputs:$n){suggestions{name exists suggestions{name}}}}',
    variables: { n: list(size, (n) => `10.1000/${n}19850).,`) },
  })),
  largest('repairs of repairs, looked up', 300, (size) => ({
    query: 'query($n:[String!]!){dois(inputs:$n){warnings{repaired{exists warnings{repaired{exists}}}}}}',
    variables: { n: list(size, (n) => `10.1000/${n}&amp;a%41</a>).?x=y/full.`) },
  })),
];
