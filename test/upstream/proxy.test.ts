// A look-up of a record ends with a record, or with a failure that has a code of the error table.

import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/errors.ts';
import { wireValue } from '../handle/wire.ts';
import { testTable } from '../support/test-table.ts';
import { answering, failureOf, handleName, NOW, startProxy } from './proxy-under-test.ts';

const name = handleName('10.5555/aBc-é');
const HTML = '<!DOCTYPE html><title>Something</title>';
const html = { 'content-type': 'text/html;charset=utf-8' };

const found = JSON.stringify({ responseCode: 1, handle: name, values: [wireValue()] });
const absent = JSON.stringify({ responseCode: 100, handle: name });

async function resolving(...response: Parameters<typeof answering>) {
  const { directory } = await startProxy(answering(...response));
  return directory.resolve(name);
}

async function codeOf(...response: Parameters<typeof answering>): Promise<ErrorCode> {
  return (await failureOf(resolving(...response))).code;
}

describe('an answer becomes a record', () => {
  test('with the time of the look-up', async () => {
    expect(await resolving(200, found)).toMatchObject({ status: 'SUCCESS', handle: name, fetchedAt: NOW });
  });

  testTable([
    [404, absent, 'HANDLE_NOT_FOUND'],
    [200, JSON.stringify({ responseCode: 200, values: [], handle: name }), 'VALUES_NOT_FOUND'],
  ])('for the HTTP status %d and the body %j, with the status %s', async (httpStatus, body, status) => {
    expect(await resolving(httpStatus, body)).toMatchObject({ status, handle: name, values: [] });
  });

  testTable([
    [500, 2],
    [503, 3],
    [503, 7],
    [400, 4],
    [400, 102],
    [400, 301],
    [300, 302],
    [300, 303],
    [401, 402],
    [403, 401],
    [403, 404],
    [502, 999],
  ])('with status ERROR for HTTP status %d and response code %d', async (status, responseCode) => {
    const body = JSON.stringify({ responseCode, handle: name, message: 'Internal words' });
    const record = await resolving(status, body);
    expect(record).toMatchObject({ status: 'ERROR', responseCode, handle: name, values: [] });
    expect(record.freshUntil).toBe(NOW);
    expect(record.message).not.toContain('Internal words');
  });

  test('with status ERROR even if the answer does not repeat the name', async () => {
    expect(await resolving(500, '{"responseCode":2}')).toMatchObject({ status: 'ERROR', handle: name });
  });
});

describe('without the JSON of an answer, only the HTTP status decides', () => {
  testTable<[number, string, Readonly<Record<string, string>>, ErrorCode]>([
    [200, HTML, html, 'UPSTREAM_BAD_RESPONSE'],
    [404, HTML, html, 'UPSTREAM_BAD_RESPONSE'],
    [400, HTML, html, 'UPSTREAM_BAD_RESPONSE'],
    [414, HTML, html, 'UPSTREAM_BAD_RESPONSE'],
    [403, HTML, html, 'UPSTREAM_UNAVAILABLE'],
    [500, HTML, html, 'UPSTREAM_UNAVAILABLE'],
    [502, HTML, html, 'UPSTREAM_UNAVAILABLE'],
    [503, '', html, 'UPSTREAM_UNAVAILABLE'],
    [429, HTML, html, 'UPSTREAM_RATE_LIMITED'],
    [404, HTML, {}, 'UPSTREAM_BAD_RESPONSE'],
    [500, HTML, {}, 'UPSTREAM_UNAVAILABLE'],
    [500, '', {}, 'UPSTREAM_UNAVAILABLE'],
    [500, '{}', {}, 'UPSTREAM_UNAVAILABLE'],
    [503, '{"error":"overloaded"}', {}, 'UPSTREAM_UNAVAILABLE'],
    [403, '{"error":"forbidden"}', {}, 'UPSTREAM_UNAVAILABLE'],
    [404, '{"error":"no such route"}', {}, 'UPSTREAM_BAD_RESPONSE'],
    [404, absent, html, 'UPSTREAM_BAD_RESPONSE'],
    [204, '', {}, 'UPSTREAM_BAD_RESPONSE'],
  ])(
    'the response with status %d, the body %j and the headers %j fails with %s',
    async (status, body, headers, code) => {
      expect(await codeOf(status, body, headers)).toBe(code);
    },
  );
});

