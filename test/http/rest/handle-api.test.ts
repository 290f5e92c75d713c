// GET /api/handles/{name}: what the rows of wire.json do not say.

import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import type { RecordBehaviour } from '../../support/fake-directory.ts';
import { testTable } from '../../support/test-table.ts';
import { startRest, url, value } from './rest-gateway.ts';

const RECORDS = { '10.1000/1': [value('URL', 'https://example.org/', 1), value('DESC', 'Ä\u2028\u2029', 2)] };
const API = '/api/handles/10.1000/1';
const JSON_TYPE = 'application/json;charset=utf-8';

const start = () => startRest({ records: RECORDS });

describe('callback', () => {
  testTable([
    ['f', 'f('],
    ['jQuery_1', 'jQuery_1('],
    ['a.b[0]', 'a_b_0_('],
    ['%3Cscript%3Ealert(1)%3C/script%3E', '_script_alert_1___script_('],
    ['<script>', '_script_('],
    ['f%0D%0A%2F*', 'f____('],
    ['a+b', 'a_b('],
    ['%C3%A9%F0%9F%98%80', /^_{2,3}\(/],
    ['', '('],
  ])('%s is made a name and nothing else', async (callback, begin) => {
    const { get } = await start();
    const { status, headers, body } = await get(`${API}?callback=${callback}&type=URL`);
    expect([status, headers['content-type'], headers['x-content-type-options']]).toEqual([
      200,
      'application/javascript;charset=utf-8',
      'nosniff',
    ]);
    const json = JSON.stringify({
      responseCode: 1,
      handle: '10.1000/1',
      values: RECORDS['10.1000/1'].slice(0, 1),
    });
    expect(body.endsWith(`(${json});`)).toBe(true);
    const before = body.slice(0, -`${json});`.length);
    if (typeof begin === 'string') expect(before).toBe(begin);
    else expect(before).toMatch(begin);
  });

  test('that stands alone gives a bracket, of several the first counts, and the status is kept', async () => {
    const { get } = await start();
    expect((await get(`${API}?callback`)).body).toMatch(/^\(\{.*\}\);$/);
    expect((await get(`${API}?callback=a&callback=b`)).body).toMatch(/^a\(/);
    expect((await get(`${API}?callback=&callback=b`)).body).toMatch(/^\(/);
    expect(await get('/api/handles/10.1000/2?callback=f')).toMatchObject({
      status: 404,
      body: 'f({"responseCode":100,"handle":"10.1000/2"});',
    });
    expect(await get('/api/10.1000/1?callback=f')).toMatchObject({
      status: 404,
      body: expect.stringMatching(/^f\(\{/),
    });
    expect(await get(`${API}?index=x&callback=f`)).toMatchObject({
      status: 400,
      body: expect.stringMatching(/^f\(\{/),
    });
  });
});

describe('a flag', () => {
  const pretty = /^\{\n {2}"responseCode": 1,\n/;

  testTable([
    'pretty',
    'pretty=',
    'pretty=true',
    'pretty=yes',
    'pretty=YES',
    'pretty=True',
    'pretty=true&pretty=false',
    '&&pretty',
    'p%72etty=tru%65',
  ])('is on: %s', async (query) => {
    const { get } = await start();
    expect((await get(`${API}?${query}`)).body).toMatch(pretty);
  });

  testTable([
    '',
    'pretty=false',
    'pretty=1',
    'pretty=y',
    'pretty=on',
    'pretty=false&pretty=true',
    'Pretty',
    'pretty=%zz',
  ])('is off: %s', async (query) => {
    const { get } = await start();
    expect((await get(`${API}?${query}`)).body).toMatch(/^\{"responseCode":1,/);
  });

  testTable([
    ['', false, false],
    ['?auth', true, false],
    ['?cert=Yes&auth=no', false, true],
    ['?auth=true&cert=yes', true, true],
  ])('for the directory is passed on: %s', async (query, auth, cert) => {
    const { get, calls } = await start();
    await get(`${API}${query}`);
    expect(calls.resolve).toEqual([{ name: '10.1000/1', auth, cert }]);
  });
});

describe('type and index', () => {
  testTable([
    ['index=%2B1', [1]],
    ['index=+1', [1]],
    ['index=01', [1]],
    ['index=1&index=2', [1, 2]],
    ['index=2&type=URL', [1, 2]],
    ['type=url', [1]],
    ['type=URL.', [1]],
    ['type=DE%53C', [2]],
    ['index=-1', []],
    ['index=3', []],
    ['index=-2147483648', []],
    ['type=', []],
    ['type=U+L', []],
    ['type=URL&type=', [1]],
  ])('?%s selects %j', async (query, indexes) => {
    const { get } = await start();
    const { status, body } = await get(`${API}?${query}`);
    const { responseCode, values } = JSON.parse(body) as {
      responseCode: number;
      values: { index: number }[];
    };
    expect(values.map(({ index }) => index)).toEqual(indexes);
    expect([status, responseCode]).toEqual([200, indexes.length > 0 ? 1 : 200]);
    if (indexes.length === 0) expect(body).toBe('{"responseCode":200,"values":[],"handle":"10.1000/1"}');
  });

  testTable([
    '',
    'x',
    '1x',
    '1.0',
    '1e3',
    '0x1',
    ' 1',
    '2147483648',
    '-2147483649',
    '9'.repeat(400),
    '+',
    '%2B',
    '１',
    '1&index=',
  ])('an index that is %j is responseCode 4', async (index) => {
    const { get, calls } = await start();
    const { status, headers, body } = await get(`${API}?index=${encodeURI(index)}`);
    expect([status, headers['content-type']]).toEqual([400, JSON_TYPE]);
    expect(JSON.parse(body)).toMatchObject({ responseCode: 4, handle: '10.1000/1' });
    expect(calls.resolve).toEqual([]);
  });
});

describe('a name', () => {
  testTable([
    '/api/handles',
    '/api/handles/',
    '/api/handles?pretty=false',
    '/api/handles/10.1000/%',
    '/api/handles/10.1000/%zz',
    '/api/handles/10.1000/%ff',
    '/api/handles/%ED%A0%80/1',
  ])('that cannot be read is responseCode 102: %s', async (target) => {
    const { get, calls } = await start();
    const { status, headers, body } = await get(target);
    expect([status, headers['content-type']]).toEqual([400, JSON_TYPE]);
    expect(JSON.parse(body)).toMatchObject({ responseCode: 102 });
    expect(calls.resolve).toEqual([]);
  });

  testTable([
    ['/API/Handles/10.1000/1', '10.1000/1'],
    ['/api/handles/doi:10.1000/1', 'doi:10.1000/1'],
    ['/api/handles/%20a%20', ' a '],
    ['/api/handles/abc', 'abc'],
    ['/api/handles//x', '/x'],
    ['/api/handles/10.1000%2F..%2F./a', '10.1000/.././a'],
    ['/api/handles/a%E2%80%A8%00"', 'a\u2028\u0000"'],
  ])('is looked up as it is: %s', async (target, name) => {
    const { get, asked } = await start();
    const { body } = await get(target);
    expect(asked()).toEqual([name]);
    expect(JSON.parse(body)).toMatchObject({ handle: name });
    expect(body).not.toMatch(/[\u2028\u2029]/);
  });

  testTable(['/api/', '/api/other', '/api/handlesx/10.1000/1', '/Api/10.1000/1', '/api/handles%2F10.1000/1'])(
    'is no other API: %s',
    async (target) => {
      const { get, calls } = await start();
      const { status, headers, body } = await get(target);
      expect([status, headers['content-type']]).toEqual([404, JSON_TYPE]);
      expect(JSON.parse(body)).toMatchObject({ responseCode: 4 });
      expect(calls.resolve).toEqual([]);
    },
  );
});

describe('what keeps the gateway from an answer', () => {
  testTable<[string, RecordBehaviour, number, number]>([
    ['error 2', 2, 500, 2],
    ['error 3', 3, 503, 3],
    ['error 7', 7, 503, 7],
    ['error 4', 4, 400, 4],
    ['error 102', 102, 400, 102],
    ['error 301', 301, 400, 301],
    ['referral 302', 302, 300, 302],
    ['an error nobody knows', 999, 500, 999],
    ['UPSTREAM_TIMEOUT', new GatewayError('UPSTREAM_TIMEOUT'), 500, 2],
    ['UPSTREAM_UNAVAILABLE', new GatewayError('UPSTREAM_UNAVAILABLE', { cause: 'secret' }), 500, 2],
    ['UPSTREAM_RATE_LIMITED', new GatewayError('UPSTREAM_RATE_LIMITED'), 500, 2],
    ['UPSTREAM_BAD_RESPONSE', new GatewayError('UPSTREAM_BAD_RESPONSE'), 500, 2],
  ])('is a response code: %s', async (_, behaviour, status, responseCode) => {
    const { get } = await startRest({ records: { '10.1000/1': behaviour } });
    const answer = await get(API);
    expect([answer.status, answer.headers['content-type']]).toEqual([status, JSON_TYPE]);
    expect(JSON.parse(answer.body)).toEqual({
      responseCode,
      handle: '10.1000/1',
      message: expect.stringMatching(/\w/),
    });
    expect(answer.body).not.toContain('secret');
  });

  test('is JSON also where nobody thought of it, and says nothing of it', async () => {
    const { get } = await startRest({ records: { '10.1000/1': new Error('secret') } });
    const answer = await get(API);
    expect(answer.status).toBe(500);
    expect(answer.body).not.toContain('secret');
    expect(answer.headers['content-type']).toBe(JSON_TYPE);
  });

  test('is a page on the face for people', async () => {
    const { get } = await startRest({
      records: { '10.1000/1': 2, '10.1000/2': new Error('secret'), '10.1000/3': url('x') },
    });
    for (const [target, status] of [
      ['/10.1000/1', 503],
      ['/10.1000/2', 500],
    ] as const) {
      const answer = await get(target);
      expect([answer.status, answer.headers['content-type']]).toEqual([status, 'text/html;charset=utf-8']);
      expect(answer.body).not.toContain('secret');
    }
    expect((await get('/10.1000/3')).status).toBe(200);
  });
});
