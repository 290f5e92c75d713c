// Paths without a slash: those of shortDOIs are handles.

import { describe, expect, test } from 'vitest';
import { aliasTo, startRest, statusAndLocation, url } from './rest-gateway.ts';

const start = () =>
  startRest({ records: { '10/abcde': aliasTo('10.1000/182'), '10.1000/182': url('https://example.org/') } });

describe('a path of letters and digits', () => {
  test('is the handle of a shortDOI, and leads to the name it stands for', async () => {
    const { get, lookedUp } = await start();
    expect(statusAndLocation(await get('/abcde?locatt=id:1'))).toEqual([301, '/10.1000/182?locatt=id:1']);
    expect(lookedUp()).toEqual(['10/abcde', '10.1000/182']);
  });

  test('shows its record where that is asked for', async () => {
    const { get } = await start();
    const { status, body } = await get('/ABCDE?noredirect&ignore_aliases');
    expect(status).toBe(200);
    expect(body).toContain('HS_ALIAS');
  });

  test('that is none has the page of a name that is not found', async () => {
    const { get } = await start();
    const { status, body } = await get('/p54k');
    expect(status).toBe(404);
    expect(body).toContain('10/p54k');
  });

  test.each(['/ab', '/abcdefghijk', '/abc-d', '/abc.d', '/%61bcde', '/doi:abcde', '/abcde%20'])(
    'is no shortDOI otherwise: %s',
    async (target) => {
      const { get, calls } = await start();
      const { status, headers } = await get(target);
      expect([status, headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8']);
      expect(calls.resolve).toEqual([]);
    },
  );

  test.each(['/admin', '/Login', '/robots', '/jobs', '/llms', '/api', '/wordpress', '/phpmyadmin'])(
    'is not asked for where programs look for holes, or it may be our own: %s',
    async (target) => {
      const { get, calls } = await start();
      expect((await get(target)).status).toBe(404);
      expect(calls.resolve).toEqual([]);
    },
  );
});