testTable([
  ['HTML', HTML, html],
  ['JSON', '{"message":"slow down"}', {}],
  ['broken JSON', '{"message":', {}],
  ['nothing', '', {}],
])('the failure after a 429 with %s has the Retry-After of the response', async (_, body, headers) => {
  const failure = await failureOf(resolving(429, body, { ...headers, 'retry-after': '120' }));
  expect(failure).toMatchObject({ code: 'UPSTREAM_RATE_LIMITED', retryable: true });
  expect(failure.details).toEqual({ retryAfterSeconds: 120 });
});

describe('a body', () => {
  testTable([
    'application/json',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'Application/JSON ; charset="utf-8"',
  ])('with the content type %s is read', async (contentType) => {
    expect(await resolving(200, found, { 'content-type': contentType })).toMatchObject({ status: 'SUCCESS' });
  });

  testTable([
    'text/html',
    'text/plain',
    'application/javascript',
    'application/jsonp',
    'application/xml',
    '',
    'json',
  ])('with the content type %j is not read', async (contentType) => {
    expect(await codeOf(200, found, { 'content-type': contentType })).toBe('UPSTREAM_BAD_RESPONSE');
  });

  testTable([
    ['empty', ''],
    ['a page', HTML],
    ['cut off', found.slice(0, -1)],
    ['JSONP', `processResponse(${found});`],
    ['an array', `[${found}]`],
    ['an empty object', '{}'],
    ['a value without its index', found.replace('"index":1', '"indix":1')],
  ])('that is %s is a bad response', async (_, body) => {
    expect(await codeOf(200, body)).toBe('UPSTREAM_BAD_RESPONSE');
  });

  test('is UTF-8, whatever its charset parameter says', async () => {
    const text = found.replace('example.org/', 'example.org/ü').replaceAll('é', String.raw`\u00e9`);
    for (const charset of ['utf-8', 'iso-8859-1']) {
      const headers = { 'content-type': `application/json;charset=${charset}` };
      expect(await resolving(200, Buffer.from(text), headers)).toMatchObject({ status: 'SUCCESS' });
      expect(await codeOf(200, Buffer.from(text, 'latin1'), headers)).toBe('UPSTREAM_BAD_RESPONSE');
      expect(await codeOf(200, Buffer.from(text, 'utf16le'), headers)).toBe('UPSTREAM_BAD_RESPONSE');
    }
  });

  test('with a repeated key has the last value of this key', async () => {
    const twice = found.replace('{', '{"responseCode":100,"handle":"10.5555/other","values":null,');
    expect(await resolving(200, twice)).toMatchObject({ status: 'SUCCESS', handle: name });
    expect(await codeOf(200, found.replace(/\}$/, ',"handle":"10.5555/other"}'))).toBe(
      'UPSTREAM_BAD_RESPONSE',
    );
  });
});

describe('the name that an answer repeats', () => {
  const answeredFor = (handle: string) => [404, JSON.stringify({ responseCode: 100, handle })] as const;

  test('can differ in the case of Basic Latin letters, and the record keeps the letters of the look-up', async () => {
    expect(await resolving(...answeredFor('10.5555/AbC-é'))).toMatchObject({ handle: name });
  });

  testTable([
    '10.5555/other',
    '10.5555/abc-É',
    '10.5555/abc-e\u0301',
    '10.5555/abc',
    '',
    'doi:10.5555/abc-é',
  ])('must not be %j, which is another name', async (handle) => {
    expect(await codeOf(...answeredFor(handle))).toBe('UPSTREAM_BAD_RESPONSE');
  });

  test('of another name is a failure even if the directory reports its own error', async () => {
    expect(await codeOf(500, '{"responseCode":2,"handle":"10.5555/other"}')).toBe('UPSTREAM_BAD_RESPONSE');
  });

  testTable([
    [200, '{"responseCode":1,"values":[]}'],
    [404, '{"responseCode":100}'],
  ])('must not be missing from an answer with HTTP status %d', async (status, body) => {
    expect(await codeOf(status, body)).toBe('UPSTREAM_BAD_RESPONSE');
  });
});

testTable([
  [404, 1],
  [500, 1],
  [200, 100],
  [500, 100],
  [403, 100],
  [404, 200],
  [200, 2],
  [404, 2],
  [200, 3],
  [200, 102],
  [200, 999],
  [201, 1],
])('HTTP status %d does not fit response code %d', async (status, responseCode) => {
  const body = JSON.stringify({ responseCode, handle: name, values: [wireValue()] });
  expect(await codeOf(status, body)).toBe('UPSTREAM_BAD_RESPONSE');
});
