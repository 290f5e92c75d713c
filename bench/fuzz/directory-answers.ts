// What the fuzzer's directory and agency respond to a request: the seed and the requested names decide.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  type DirectoryAnswer,
  type Made,
  oddValues,
  plainValues,
  STATUSES,
  shaped,
  TOLD,
  troubles,
  waits,
  whole,
} from './answer-parts.ts';
import { weighted, words } from './arbitraries.ts';
import { CANARY } from './canaries.ts';

/** In a `Location`, for the service that may be asked and for the server that may not. */
export const AGENCY = 'agency.invalid';
export const FORBIDDEN = 'forbidden.invalid';

type Answers = fc.Arbitrary<(asked: readonly string[]) => DirectoryAnswer>;

const CSL = { 'content-type': 'application/vnd.citationstyles.csl+json' };

/** None of them may be followed. */
const ELSEWHERE = [
  `http://${FORBIDDEN}/`,
  `https://${FORBIDDEN}/`,
  `//${FORBIDDEN}/`,
  `http://${AGENCY}@${FORBIDDEN}/`,
  `http://${AGENCY}\\@${FORBIDDEN}/`,
  `http://${CANARY}@${AGENCY}/`,
  ...words(
    'http://10.0.0.1/ https://169.254.169.254/latest/meta-data/ https://[::1]/ https://api.crossref.org.evil.example/ https://publisher.example/article file:///etc/passwd javascript:alert(1) data:application/json,{} ftp://example.org/ http://[',
  ),
  `http://${AGENCY}/${'x'.repeat(9_000)}`,
  '',
];

const REDIRECTS = [301, 302, 303, 307, 308, 300, 304];

const redirect = (status: number, location: string, waitMs = 0): DirectoryAnswer =>
  whole({ kind: 'sent on', status, headers: { ...TOLD, location }, waitMs });

const pathOf = ([name = '']: readonly string[]): string => encodeURIComponent(name.toWellFormed());

const always = (given: DirectoryAnswer) => (): DirectoryAnswer => given;
/** A redirect with one of the statuses to one of the places. */
const sentTo = (statuses: readonly number[], places: readonly string[]): Answers =>
  fc
    .tuple(fc.constantFrom(...statuses), fc.constantFrom(...places))
    .map(([status, to]) => always(redirect(status, to)));

/** The directory: mostly to the service, now and then elsewhere or nowhere. */
const sentOn: Answers = weighted(
  [
    12,
    fc
      .tuple(fc.constantFrom(302, 302, 303, 307), waits)
      .map(([status, waitMs]) => (asked: readonly string[]) => {
        return redirect(status, `http://${AGENCY}/works/${pathOf(asked)}`, waitMs);
      }),
  ],
  [3, sentTo(REDIRECTS, ELSEWHERE)],
  [2, sentTo([302], ['', '/', '/10.5555/f1', '?', '/../', '/10.5555/%'])],
);

const MARKUP = [
  'A <i>plain</i> title',
  'H<sub>2</sub>O &amp; co',
  '<jats:title>T</jats:title>',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<b onclick="x">bold',
  ...words('</i></b> &lt;script&gt; <mml:math><mml:mi>x</mml:mi></mml:math>'),
  '\u202egnp.exe',
  'a\u0000b\u001b[31mc\u0007',
  '<'.repeat(3_000),
  '<i>'.repeat(500),
  '&'.repeat(2_000),
  '\ud800',
  '',
];

