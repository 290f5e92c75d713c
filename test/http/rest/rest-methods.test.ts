// Methods of the REST face.

import { expect } from 'vitest';
import { testTable } from '../../support/test-table.ts';
import { exchange, headerValues } from '../exchange.ts';
import { startRest, url } from './rest-gateway.ts';

const start = () => startRest({ records: { '10.1000/1': url('https://example.org/') } });

const TARGETS = [
  '/api/handles/10.1000/1',
  '/doiRA/10.1000/1',
  '/10.1000/1',
  '/10.1000/1?noredirect',
  '/10.1000/2',
  '/nothing',
  '/api/x',
];

testTable(TARGETS)('HEAD is GET without a body, and no response sets a cookie: %s', async (target) => {
  const { url: origin } = await start();
  const got = await exchange(origin + target);
  const head = await exchange(origin + target, { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([got.status, '']);
  const stable = ({ headers }: typeof got) =>
    headers.filter(([name]) => !['date', 'cache-control', 'x-request-id'].includes(name));
  expect(stable(head)).toEqual(stable(got));
  expect(headerValues(got, 'x-content-type-options')).toEqual(['nosniff']);
  expect(headerValues(got, 'set-cookie')).toEqual([]);
});

testTable(TARGETS)(
  'OPTIONS is a preflight, other methods get 405, and neither makes a look-up: %s',
  async (target) => {
    const { send, calls } = await start();
    const { status, headers, body } = await send('OPTIONS', target, {
      Origin: 'https://elsewhere.example',
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'x-any',
    });
    expect([status, body]).toEqual([204, '']);
    expect(headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS');
    expect(headers['access-control-allow-headers']).toBe('*, Authorization');
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'TRACE']) {
      const refused = await send(method, target);
      expect([refused.status, refused.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
    expect(calls).toEqual({ resolve: [], whichRa: [] });
  },
);
