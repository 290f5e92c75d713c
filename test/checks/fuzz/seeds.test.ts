// A seed decides the requests and the responses of the directory.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CANARY } from '../../../checks/fuzz/canaries.ts';
import { responseOf } from '../../../checks/fuzz/directory-responses.ts';
import { CASE_JOB_ID } from '../../../checks/fuzz/job-requests.ts';
import { cases } from '../../../checks/fuzz/requests.ts';

const names = Array.from({ length: 300 }, (_, n) => `10.5555/f${n}`);
const ENDPOINTS = ['handles', 'doiRA', 'metadata', 'agency', 'handles'] as const;
const sample = (seed: number) => fc.sample(cases, { seed, numRuns: 20 });
const responses = (seed: number) =>
  names.map((name, n) => {
    const { body, ...response } = responseOf(seed, ENDPOINTS[n % ENDPOINTS.length] ?? 'handles', [
      name,
      `${name}b`,
    ]);
    return { ...response, body: body.toString('latin1') };
  });

test('the same seed gives the same cases, and another seed gives other cases', () => {
  expect(sample(7)).toEqual(sample(7));
  expect(sample(7)).not.toEqual(sample(8));
});

test('the same seed gives the same responses, and another seed gives other responses', () => {
  expect(responses(7)).toEqual(responses(7));
  expect(responses(7)).not.toEqual(responses(8));
});

test('a directory sends all kinds of responses: whole, cut, huge, reset, invalid HTTP, late, with canaries', () => {
  const all = [...responses(1), ...responses(2), ...responses(3)];
  const kinds = new Set(all.map(({ kind }) => kind));
  const expected = [
    'record',
    'odd record',
    'code',
    'odd JSON',
    'agencies',
    'odd agencies',
    'cut',
    'status',
    'bytes',
    'huge',
    'reset',
    'no HTTP',
    'redirect',
    'metadata',
    'odd metadata',
    'text',
    'HTML',
    'not compressed',
    'limits',
    'deep',
  ];
  expect([...kinds].toSorted()).toEqual(expected.toSorted());
  expect(all.some(({ waitMs }) => waitMs > 300)).toBe(true);
  expect(all.filter(({ body }) => body.includes(CANARY)).length).toBeGreaterThan(50);
});

test('each endpoint gets requests, and a case can be stored as JSON', () => {
  const requests = fc.sample(cases, { seed: 1, numRuns: 200 }).flat();
  const starts = [
    '/graphql',
    '/api/handles/',
    '/doiRA/',
    '/10.5555/',
    '/readyz',
    '/metrics',
    '/?doi=',
    '/inspector/',
    '/mcp',
    '/jobs',
    '/jobs?',
    `/jobs/${CASE_JOB_ID}/result`,
    '/schema.graphql',
    '/openapi.json',
    '/llms.txt',
  ];
  for (const start of starts) expect(requests.some(({ target }) => target.startsWith(start))).toBe(true);
  expect(requests.some(({ bytes }) => bytes.includes('@defer'))).toBe(true);
  expect(requests.some(({ kind }) => kind === 'bytes')).toBe(true);
  expect(JSON.parse(JSON.stringify(requests))).toEqual(requests);
});