const texts: fc.Arbitrary<unknown> = weighted(
  [4, fc.constantFrom<unknown>(...MARKUP)],
  [2, fc.string({ unit: 'grapheme', maxLength: 20 })],
  [1, fc.constantFrom<unknown>(['T'], [], [[]], 7, null, { en: 'T' }, { _: 'T' }, true)],
);
const numbers = fc.constantFrom<unknown>(2020, '2020', 1, 13, 0, -1, 1e308, '07', 'x', null, [], {});
const dates = fc.oneof(
  fc
    .array(fc.array(numbers, { maxLength: 4 }), { maxLength: 3 })
    .map((parts): unknown => ({ 'date-parts': parts })),
  fc.constantFrom<unknown>({ raw: '2020-W05' }, { literal: 'forthcoming' }, '2020-07', 2020, [], null),
);
const person = fc.record(
  { family: texts, given: texts, literal: texts, name: texts, ORCID: texts, affiliation: fc.jsonValue() },
  { requiredKeys: [] },
);
const items = fc.record(
  {
    title: texts,
    author: fc.oneof(fc.array(person, { maxLength: 4 }), fc.jsonValue()),
    editor: fc.array(person, { maxLength: 2 }),
    issued: dates,
    'container-title': texts,
    publisher: texts,
    type: texts,
    volume: texts,
    page: texts,
    language: texts,
    reference: fc.jsonValue(),
    other: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

/** Whole and in JSON, or cut. */
const csl: Answers = weighted(
  [6, shaped(items.map((item) => ({ kind: 'metadata', status: 200, make: () => item })))],
  [1, shaped(fc.jsonValue().map((item) => ({ kind: 'odd metadata', status: 200, make: () => item })))],
);

const CITATION = 'Doe, J. (2020). A title. https://doi.org/10.5555/1';
const TYPES = [
  ...words('text/x-bibliography application/x-bibtex text/plain;charset=latin1 text/plain;charset=nonsense'),
  ...['application/json;charset=utf-16le', 'text/html', '', 'x'.repeat(300)],
];

const odd: fc.Arbitrary<Made> = fc.oneof(
  fc
    .constantFrom(...TYPES)
    .map((type): Made => ({ kind: 'text', headers: { 'content-type': type }, body: Buffer.from(CITATION) })),
  fc
    .constantFrom(200, 200, 404, 406)
    .map(
      (status): Made => ({ kind: 'HTML', status, headers: TOLD, body: Buffer.from(`<h1>${CANARY}</h1>`) }),
    ),
  fc.constantFrom('gzip', 'br', 'identity', 'x').map(
    (encoding): Made => ({
      kind: 'not compressed',
      headers: { ...CSL, 'content-encoding': encoding },
      body: Buffer.from('{"title":"T"}'),
    }),
  ),
  fc
    .tuple(fc.constantFrom('0', '1', '50', 'x', '9'.repeat(30)), fc.constantFrom('1s', '0s', 's', '99999s'))
    .map(
      ([limit, interval]): Made => ({
        kind: 'limits',
        headers: { ...CSL, 'x-rate-limit-limit': limit, 'x-rate-limit-interval': interval },
        body: Buffer.from('{"title":"T"}'),
      }),
    ),
  fc.constant<Made>({ kind: 'deep', headers: CSL, body: Buffer.from('['.repeat(5_000)) }),
);

/** The service: answers, chains of redirects, and whatever else a server may say. */
const metadata: Answers = weighted(
  [9, csl.map((make) => (asked: readonly string[]) => ({ ...make(asked), headers: CSL }))],
  [3, odd.map((made) => () => whole(made))],
  [2, sentTo(REDIRECTS, ['again', `http://${AGENCY}/again`, '?more', ...ELSEWHERE])],
);

const CODES = [1, 2, 3, 4, 7, 100, 102, 200, 301, 302, 402, -1, '1', null];

const recordOf = (kind: string, status: number, given: object) => ({
  kind,
  status,
  make: ([handle]: readonly string[]) => ({ responseCode: 1, handle, ...given }),
});
const records = shaped(
  weighted(
    [6, plainValues.map((values) => recordOf('record', 200, { values }))],
    [3, oddValues.map((values) => recordOf('odd record', 200, { values, message: CANARY }))],
    [
      2,
      fc
        .tuple(fc.constantFrom(...CODES), fc.constantFrom(...STATUSES))
        .map(([responseCode, status]) =>
          recordOf('code', status, { responseCode, values: [], message: CANARY }),
        ),
    ],
    [1, fc.jsonValue().map((body) => ({ kind: 'odd JSON', status: 200, make: () => ({ [CANARY]: body }) }))],
  ),
);

const LABELS = ['Crossref', 'DataCite', 'Unknown', 'EIDR', '', 'é'.repeat(50), 7, null];
const STATES = ['Invalid DOI', 'DOI does not exist', 'Unknown', 'odd'];

const agencies = shaped(
  weighted(
    [
      6,
      fc.array(fc.nat(11), { minLength: 1, maxLength: 8 }).map((picks) => ({
        kind: 'agencies',
        status: 200,
        make: (asked: readonly string[]) =>
          asked.map((DOI, at) => {
            const pick = picks[at % picks.length] ?? 0;
            return pick < LABELS.length
              ? { DOI, RA: LABELS[pick] }
              : { DOI, status: STATES[pick - LABELS.length] };
          }),
      })),
    ],
    [
      2,
      fc.jsonValue().map((body) => ({
        kind: 'odd agencies',
        status: 200,
        make: (asked: readonly string[]) => [...asked.slice(1).map((DOI) => ({ DOI, RA: body })), body],
      })),
    ],
  ),
);

const plans = (answers: fc.Arbitrary<(asked: readonly string[]) => DirectoryAnswer>) =>
  weighted([12, answers], [2, troubles.map((made) => () => whole(made))]);
const FACES = {
  handles: plans(records),
  doiRA: plans(agencies),
  /** the directory, asked what a name is */
  metadata: plans(sentOn),
  /** the service that it sends to */
  agency: plans(metadata),
};

export type DirectoryFace = keyof typeof FACES;

/** A number for fast-check, made from texts. */
export function seedOf(...texts: readonly unknown[]): number {
  return createHash('sha256').update(JSON.stringify(texts)).digest().readInt32BE();
}

/** @param asked the names of one request */
export function answerOf(seed: number, face: DirectoryFace, asked: readonly string[]): DirectoryAnswer {
  const [plan] = fc.sample(FACES[face], { seed: seedOf(seed, face, asked[0]?.toLowerCase()), numRuns: 1 });
  return (plan as (asked: readonly string[]) => DirectoryAnswer)(asked);
}
