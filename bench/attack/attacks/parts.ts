// Responses in parts and as events: @defer, @stream, multipart and text/event-stream.

import { graphqlBytes } from '../../http-bytes.ts';
import { type Attack, raw, tenAtOnce } from '../attack.ts';
import { dois, known, nest, op, times } from '../requests.ts';

const MULTIPART = 'multipart/mixed;deferSpec=20220824, application/json';
const EVENTS = 'text/event-stream';
const FIELDS = 'name uri url record{values{type text}}registrationAgency{name}';
const DEFERRED = dois(`name ...@defer{${FIELDS}}`);
const VALUES = '10.5555/values';

/** @param count the number of names */
const of = (query: string, count: number, accept = MULTIPART): Buffer =>
  graphqlBytes(op(query, { n: known(count) }), { accept });
const deferred = (depth: number): string => dois(nest(depth, '...@defer{', FIELDS));

export const incremental: readonly Attack[] = raw(
  {
    '@defer on 1,000 names': [of(DEFERRED, 1_000), 5],
    '@defer 200 times on 100 names': [
      of(dois(times(200, (n) => `...@defer(label:"l${n}"){a${n}:url}`)), 100),
      3,
    ],
    '@defer 500 deep': of(deferred(500), 1),
    '@defer 20 deep on 500 names': of(deferred(20), 500),
    '@defer with 2,000 labels': of(dois(times(2_000, (n) => `...@defer(label:"l${n}"){name}`)), 1),
    '@defer with one label 2,000 times': of(dois(times(2_000, '...@defer(label:"x"){name}')), 1),
    '@defer(if:) of 1,000 variables': of(
      dois(
        times(1_000, (n) => `...@defer(if:$b${n}){name}`),
        `,${times(1_000, (n) => `$b${n}:Boolean=true`)}`,
      ),
      2,
    ),
    '@stream of 1,000 names': [
      of(`query($n:[String!]!){dois(inputs:$n)@stream(initialCount:0){${FIELDS}}}`, 1_000),
      5,
    ],
    '@stream of values in @stream of names': [
      of('query($n:[String!]!){dois(inputs:$n)@stream{record{values@stream{type}}}}', 500),
      3,
    ],
    '@stream with invalid counts': [
      of(
        'query($n:[String!]!){a:dois(inputs:$n)@stream(initialCount:2147483647){name}b:dois(inputs:$n)@stream(initialCount:-1){name}}',
        100,
      ),
      5,
    ],
    '@stream on fields that are no lists': [of(dois('name@stream record@stream{handle@stream}'), 1), 5],
    '@defer of 20,000 values, 20 GraphQL aliases': of(
      `{doi(input:"${VALUES}"){${times(20, (n) => `...@defer{a${n}:record{values{text}}}`)}}}`,
      0,
    ),
    '@defer in each of 20,000 values': [
      of(`{doi(input:"${VALUES}"){record{values{...@defer{text}}}}}`, 0),
      3,
    ],
    '@defer, the client leaves after 20 ms': [
      of(DEFERRED, 500),
      { requests: 200, atOnce: 20, leaveAfterMs: 20 },
    ],
    '@defer without multipart in Accept': [of(DEFERRED, 100, 'application/json'), 20],
    'events of 1,000 names': [of(dois(FIELDS), 1_000, EVENTS), 10],
    'events of deferred parts': [of(DEFERRED, 500, EVENTS), 10],
    'events, the client leaves after 5 ms': [
      of(dois(FIELDS), 20, EVENTS),
      { requests: 400, atOnce: 20, leaveAfterMs: 5 },
    ],
    'events of an invalid document': [of('{nothing}', 0, EVENTS), tenAtOnce(100)],
  },
  { expect: 'graphql' },
);
