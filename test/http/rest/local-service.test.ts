// "Appropriate copy": the cookie of a client can select a service from the list of the operator, and no other URL.

import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/config.ts';
import { aliasTo, locations, startRest, statusAndLocation, url, value } from './rest-gateway.ts';

const LIBRARY = 'https://resolver.example.edu/sfx';
const OTHER = 'https://other.example.edu/?vid=1';
const EXAMPLE = 'https://example.org/1';
const RECORDS = {
  '10.1000/1': url(EXAMPLE),
  '10.1000/a b&c/d#e': url(EXAMPLE),
  '10.1000/mail': [value('EMAIL', 'x@example.org')],
  '10/alias': aliasTo('10.1000/1'),
  '10.1000/conneg': [
    value('URL', EXAMPLE),
    locations('<location http_role="conneg" href="https://data.example/"/>'),
  ],
};

const start = (services = `${LIBRARY}, ${OTHER}`) =>
  startRest({ records: RECORDS, env: { LOCAL_SERVICES: services } });
const cookie = (base: string) => ({ Cookie: `a=b; doi-local-service=${encodeURIComponent(base)}; c=d` });
const HERE = `${LIBRARY}?id=doi:10.1000/1`;

describe('a client with a cookie', () => {
  test.each([
    ['/10.1000/1', LIBRARY, 302, HERE],
    ['/10.1000/1', OTHER, 302, `${OTHER}&id=doi:10.1000/1`],
    ['/10.1000/a%20b%26c/d%23e', LIBRARY, 302, `${LIBRARY}?id=doi:10.1000/a%20b%26c/d%23e`],
    ['/10.1000/1?nols=n', LIBRARY, 302, HERE],
    ['/10.1000/1?nols=y', LIBRARY, 302, EXAMPLE],
    ['/10.1000/1?nols', LIBRARY, 302, EXAMPLE],
    ['/10.1000/1?nols=true', LIBRARY, 302, EXAMPLE],
    ['/10.1000/1?noredirect', LIBRARY, 200, null],
    ['/10.1000/mail', LIBRARY, 200, null],
    ['/10.1000/missing', LIBRARY, 404, null],
    ['/10/alias', LIBRARY, 301, '/10.1000/1'],
  ])('gets for %s with the service %s in its cookie: %d, %s', async (target, base, status, location) => {
    const { get } = await start();
    const response = await get(target, cookie(base));
    expect(statusAndLocation(response)).toEqual([status, location]);
    expect(response.headers['vary']).toContain('Cookie');
  });

  test('gets a private redirect, but only if LOCAL_SERVICES has services', async () => {
    const { get } = await start();
    expect((await get('/10.1000/1', cookie(LIBRARY))).headers['cache-control']).toMatch(/private/);
    const closed = await start('');
    const response = await closed.get('/10.1000/1', cookie(LIBRARY));
    expect(statusAndLocation(response)).toEqual([302, EXAMPLE]);
    expect(response.headers['vary']).toBeUndefined();
  });

  test.each([
    'https://evil.example/',
    `${LIBRARY}/`,
    `${LIBRARY}.evil.example`,
    `${LIBRARY}@evil.example`,
    `${LIBRARY}\r\nSet-Cookie: x=y`,
    LIBRARY.toUpperCase(),
    '//evil.example',
    'javascript:alert(1)',
    '',
    '*',
    'https:',
  ])('is not redirected to a URL that is not on the list: %j', async (base) => {
    const { get } = await start();
    expect(statusAndLocation(await get('/10.1000/1', cookie(base)))).toEqual([302, EXAMPLE]);
  });

  test.each([
    'doi-local-service',
    'doi-local-service=',
    'doi-local-service=%',
    '=;=;;',
    '__proto__=x',
    'x'.repeat(8_000),
  ])('that is invalid is redirected as if there were no cookie: %s', async (Cookie) => {
    const { get } = await start();
    expect(statusAndLocation(await get('/10.1000/1', { Cookie }))).toEqual([302, EXAMPLE]);
  });

  // A Location header is ASCII. A URL of the operator with other characters is refused at the start, or sent as ASCII.
  test('is redirected also if the host name of a service is not ASCII', async () => {
    const rest = await start('https://例え.jp/').catch((error: unknown) => {
      expect(error).toBeInstanceOf(ConfigError);
    });
    if (rest)
      expect(statusAndLocation(await rest.get('/10.1000/1', cookie('https://例え.jp/')))[0]).toBe(302);
  });
});

test.each([
  ['application/json', EXAMPLE],
  ['text/turtle, text/html;q=0.5', EXAMPLE],
  ['*/*', HERE],
  ['text/html', HERE],
])('a program is not redirected to a local service: Accept %s leads to %s', async (Accept, location) => {
  const { get } = await start();
  expect(statusAndLocation(await get('/10.1000/1', { Accept, ...cookie(LIBRARY) }))).toEqual([302, location]);
});

test('a program is redirected to data, and the response varies by Accept and Cookie', async () => {
  const { get } = await start();
  const response = await get('/10.1000/conneg', { Accept: 'application/json', ...cookie(LIBRARY) });
  expect(statusAndLocation(response)).toEqual([302, 'https://data.example/']);
  expect(response.headers['vary']).toBe('Accept, Cookie');
});
