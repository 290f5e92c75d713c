// Answers in parts and as events: @defer, @stream, multipart and text/event-stream.

import { graphqlBytes } from '../../http-bytes.ts';
import { names } from '../../peers/data.mjs';
import { type Attack, attack, type Options, times } from '../attack.ts';

const MULTIPART = 'multipart/mixed;deferSpec=20220824, application/json';
const EVENTS = 'text/event-stream';
const FIELDS = 'name uri url record{values{type text}}registrationAgency{name}';

function parts(
  name: string,
  query: string,
  count: number,
  options: Options = {},
  accept = MULTIPART,
): Attack {
  return attack(name, graphqlBytes({ query, variables: { n: names.slice(0, count) } }, { accept }), options);
}

const dois = (fields: string): string => `query($n:[String!]!){dois(inputs:$n){${fields}}}`;
const deferred = (depth: number): string => '...@defer{'.repeat(depth) + FIELDS + '}'.repeat(depth);

export const incremental: readonly Attack[] = [
  parts('@defer on 1,000 names', dois(`name ...@defer{${FIELDS}}`), 1_000, { times: 5 }),
  parts(
    '@defer 200 times on 100 names',
    dois(times(200, (n) => `...@defer(label:"l${n}"){a${n}:url}`)),
    100,
    { times: 3 },
  ),
  parts('@defer 500 deep', dois(deferred(500)), 1),
  parts('@defer 20 deep on 500 names', dois(deferred(20)), 500),
  parts('@defer with 2,000 labels', dois(times(2_000, (n) => `...@defer(label:"l${n}"){name}`)), 1),
  parts('@defer with one label 2,000 times', dois(times(2_000, () => '...@defer(label:"x"){name}')), 1),
  parts(
    '@defer(if:) of 1,000 variables',
    `query($n:[String!]!,${times(1_000, (n) => `$b${n}:Boolean=true`)}){dois(inputs:$n){${times(1_000, (n) => `...@defer(if:$b${n}){name}`)}}}`,
    2,
  ),
  parts(
    '@stream of 2,000 names',
    `query($n:[String!]!){dois(inputs:$n)@stream(initialCount:0){${FIELDS}}}`,
    1_000,
    { times: 5 },
  ),
  parts(
    '@stream of values in @stream of names',
    'query($n:[String!]!){dois(inputs:$n)@stream{record{values@stream{type}}}}',
    500,
    { times: 3 },
  ),
  parts(
    '@stream with counts nobody has',
    'query($n:[String!]!){a:dois(inputs:$n)@stream(initialCount:2147483647){name}b:dois(inputs:$n)@stream(initialCount:-1){name}}',
    100,
    { times: 5 },
  ),
  parts('@stream where there is no list', dois('name@stream record@stream{handle@stream}'), 1, { times: 5 }),
  parts(
    '@defer of 20,000 values, 20 aliases',
    `{doi(input:"10.5555/values"){${times(20, (n) => `...@defer{a${n}:record{values{text}}}`)}}}`,
    0,
  ),
  parts(
    '@defer in each of 20,000 values',
    '{doi(input:"10.5555/values"){record{values{...@defer{text}}}}}',
    0,
    {
      times: 3,
    },
  ),
  parts('@defer, and gone after 20 ms', dois(`name ...@defer{${FIELDS}}`), 500, {
    times: 200,
    atOnce: 20,
    manner: { leaveAfterMs: 20 },
  }),
  parts(
    '@defer without the Accept for it',
    dois(`name ...@defer{${FIELDS}}`),
    100,
    { times: 20 },
    'application/json',
  ),
  parts('events of 1,000 names', dois(FIELDS), 1_000, { times: 10 }, EVENTS),
  parts('events of parts', dois(`name ...@defer{${FIELDS}}`), 500, { times: 10 }, EVENTS),
  parts(
    'events, and gone after 5 ms',
    dois(FIELDS),
    20,
    { times: 400, atOnce: 20, manner: { leaveAfterMs: 5 } },
    EVENTS,
  ),
  parts('events of a document that is wrong', '{nothing}', 0, { times: 100, atOnce: 10 }, EVENTS),
];
