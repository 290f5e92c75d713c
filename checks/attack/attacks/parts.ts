// Responses in parts and as events: @defer, @stream, multipart and text/event-stream.

import { graphqlBytes } from '../../../bench/http-bytes.ts';
import { type Attack, requests, tenAtOnce } from '../attack.ts';
import { dois, known, nest, op, times } from '../requests.ts';

const MULTIPART = 'multipart/mixed;deferSpec=20220824, application/json';
const EVENTS = 'text/event-stream';
const FIELDS = 'name uri url record{values{type text}}registrationAgency{name}';
const DEFERRED = dois(`name ...@defer{${FIELDS}}`);

/** @param count the number of names */
const of = (query: string, count: number, accept = MULTIPART): Buffer =>
  graphqlBytes(op(query, { n: known(count) }), { accept });
const deferred = (depth: number): string => dois(nest(depth, '...@defer{', FIELDS));
const labelled = (count: number, field: (n: number) => string): string =>
  times(count, (n) => `...@defer(label:"l${n}"){${field(n)}}`);
const LABELS = labelled(2_000, () => 'name');
const URLS = labelled(200, (n) => `a${n}:url`);
const CONDITIONS = times(1_000, (n) => `...@defer(if:$b${n}){name}`);
const STREAMED = `query($n:[String!]!){dois(inputs:$n)@stream(initialCount:0){${FIELDS}}}`;
const NESTED_STREAMS = 'query($n:[String!]!){dois(inputs:$n)@stream{record{values@stream{type}}}}';
const INVALID_COUNTS =
  'query($n:[String!]!){a:dois(inputs:$n)@stream(initialCount:2147483647){name}b:dois(inputs:$n)@stream(initialCount:-1){name}}';
const MANY_VALUES = times(20, (n) => `...@defer{a${n}:record{values{text}}}`);
const ofValues = (fields: string): Buffer => of(`{doi(input:"10.5555/values"){${fields}}}`, 0);

export const incremental: readonly Attack[] = requests({
  '@defer on 1,000 names': [of(DEFERRED, 1_000), 5],
  '@defer 200 times on 100 names': [of(dois(URLS), 100), 3],
  '@defer 500 deep': of(deferred(500), 1),
  '@defer 20 deep on 500 names': of(deferred(20), 500),
  '@defer with 2,000 labels': of(dois(LABELS), 1),
  '@defer with one label 2,000 times': of(dois(times(2_000, '...@defer(label:"x"){name}')), 1),
  '@defer(if:) of 1,000 variables': of(dois(CONDITIONS, `,${times(1_000, (n) => `$b${n}:Boolean=true`)}`), 2),
  '@stream of 1,000 names': [of(STREAMED, 1_000), 5],
  '@stream of values in @stream of names': [of(NESTED_STREAMS, 500), 3],
  '@stream with invalid counts': [of(INVALID_COUNTS, 100), 5],
  '@stream on fields that are no lists': [of(dois('name@stream record@stream{handle@stream}'), 1), 5],
  '@defer of 20,000 values, 20 GraphQL aliases': ofValues(MANY_VALUES),
  '@defer in each of 20,000 values': [ofValues('record{values{...@defer{text}}}'), 3],
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
});
