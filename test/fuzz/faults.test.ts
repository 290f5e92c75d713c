// The rules of the fuzzer find the faults of bad responses, and none in good responses.

import { describe, expect, test } from 'vitest';
import { API_KEY, CANARIES, CANARY, complaintsIn, PASSWORD } from '../../bench/fuzz/canaries.ts';
import { faultsOf } from '../../bench/fuzz/faults.ts';
import type { FuzzRequest } from '../../bench/fuzz/whole-request.ts';

const JSON_TYPE = 'application/json;charset=utf-8';
const NOSNIFF = 'X-Content-Type-Options: nosniff\r\n';
const SAVED = 'Content-Disposition: attachment; filename="x"\r\n';
const JOB = `/jobs/${'a'.repeat(24)}`;
const FAULT = 'Something went wrong in the gateway. The error has been logged.';

function asked(target: string, bytes = ''): FuzzRequest {
  return { kind: 'whole', method: 'GET', target, bytes };
}

function answer(body: string, { status = 200, type = JSON_TYPE, more = '' } = {}): Buffer {
  const length = Buffer.byteLength(body);
  return Buffer.from(
    `HTTP/1.1 ${status} X\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n${more}\r\n${body}`,
  );
}

function rulesBroken(request: FuzzRequest, received: Buffer): string[] {
  return faultsOf(request, { received, ending: 'closed' }).map(({ rule }) => rule);
}

const part = (json: string): string => `\r\n---\r\nContent-Type: application/json\r\n\r\n${json}`;
const parts = (...all: string[]): Buffer =>
  answer(`${all.map(part).join('')}\r\n-----\r\n`, { type: 'multipart/mixed; boundary="-"' });

describe('nothing is wrong with', () => {
  test.each([
    ['data', '/graphql', answer('{"data":{"a":1}}')],
    [
      'an error with a code',
      '/graphql',
      answer('{"errors":[{"message":"x","extensions":{"code":"INVALID_DOI"}}]}'),
    ],
    ['a record', '/api/handles/10.1/a', answer('{"responseCode":1,"handle":"10.1/a","values":[]}')],
    [
      'a failed resolution',
      '/api/handles/10.1/a',
      answer('{"responseCode":2,"handle":"a"}', { status: 500 }),
    ],
    [
      'a failed resolution in a script',
      '/api/handles/10.1/a?callback=f',
      answer('f({"responseCode":2,"handle":"a"});', { status: 500, type: 'application/javascript' }),
    ],
    ['agencies', '/doiRA/10.1', answer('[{"DOI":"10.1","RA":"x"},{"DOI":"","status":"Invalid DOI"}]')],
    [
      'parts',
      '/graphql',
      parts('{"data":{},"hasNext":true}', '{"incremental":[{"items":[]}],"hasNext":false}'),
    ],
    ['a message', '/mcp', answer('{"jsonrpc":"2.0","id":1,"result":{}}')],
    [
      'messages as events',
      '/mcp',
      answer('event: message\ndata: {"jsonrpc":"2.0","error":{"code":-32602,"message":"x"}}\n\n', {
        type: 'text/event-stream',
      }),
    ],
    ['a job', JOB, answer('{"state":"done","rows":1,"rowsDone":1}', { more: NOSNIFF })],
    [
      'a part of a result',
      `${JOB}/result`,
      answer('ab', {
        status: 206,
        type: 'text/csv',
        more: `${NOSNIFF}${SAVED}Content-Range: bytes 0-1/9\r\n`,
      }),
    ],
    ['a title', '/graphql', answer('{"data":{"titleHtml":"<i>a</i> &lt;b <sub>2</sub>"}}')],
    [
      'a redirect',
      '/10.1/a',
      answer('', { status: 302, type: 'text/html', more: 'Location: ftp://example.org/\r\n' }),
    ],
    [
      'a redirect here',
      '/10.1/a',
      answer('', { status: 301, type: 'text/html', more: 'Location: /10.1/b\r\n' }),
    ],
  ])('%s', (_, target, received) => {
    expect(rulesBroken(asked(target), received)).toEqual([]);
  });

  test('a canary that the client sent itself', () => {
    expect(rulesBroken(asked('/', CANARY), answer(`"${CANARY}"`))).toEqual([]);
  });

  test('an API key that the client sent where none belongs', () => {
    const sent = `GET / HTTP/1.1\r\ncontent-encoding: Bearer ${API_KEY}\r\n\r\n`;
    expect(rulesBroken(asked('/', sent), answer(`"${API_KEY}"`))).toEqual([]);
  });

  test('bytes that are no request and get half an answer, or none', () => {
    const request: FuzzRequest = { ...asked(''), kind: 'bytes' };
    for (const received of [Buffer.alloc(0), answer('{}').subarray(0, -1)]) {
      expect(faultsOf(request, { received, ending: 'reset' })).toEqual([]);
    }
  });
});

