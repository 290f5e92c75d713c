// Rules of GET /api/handles/{name} that wire.json does not have.

import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import type { RecordBehaviour } from '../../support/fake-directory.ts';
import { testTable } from '../../support/test-table.ts';
import { startRest, value } from './rest-gateway.ts';

const RECORDS = { '10.1000/1': [value('URL', 'https://example.org/', 1), value('DESC', 'Ä\u2028\u2029', 2)] };
const API = '/api/handles/10.1000/1';
const JSON_TYPE = 'application/json;charset=utf-8';

const start = () => startRest({ records: RECORDS });

describe('callback', () => {
  testTable<[string, string | RegExp]>([
    ['f', 'f('],
    ['jQuery_1', 'jQuery_1('],
    ['a.b[0]', 'a_b_0_('],
    ['%3Cscript%3Ealert(1)%3C/script%3E', '_script_alert_1___script_('],
    ['<script>', '_script_('],
    ['f%0D%0A%2F*', 'f____('],
    ['a+b', 'a_b('],
    ['%C3%A9%F0%9F%98%80', /^_{2,3}\($/],
    ['', '('],
  ])('%s calls a function with a plain name', async (callback, begin) => {
    const { get } = await start();
    const { status, headers, body } = await get(`${API}?callback=${callback}&type=URL`);
    expect([status, headers['content-type'], headers['x-content-type-options']]).toEqual([
      200,
      'application/javascript;charset=utf-8',
      'nosniff',
    ]);
    const values = RECORDS['10.1000/1'].slice(0, 1);
    const end = `${JSON.stringify({ responseCode: 1, handle: '10.1000/1', values })});`;
    expect(body.endsWith(end)).toBe(true);
    const found = body.slice(0, -end.length);
    if (typeof begin === 'string') expect(found).toBe(begin);
    else expect(found).toMatch(begin);
  });

  testTable<[string, number, RegExp]>([
    [`${API}?callback`, 200, /^\(\{.*\}\);$/],
    [`${API}?callback=a&callback=b`, 200, /^a\(/],
    [`${API}?callback=&callback=b`, 200, /^\(/],
    ['/api/handles/10.1000/2?callback=f', 404, /^f\(\{"responseCode":100,"handle":"10.1000\/2"\}\);$/],
    ['/api/10.1000/1?callback=f', 404, /^f\(\{/],
    [`${API}?index=x&callback=f`, 400, /^f\(\{/],
  ])('uses the first value and keeps the status: %s', async (target, status, body) => {
    const { get } = await start();
    expect(await get(target)).toMatchObject({ status, body: expect.stringMatching(body) });
  });
});

describe('a flag', () => {
  testTable([
    ['pretty', true],
    ['pretty=', true],
    ['pretty=true', true],
    ['pretty=yes', true],
    ['pretty=YES', true],
    ['pretty=True', true],
    ['pretty=true&pretty=false', true],
    ['&&pretty', true],
    ['p%72etty=tru%65', true],
    ['', false],
    ['pretty=false', false],
    ['pretty=1', false],
    ['pretty=y', false],
    ['pretty=on', false],
    ['pretty=false&pretty=true', false],
    ['Pretty', false],
    ['pretty=%zz', false],
  ])('is set if its value is empty, true or yes: %s is %s', async (query, isPretty) => {
    const { get } = await start();
    const { body } = await get(`${API}?${query}`);
    expect(body).toMatch(isPretty ? /^\{\n {2}"responseCode": 1,\n/ : /^\{"responseCode":1,/);
  });

  testTable([
    ['', false, false],
    ['?auth', true, false],
    ['?cert=Yes&auth=no', false, true],
    ['?auth=true&cert=yes', true, true],
  ])('for the directory goes to the directory: %s', async (query, auth, cert) => {
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
  ])('?%s selects the values %j', async (query, indexes) => {
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
    ...['', 'x', '1x', '1.0', '1e3', '0x1', ' 1', '2147483648', '-2147483649'],
    ...['9'.repeat(400), '+', '%2B', '１', '1&index='],
  ])('are refused with responseCode 4 if the index is %j', async (index) => {
    const { get, calls } = await start();
    const { status, headers, body } = await get(`${API}?index=${encodeURI(index)}`);
    expect([status, headers['content-type']]).toEqual([400, JSON_TYPE]);
    expect(JSON.parse(body)).toMatchObject({ responseCode: 4, handle: '10.1000/1' });
    expect(calls.resolve).toEqual([]);
  });
});

describe('a target', () => {
  testTable([
    ['/API/Handles/10.1000/1', '10.1000/1'],
    ['/api/handles/doi:10.1000/1', 'doi:10.1000/1'],
    ['/api/handles/%20a%20', ' a '],
    ['/api/handles/abc', 'abc'],
    ['/api/handles//x', '/x'],
    ['/api/handles/10.1000%2F..%2F./a', '10.1000/.././a'],
    ['/api/handles/a%E2%80%A8%00"', 'a\u2028\u0000"'],
  ])('%s looks up the name %j as the target writes it', async (target, name) => {
    const { get, lookedUp } = await start();
    const { body } = await get(target);
    expect(lookedUp()).toEqual([name]);
    expect(JSON.parse(body)).toMatchObject({ handle: name });
    expect(body).not.toMatch(/[\u2028\u2029]/);
  });

  testTable<[string, number, number]>([
    ['/api/handles', 400, 102],
    ['/api/handles/', 400, 102],
    ['/api/handles?pretty=false', 400, 102],
    ['/api/handles/10.1000/%', 400, 102],
    ['/api/handles/10.1000/%zz', 400, 102],
    ['/api/handles/10.1000/%ff', 400, 102],
    ['/api/handles/%ED%A0%80/1', 400, 102],
    ['/api/', 404, 4],
    ['/api/other', 404, 4],
    ['/api/handlesx/10.1000/1', 404, 4],
    ['/Api/10.1000/1', 404, 4],
    ['/api/handles%2F10.1000/1', 404, 4],
  ])('%s is refused with %d and responseCode %d', async (target, code, responseCode) => {
    const { get, calls } = await start();
    const { status, headers, body } = await get(target);
    expect([status, headers['content-type']]).toEqual([code, JSON_TYPE]);
    expect(JSON.parse(body)).toMatchObject({ responseCode });
    expect(calls.resolve).toEqual([]);
  });
});

describe('an error', () => {
  testTable<[RecordBehaviour, number, number]>([
    [2, 500, 2],
    [3, 503, 3],
    [7, 503, 7],
    [4, 400, 4],
    [102, 400, 102],
    [301, 400, 301],
    [302, 300, 302],
    [999, 500, 999],
    [new GatewayError('UPSTREAM_TIMEOUT'), 500, 2],
    [new GatewayError('UPSTREAM_UNAVAILABLE', { cause: 'secret' }), 500, 2],
    [new GatewayError('UPSTREAM_RATE_LIMITED'), 500, 2],
    [new GatewayError('UPSTREAM_BAD_RESPONSE'), 500, 2],
  ])(
    'of the directory (%s) has the status %d and the responseCode %d',
    async (behaviour, code, responseCode) => {
      const { get } = await startRest({ records: { '10.1000/1': behaviour } });
      const { status, headers, body } = await get(API);
      expect([status, headers['content-type']]).toEqual([code, JSON_TYPE]);
      expect(JSON.parse(body)).toEqual({
        responseCode,
        handle: '10.1000/1',
        message: expect.stringMatching(/\w/),
      });
      expect(body).not.toContain('secret');
    },
  );

  test('of the gateway is JSON without details', async () => {
    const { get } = await startRest({ records: { '10.1000/1': new Error('secret') } });
    const { status, headers, body } = await get(API);
    expect([status, headers['content-type']]).toEqual([500, JSON_TYPE]);
    expect(body).not.toContain('secret');
  });
});
