// A path without a slash can be a shortDOI.

import { describe, expect, test } from 'vitest';
import { aliasTo, startRest, statusAndLocation, url } from './rest-gateway.ts';

const start = () =>
  startRest({ records: { '10/abcde': aliasTo('10.1000/182'), '10.1000/182': url('https://example.org/') } });

describe('a path of letters and digits', () => {
  test('is a shortDOI, and redirects to its DOI name', async () => {
    const { get, lookedUp } = await start();
    expect(statusAndLocation(await get('/abcde?locatt=id:1'))).toEqual([301, '/10.1000/182?locatt=id:1']);
    expect(lookedUp()).toEqual(['10/abcde', '10.1000/182']);
  });

  test('shows the record of the shortDOI with noredirect', async () => {
    const { get } = await start();
    const { status, body } = await get('/ABCDE?noredirect&ignore_aliases');
    expect(status).toBe(200);
    expect(body).toContain('HS_ALIAS');
  });

  test('leads to the not-found page if the shortDOI is unknown', async () => {
    const { get } = await start();
    const { status, body } = await get('/p54k');
    expect(status).toBe(404);
    expect(body).toContain('10/p54k');
  });

  test.each(['/ab', '/abcdefghijk', '/abc-d', '/abc.d', '/%61bcde', '/doi:abcde', '/abcde%20'])(
    'is not a shortDOI if it has other characters or another length: %s',
    async (target) => {
      const { get, calls } = await start();
      const { status, headers } = await get(target);
      expect([status, headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8']);
      expect(calls.resolve).toEqual([]);
    },
  );

  test.each(['/admin', '/Login', '/robots', '/jobs', '/llms', '/api', '/wordpress', '/phpmyadmin'])(
    'is not looked up if scanners use the path, or the gateway might use the path later: %s',
    async (target) => {
      const { get, calls } = await start();
      expect((await get(target)).status).toBe(404);
      expect(calls.resolve).toEqual([]);
    },
  );
});
