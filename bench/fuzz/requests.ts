// What the fuzzer sends: whole requests to every face, and bytes that are none.

import fc from 'fast-check';
import { damaged, weighted } from './arbitraries.ts';
import { gets, posts } from './graphql-requests.ts';
import { jobPages, jobQuestions, uploads } from './job-requests.ts';
import { mcpMessages } from './mcp-requests.ts';
import { documents, paths } from './rest-requests.ts';
import type { FuzzRequest } from './whole-request.ts';

/** Played at once, each on a connection of its own. */
export type FuzzCase = readonly FuzzRequest[];

const wholes = weighted([5, posts], [2, gets], [6, paths], [1, documents], [3, mcpMessages], [1, jobPages]);

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

const anything = fc.array(weighted([12, wholes], [1, bytes]), {
  minLength: 1,
  maxLength: 20,
  size: 'max',
});

/** Each alone, uploads and questions about jobs among them. */
export const oneRequest: fc.Arbitrary<FuzzRequest> = weighted(
  [12, wholes],
  [2, bytes],
  [1, uploads],
  [1, jobQuestions],
);

export const cases: fc.Arbitrary<FuzzCase> = weighted(
  [4, anything],
  [1, fc.tuple(jobs, anything).map(([some, others]) => [...some, ...others.slice(0, 6)])],
);