test.each<[string, string, Buffer]>([
  ...CANARIES.map((canary): [string, string, Buffer] => ['no canary', '/', answer(`{"a":"${canary}"}`)]),
  ['no API key', '/', answer('{}', { more: `X-Key: ${API_KEY}\r\n` })],
  ['no canary', '/', answer('{}', { more: `X-Path: /tmp/${CANARY}\r\n` })],
  ['no fault of ours', '/', answer(`<p>${FAULT}</p>`, { type: 'text/html' })],
  [
    'no fault of ours',
    '/graphql',
    answer('{"errors":[{"message":"x","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}'),
  ],
  ['no fault of ours', '/healthz', answer('', { status: 500 })],
  ['no stack', '/', answer('x\n    at f (file:///a.js:1:1)', { type: 'text/plain' })],
  ['JSON is JSON', '/readyz', answer('{')],
  ['GraphQL has its shape', '/graphql?query=x', answer('{"data":{},"debug":1}')],
  ['GraphQL has its shape', '/graphql', answer('{}')],
  ['GraphQL has its shape', '/graphql', answer('{"errors":[{"message":"x"}]}')],
  ['GraphQL has its shape', '/graphql', answer('{"errors":[]}')],
  ['parts have their shape', '/graphql', parts('{"data":{},"hasNext":true}')],
  [
    'parts have their shape',
    '/graphql',
    parts('{"data":{},"hasNext":true}', '{"incremental":[{"errors":[{}]}]}'),
  ],
  ['parts have their shape', '/graphql', parts()],
  ['records have their shape', '/api/handles/10.1/a', answer('{"responseCode":"1"}')],
  ['agencies have their shape', '/ra/10.1', answer('[{"DOI":"10.1"}]')],
  ['agencies have their shape', '/doiRA/10.1', answer('{}')],
  ['targets are harmless', '/10.1/a', answer('', { status: 302, more: 'Location: javascript:alert(1)\r\n' })],
  ['targets are harmless', '/10.1/a', answer('', { status: 302, more: 'Location: //evil.example/\r\n' })],
  ['no header from a query', '/', answer('{}', { more: 'X-Injected: 1\r\n' })],
  ['the status is a sane one', '/', answer('', { status: 299 })],
  ['messages have their shape', '/mcp', answer('{"jsonrpc":"2.0","id":1}')],
  ['messages have their shape', '/mcp', answer('{"id":1,"result":{}}')],
  ['messages have their shape', '/mcp', answer('{"jsonrpc":"2.0","error":{"code":"x","message":"x"}}')],
  ['messages have their shape', '/mcp', answer('data: {}\n\n', { type: 'text/event-stream' })],
  ['jobs are for nobody else’s pages', '/jobs', answer('{}')],
  [
    'jobs are for nobody else’s pages',
    '/jobs',
    answer('{}', { more: `${NOSNIFF}Access-Control-Allow-Origin: *\r\n` }),
  ],
  ['a result is saved, and as long as it says', `${JOB}/result`, answer('a', { more: NOSNIFF })],
  [
    'a result is saved, and as long as it says',
    `${JOB}/result`,
    answer('a', { status: 206, more: `${NOSNIFF}${SAVED}Content-Range: bytes 0-1/2\r\n` }),
  ],
  ['a job has its shape', JOB, answer('{"state":"done","rows":1,"rowsDone":2}', { more: NOSNIFF })],
  ['titles have harmless markup alone', '/graphql', answer('{"data":{"titleHtml":"<i>a</i><img>"}}')],
  ['one answer', '/', Buffer.concat([answer('{}'), answer('{}')])],
  ['one answer', '/', Buffer.alloc(0)],
  ['answers are HTTP', '/', Buffer.from('nonsense\r\n\r\n')],
  ['answers are HTTP', '/', answer('{}').subarray(0, -1)],
  ['answers are HTTP', '/', answer('{}', { more: 'no header\r\n' })],
  ['answers are HTTP', '/', answer('{}', { more: 'Content-Encoding: br\r\n' })],
])('%s: broken by %s', (rule, target, received) => {
  expect(rulesBroken(asked(target), received)).toContain(rule);
});

test('an API key does not come back to the client that sent it', () => {
  const sent = `GET / HTTP/1.1\r\nauthorization: Bearer ${API_KEY}\r\n\r\n`;
  expect(rulesBroken(asked('/', sent), answer(`"${API_KEY}"`))).toEqual(['no API key']);
});

test.each(['reset', 'refused', 'late'] as const)(
  'a whole request is not left with a connection that is %s',
  (ending) => {
    const faults = faultsOf(asked('/'), { received: answer('{}'), ending });
    expect(faults.map(({ rule }) => rule)).toEqual(['answered in time, and whole']);
  },
);

test('the log may hold lines below errors, and no secret', () => {
  const line = (level: number, more = '') => `${JSON.stringify({ level, msg: more })}\n`;
  expect(complaintsIn(line(30) + line(40, CANARY), ['a-job'])).toEqual([]);
  const wrong = [line(50), 'no JSON\n', line(30, PASSWORD), line(30, '/jobs/a-job')];
  for (const said of wrong) expect(complaintsIn(said, ['a-job'])).toHaveLength(1);
});
