// What a proxy answers to the question for a record: a record, or a failure with a code of the error table.

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
  test('found, with HTTP status 200', async () => {
    expect(await resolving(200, found)).toMatchObject({ status: 'SUCCESS', handle: name, fetchedAt: NOW });
  });

  test('absent, with HTTP status 404 and JSON', async () => {
    expect(await resolving(404, absent)).toMatchObject({
      status: 'HANDLE_NOT_FOUND',
      handle: name,
      values: [],
    });
  });

  test('without values, with HTTP status 200', async () => {
    const body = JSON.stringify({ responseCode: 200, values: [], handle: name });
    expect(await resolving(200, body)).toMatchObject({
      status: 'VALUES_NOT_FOUND',
      handle: name,
      values: [],
    });
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
  ])('of status ERROR, with HTTP status %d and response code %d', async (status, responseCode) => {
    const body = JSON.stringify({ responseCode, handle: name, message: 'Internal words' });
    const record = await resolving(status, body);
    expect(record).toMatchObject({ status: 'ERROR', responseCode, handle: name, values: [] });
    expect(record.freshUntil).toBe(NOW);
    expect(record.message).not.toContain('Internal words');
  });

  test('of status ERROR also without an echo', async () => {
    expect(await resolving(500, '{"responseCode":2}')).toMatchObject({ status: 'ERROR', handle: name });
  });
});

describe('without the JSON of an answer the status alone is believed', () => {
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
  ])('%d with the body %j and the headers %j', async (status, body, headers, code) => {
    expect(await codeOf(status, body, headers)).toBe(code);
  });
});

describe('too many requests', () => {
  testTable([
    ['HTML', HTML, html],
    ['JSON', '{"message":"slow down"}', {}],
    ['broken JSON', '{"message":', {}],
    ['nothing', '', {}],
  ])('with %s and Retry-After in seconds says when to come again', async (_, body, headers) => {
    const failure = await failureOf(resolving(429, body, { ...headers, 'retry-after': '120' }));
    expect(failure).toMatchObject({ code: 'UPSTREAM_RATE_LIMITED', retryable: true });
    expect(failure.details).toEqual({ retryAfterSeconds: 120 });
  });

  test('with Retry-After as a date says how many seconds that is from now', async () => {
    const inTwoMinutes = new Date(Date.now() + 120_000).toUTCString();
    const { details } = await failureOf(resolving(429, HTML, { ...html, 'retry-after': inTwoMinutes }));
    expect(details['retryAfterSeconds']).toSatisfy(
      (seconds) => Number.isInteger(seconds) && seconds > 90 && seconds <= 120,
    );
  });

  test('with a date that is past may come again at once', async () => {
    const past = new Date(0).toUTCString();
    const { details } = await failureOf(resolving(429, HTML, { ...html, 'retry-after': past }));
    expect(details).toEqual({ retryAfterSeconds: 0 });
  });

  testTable([{}, { 'retry-after': 'soon' }, { 'retry-after': '-5' }, { 'retry-after': '' }])(
    'with the headers %j says nothing of when',
    async (headers) => {
      const failure = await failureOf(resolving(429, HTML, { ...html, ...headers }));
      expect(failure.code).toBe('UPSTREAM_RATE_LIMITED');
      expect(failure.details).toEqual({});
    },
  );
});

describe('a body is believed only when', () => {
  testTable([
    'application/json',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'Application/JSON ; charset="utf-8"',
  ])('its type is JSON, such as %s', async (contentType) => {
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
  ])('its type is not %j', async (contentType) => {
    expect(await codeOf(200, found, { 'content-type': contentType })).toBe('UPSTREAM_BAD_RESPONSE');
  });

  testTable([
    ['nothing', ''],
    ['a page', HTML],
    ['cut off', found.slice(0, -1)],
    ['JSONP', `processResponse(${found});`],
    ['an array', `[${found}]`],
    ['null', 'null'],
    ['an empty object', '{}'],
    ['a value short of its index', found.replace('"index":1', '"indix":1')],
    ['an index of 33 bits', found.replace('"index":1', '"index":4294967297')],
    ['a ttl of 33 bits', found.replace('86400', '4294967297')],
    ['a number of 1e400', found.replace('86400', '1e400')],
    ['the key __proto__', found.replace('"index"', '"__proto__":{},"index"')],
    ['100,000 levels', `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)},${found.slice(1)}`],
  ])('it is not %s', async (_, body) => {
    expect(await codeOf(200, body)).toBe('UPSTREAM_BAD_RESPONSE');
  });

  test('it is UTF-8, whatever charset it claims', async () => {
    const text = found.replace('example.org/', 'example.org/ü').replaceAll('é', String.raw`\u00e9`);
    for (const charset of ['utf-8', 'iso-8859-1']) {
      const headers = { 'content-type': `application/json;charset=${charset}` };
      expect(await resolving(200, Buffer.from(text), headers)).toMatchObject({ status: 'SUCCESS' });
      expect(await codeOf(200, Buffer.from(text, 'latin1'), headers)).toBe('UPSTREAM_BAD_RESPONSE');
      expect(await codeOf(200, Buffer.from(text, 'utf16le'), headers)).toBe('UPSTREAM_BAD_RESPONSE');
    }
  });

  test('it says a thing once, or the last time counts', async () => {
    const twice = found.replace('{', '{"responseCode":100,"handle":"10.5555/other","values":null,');
    expect(await resolving(200, twice)).toMatchObject({ status: 'SUCCESS', handle: name });
    expect(await codeOf(200, found.replace(/\}$/, ',"handle":"10.5555/other"}'))).toBe(
      'UPSTREAM_BAD_RESPONSE',
    );
  });
});

describe('the echo', () => {
  const answeredFor = (handle: string) => [404, JSON.stringify({ responseCode: 100, handle })] as const;

  test('may be in another Basic Latin case, the record is in the one that was asked for', async () => {
    expect(await resolving(...answeredFor('10.5555/AbC-é'))).toMatchObject({ handle: name });
  });

  testTable([
    '10.5555/other',
    '10.5555/abc-É',
    '10.5555/abc-e\u0301',
    '10.5555/abc',
    '',
    'doi:10.5555/abc-é',
  ])('is no %j, which is another name', async (handle) => {
    expect(await codeOf(...answeredFor(handle))).toBe('UPSTREAM_BAD_RESPONSE');
  });

  test('of another name is a failure also where the directory reports its own error', async () => {
    expect(await codeOf(500, '{"responseCode":2,"handle":"10.5555/other"}')).toBe('UPSTREAM_BAD_RESPONSE');
  });

  testTable([
    [200, '{"responseCode":1,"values":[]}'],
    [404, '{"responseCode":100}'],
  ])('is there in an answer with HTTP status %d', async (status, body) => {
    expect(await codeOf(status, body)).toBe('UPSTREAM_BAD_RESPONSE');
  });
});

describe('an HTTP status and a response code that do not belong together are no answer', () => {
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
  ])('%d and %d', async (status, responseCode) => {
    const body = JSON.stringify({ responseCode, handle: name, values: [wireValue()] });
    expect(await codeOf(status, body)).toBe('UPSTREAM_BAD_RESPONSE');
  });
});
