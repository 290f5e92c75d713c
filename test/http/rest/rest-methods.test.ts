// What is the same for all that the REST face answers: methods, and who may read it.

import { describe, expect, test } from 'vitest';
import { exchange, headerValues } from '../exchange.ts';
import { startRest, url } from './rest-gateway.ts';

const start = () => startRest({ records: { '10.1000/1': url('https://example.org/') } });

describe('on every face', () => {
  const faces = [
    '/api/handles/10.1000/1',
    '/doiRA/10.1000/1',
    '/10.1000/1',
    '/10.1000/1?noredirect',
    '/10.1000/2',
    '/nothing',
    '/api/x',
  ];

  test.each(faces)('HEAD %s is GET without a body', async (target) => {
    const { url: origin } = await start();
    const [got, headed] = [
      await exchange(origin + target),
      await exchange(origin + target, { method: 'HEAD' }),
    ];
    expect(headed).toMatchObject({ status: got.status, text: '' });
    const steady = (headers: typeof got.headers) =>
      headers.filter(([name]) => !['date', 'cache-control', 'x-request-id'].includes(name));
    expect(steady(headed.headers)).toEqual(steady(got.headers));
  });

  test.each(faces)('%s is open to all origins, and to no sniffing', async (target) => {
    const { url: origin } = await start();
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
      const answer = await exchange(origin + target, {
        method,
        headers: { Origin: 'https://elsewhere.example' },
      });
      expect(headerValues(answer, 'access-control-allow-origin')).toEqual(['*']);
      expect(headerValues(answer, 'access-control-allow-credentials')).toEqual([]);
      expect(headerValues(answer, 'x-content-type-options')).toEqual(['nosniff']);
      expect(headerValues(answer, 'set-cookie')).toEqual([]);
    }
  });

  test.each(faces)('OPTIONS %s answers a preflight and asks nothing', async (target) => {
    const { send, calls } = await start();
    const { status, headers, body } = await send('OPTIONS', target, {
      Origin: 'https://elsewhere.example',
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'x-any',
    });
    expect([status, body]).toEqual([204, '']);
    expect(headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS');
    expect(headers['access-control-allow-headers']).toBe('*, Authorization');
    expect(calls).toEqual({ resolve: [], whichRa: [] });
  });

  test.each(faces)('other methods on %s are 405', async (target) => {
    const { send, calls } = await start();
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'TRACE']) {
      const { status, headers } = await send(method, target);
      expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
    expect(calls).toEqual({ resolve: [], whichRa: [] });
  });
});
