// What the fuzzer sends: whole requests to every face, and bytes that are none.

import fc from 'fast-check';
import { damaged } from './damaged.ts';
import { gets, posts } from './graphql-requests.ts';
import { jobPages, jobQuestions, uploads } from './job-requests.ts';
import { mcpMessages } from './mcp-requests.ts';
import { documents, paths } from './rest-requests.ts';
import type { FuzzRequest } from './whole-request.ts';

/** Played at once, each on a connection of its own. */
export type FuzzCase = readonly FuzzRequest[];

const wholes = fc.oneof(
  { weight: 5, arbitrary: posts },
  { weight: 2, arbitrary: gets },
  { weight: 6, arbitrary: paths },
  { weight: 1, arbitrary: documents },
  { weight: 3, arbitrary: mcpMessages },
  { weight: 1, arbitrary: jobPages },
);

/** One file, and what is asked of its job meanwhile and after. */
const jobs = fc
  .tuple(uploads, fc.array(jobQuestions, { maxLength: 6 }))
  .map(([upload, questions]) => [upload, ...questions]);

const CHUNKED =
  'POST /graphql HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';

/** What no HTTP client would send. */
const bytes = fc
  .oneof(
    {
      weight: 4,
      arbitrary: damaged(fc.oneof(wholes, wholes, wholes, uploads).map((request) => request.bytes)),
    },
    {
      weight: 1,
      arbitrary: damaged(fc.constant(`${CHUNKED}15\r\n{"query":"{__typename\r\n3\r\n}"}\r\n0\r\n\r\n`)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(wholes, wholes)
        .map(([a, b]) => a.bytes.replace(/connection: close\r\n/, '') + b.bytes),
    },
  )
  .map((text): FuzzRequest => ({ kind: 'bytes', method: '', target: '', bytes: latin1(text) }));

const latin1 = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

const anything = fc.array(fc.oneof({ weight: 12, arbitrary: wholes }, { weight: 1, arbitrary: bytes }), {
  minLength: 1,
  maxLength: 20,
  size: 'max',
});

/** Each alone, uploads and questions about jobs among them. */
export const oneRequest: fc.Arbitrary<FuzzRequest> = fc.oneof(
  { weight: 12, arbitrary: wholes },
  { weight: 2, arbitrary: bytes },
  { weight: 1, arbitrary: uploads },
  { weight: 1, arbitrary: jobQuestions },
);

export const cases: fc.Arbitrary<FuzzCase> = fc.oneof(
  { weight: 4, arbitrary: anything },
  {
    weight: 1,
    arbitrary: fc.tuple(jobs, anything).map(([some, others]) => [...some, ...others.slice(0, 6)]),
  },
);
