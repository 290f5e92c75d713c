// The rules of the fuzzer find faults in invalid responses, and no faults in valid responses.

import { describe, expect, test } from 'vitest';
import { API_KEY, CANARIES, CANARY, outputFaults, PASSWORD } from '../../../checks/fuzz/canaries.ts';
import { faultsOf } from '../../../checks/fuzz/faults.ts';
import type { FuzzRequest } from '../../../checks/fuzz/whole-request.ts';

const JSON_TYPE = 'application/json;charset=utf-8';
const NOSNIFF = 'X-Content-Type-Options: nosniff\r\n';
const SAVED = 'Content-Disposition: attachment; filename="x"\r\n';
const JOB = `/jobs/${'a'.repeat(24)}`;
const FAULT = 'Something went wrong in the gateway. The error has been logged.';

function requestTo(target: string, bytes = ''): FuzzRequest {
  return { kind: 'whole', method: 'GET', target, bytes };
}

function response(body: string, { status = 200, type = JSON_TYPE, more = '' } = {}): Buffer {
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
  response(`${all.map(part).join('')}\r\n-----\r\n`, { type: 'multipart/mixed; boundary="-"' });

describe('the rules find no fault in', () => {
  test.each([
    ['data', '/graphql', response('{"data":{"a":1}}')],
    [
      'an error with a code',
      '/graphql',
      response('{"errors":[{"message":"x","extensions":{"code":"INVALID_DOI"}}]}'),
    ],
    ['a record', '/api/handles/10.1/a', response('{"responseCode":1,"handle":"10.1/a","values":[]}')],
    [
      'a failed resolution',
      '/api/handles/10.1/a',
      response('{"responseCode":2,"handle":"a"}', { status: 500 }),
    ],
    [
      'a failed resolution in a script',
      '/api/handles/10.1/a?callback=f',
      response('f({"responseCode":2,"handle":"a"});', { status: 500, type: 'application/javascript' }),
    ],
    ['agencies', '/doiRA/10.1', response('[{"DOI":"10.1","RA":"x"},{"DOI":"","status":"Invalid DOI"}]')],
    [
      'parts',
      '/graphql',
      parts('{"data":{},"hasNext":true}', '{"incremental":[{"items":[]}],"hasNext":false}'),
    ],
    ['a message', '/mcp', response('{"jsonrpc":"2.0","id":1,"result":{}}')],
    [
      'messages as events',
      '/mcp',
      response('event: message\ndata: {"jsonrpc":"2.0","error":{"code":-32602,"message":"x"}}\n\n', {
        type: 'text/event-stream',
      }),
    ],
    ['a job', JOB, response('{"state":"done","rows":1,"rowsDone":1}', { more: NOSNIFF })],
    [
      'a part of a result',
      `${JOB}/result`,
      response('ab', {
        status: 206,
        type: 'text/csv',
        more: `${NOSNIFF}${SAVED}Content-Range: bytes 0-1/9\r\n`,
      }),
    ],
    ['a title', '/graphql', response('{"data":{"titleHtml":"<i>a</i> &lt;b <sub>2</sub>"}}')],
    [
      'a redirect',
      '/10.1/a',
      response('', { status: 302, type: 'text/html', more: 'Location: ftp://example.org/\r\n' }),
    ],
    [
      'a redirect here',
      '/10.1/a',
      response('', { status: 301, type: 'text/html', more: 'Location: /10.1/b\r\n' }),
    ],
  ])('%s', (_, target, received) => {
    expect(rulesBroken(requestTo(target), received)).toEqual([]);
  });

  test('a canary that the client sent itself', () => {
    expect(rulesBroken(requestTo('/', CANARY), response(`"${CANARY}"`))).toEqual([]);
  });

  test('an API key that the client sent in another header than Authorization', () => {
    const sent = `GET / HTTP/1.1\r\ncontent-encoding: Bearer ${API_KEY}\r\n\r\n`;
    expect(rulesBroken(requestTo('/', sent), response(`"${API_KEY}"`))).toEqual([]);
  });

  test('bytes that are not a request and get no complete response', () => {
    const request: FuzzRequest = { ...requestTo(''), kind: 'bytes' };
    for (const received of [Buffer.alloc(0), response('{}').subarray(0, -1)]) {
      expect(faultsOf(request, { received, ending: 'reset' })).toEqual([]);
    }
  });
});

test.each<[string, string, Buffer]>([
  ...CANARIES.map((canary): [string, string, Buffer] => ['no canary', '/', response(`{"a":"${canary}"}`)]),
  ['no API key', '/', response('{}', { more: `X-Key: ${API_KEY}\r\n` })],
  ['no canary', '/', response('{}', { more: `X-Path: /tmp/${CANARY}\r\n` })],
  ['no internal error', '/', response(`<p>${FAULT}</p>`, { type: 'text/html' })],
  [
    'no internal error',
    '/graphql',
    response('{"errors":[{"message":"x","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}'),
  ],
  ['no internal error', '/healthz', response('', { status: 500 })],
  ['no stack', '/', response('x\n    at f (file:///a.js:1:1)', { type: 'text/plain' })],
  ['JSON is JSON', '/readyz', response('{')],
  ['GraphQL has its shape', '/graphql?query=x', response('{"data":{},"debug":1}')],
  ['GraphQL has its shape', '/graphql', response('{}')],
  ['GraphQL has its shape', '/graphql', response('{"errors":[{"message":"x"}]}')],
  ['GraphQL has its shape', '/graphql', response('{"errors":[]}')],
  ['parts have their shape', '/graphql', parts('{"data":{},"hasNext":true}')],
  [
    'parts have their shape',
    '/graphql',
    parts('{"data":{},"hasNext":true}', '{"incremental":[{"errors":[{}]}]}'),
  ],
  ['parts have their shape', '/graphql', parts()],
  ['records have their shape', '/api/handles/10.1/a', response('{"responseCode":"1"}')],
  ['agencies have their shape', '/ra/10.1', response('[{"DOI":"10.1"}]')],
  ['agencies have their shape', '/doiRA/10.1', response('{}')],
  [
    'redirects lead only to harmless addresses',
    '/10.1/a',
    response('', { status: 302, more: 'Location: javascript:alert(1)\r\n' }),
  ],
  [
    'redirects lead only to harmless addresses',
    '/10.1/a',
    response('', { status: 302, more: 'Location: //evil.example/\r\n' }),
  ],
  ['no query adds a header', '/', response('{}', { more: 'X-Injected: 1\r\n' })],
  ['the status is an expected one', '/', response('', { status: 299 })],
  ['messages have their shape', '/mcp', response('{"jsonrpc":"2.0","id":1}')],
  ['messages have their shape', '/mcp', response('{"id":1,"result":{}}')],
  ['messages have their shape', '/mcp', response('{"jsonrpc":"2.0","error":{"code":"x","message":"x"}}')],
  ['messages have their shape', '/mcp', response('data: {}\n\n', { type: 'text/event-stream' })],
  ['pages of other origins cannot read jobs', '/jobs', response('{}')],
  [
    'pages of other origins cannot read jobs',
    '/jobs',
    response('{}', { more: `${NOSNIFF}Access-Control-Allow-Origin: *\r\n` }),
  ],
  ['a result is an attachment of the stated length', `${JOB}/result`, response('a', { more: NOSNIFF })],
  [
    'a result is an attachment of the stated length',
    `${JOB}/result`,
    response('a', { status: 206, more: `${NOSNIFF}${SAVED}Content-Range: bytes 0-1/2\r\n` }),
  ],
  ['a job has its shape', JOB, response('{"state":"done","rows":1,"rowsDone":2}', { more: NOSNIFF })],
  ['titles contain only harmless markup', '/graphql', response('{"data":{"titleHtml":"<i>a</i><img>"}}')],
  ['one response', '/', Buffer.concat([response('{}'), response('{}')])],
  ['one response', '/', Buffer.alloc(0)],
  ['responses are HTTP', '/', Buffer.from('nonsense\r\n\r\n')],
  ['responses are HTTP', '/', response('{}').subarray(0, -1)],
  ['responses are HTTP', '/', response('{}', { more: 'no header\r\n' })],
  ['responses are HTTP', '/', response('{}', { more: 'Content-Encoding: br\r\n' })],
])('the rule "%s" finds the fault in a response to %s', (rule, target, received) => {
  expect(rulesBroken(requestTo(target), received)).toContain(rule);
});

test('a response with the API key of its request is faulty', () => {
  const sent = `GET / HTTP/1.1\r\nauthorization: Bearer ${API_KEY}\r\n\r\n`;
  expect(rulesBroken(requestTo('/', sent), response(`"${API_KEY}"`))).toEqual(['no API key']);
});

test.each(['reset', 'refused', 'late'] as const)(
  'the response to a whole request is faulty if its connection is %s',
  (ending) => {
    const faults = faultsOf(requestTo('/'), { received: response('{}'), ending });
    expect(faults.map(({ rule }) => rule)).toEqual(['a whole response in time']);
  },
);

test('the log may contain lines of lower levels than error, but no secret and no id of a job', () => {
  const line = (level: number, more = '') => `${JSON.stringify({ level, msg: more })}\n`;
  expect(outputFaults(line(30) + line(40, CANARY), ['a-job'])).toEqual([]);
  const wrong = [line(50), 'no JSON\n', line(30, PASSWORD), line(30, '/jobs/a-job')];
  for (const output of wrong) expect(outputFaults(output, ['a-job'])).toHaveLength(1);
});
