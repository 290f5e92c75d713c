// Rules of GET /{name} that wire.json does not have.

import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import type { RecordBehaviour } from '../../support/fake-directory.ts';
import { testTable } from '../../support/test-table.ts';
import { aliasTo, locations, startRest, statusAndLocation, url, value } from './rest-gateway.ts';

const HTML = 'text/html;charset=utf-8';
const SEVERAL = locations(
  '<location id="0" country="gb" weight="0" href="https://uk.example/"/><location id="1" href="https://www.example/"/><location id="2" role="metadata" weight="0" href_template="https://m.example/{hdl}"/>',
  1_000,
);
const RECORDS: Readonly<Record<string, RecordBehaviour>> = {
  '10.1000/1': url('https://example.org/1'),
  '10.1000/loc': [value('URL', 'https://example.org/plain'), SEVERAL],
  '10.1000/conneg': [
    value('URL', 'https://example.org/landing'),
    locations('<location http_role="conneg" weight="0" href_template="https://data.example/{hdl:path}"/>'),
  ],
  '10.1000/types': [
    value('URL', 'https://example.org/2', 2),
    value('URL.PDF', 'https://example.org/3', 3),
    value('EMAIL', 'x@example.org', 4),
    locations('<location href="https://example.org/5"/>', 5),
  ],
  '10.1000/mail': [value('EMAIL', 'x@example.org')],
  '10.1000/empty': [value('URL', '')],
  '10/alias': aliasTo('10/second'),
  '10/second': [value('HS_ALIAS', '10.1000/Loc'), value('URL', 'https://example.org/own', 2)],
  '10/bad': aliasTo('10.1000/error'),
  '10.1000/error': 2,
  '10.1000/down': new GatewayError('UPSTREAM_TIMEOUT'),
  '10/loop': aliasTo('10/LOOP'),
  '10/nowhere': aliasTo('10.1000/missing'),
};

const start = (env: Readonly<Record<string, string>> = {}) => startRest({ records: RECORDS, env });

describe('the query', () => {
  testTable<[string, number, string | null]>([
    ['/10.1000/1', 302, 'https://example.org/1'],
    ['/10.1000/1?noredirect=false&action=nonsense&x', 302, 'https://example.org/1'],
    ['/10.1000/1?urlappend=%3Fa%3D1%262', 302, 'https://example.org/1?a=1&2'],
    ['/10.1000/1?urlappend=?a=1', 302, 'https://example.org/1?a=1'],
    ['/10.1000/1?urlappend=%2Fa+b', 302, 'https://example.org/1/a+b'],
    ['/10.1000/1?urlappend=/a&urlappend=/b', 302, 'https://example.org/1/a'],
    ['/10.1000/1?urlappend', 302, 'https://example.org/1'],
    ['/10.1000/1?urlappend=%zz%20', 302, 'https://example.org/1%zz'],
    ['/10.1000/loc', 302, 'https://www.example/'],
    ['/10.1000/loc?locatt=id:0', 302, 'https://uk.example/'],
    ['/10.1000/loc?locatt=id%3A2', 302, 'https://m.example/10.1000%2Floc'],
    ['/10.1000/loc?locatt=id:0&locatt=country:gb', 302, 'https://uk.example/'],
    ['/10.1000/loc?locatt=id:0&locatt=id:1', 302, 'https://uk.example/'],
    ['/10.1000/loc?locatt=id:1&urlappend=x', 302, 'https://www.example/x'],
    ['/10.1000/loc?country=gb', 302, 'https://uk.example/'],
    ['/10.1000/loc?country=GB', 302, 'https://uk.example/'],
    ['/10.1000/loc?country=fr', 302, 'https://www.example/'],
    ['/10.1000/loc?country=', 302, 'https://www.example/'],
    ['/10.1000/loc?action=metadata', 302, 'https://m.example/10.1000%2Floc'],
    ['/10.1000/1?action=metadata', 302, 'https://example.org/1'],
    ['/10.1000/types', 302, 'https://example.org/5'],
    ['/10.1000/types?type=URL', 302, 'https://example.org/2'],
    ['/10.1000/types?type=url.', 302, 'https://example.org/2'],
    ['/10.1000/types?type=url.pdf', 302, 'https://example.org/3'],
    ['/10.1000/types?index=3&index=4', 302, 'https://example.org/3'],
    ['/10.1000/types?index=%2B2', 302, 'https://example.org/2'],
    ['/10.1000/types?type=EMAIL', 200, null],
    ['/10.1000/types?index=-1', 200, null],
    ['/10.1000/types?type=', 200, null],
    ['/10.1000/types?noredirect', 200, null],
    ['/10.1000/types?action=showvalues', 200, null],
    ['/10.1000/types?action=showvalues&action=metadata', 200, null],
    ['/10.1000/mail', 200, null],
    ['/10.1000/empty', 200, null],
    ['/10.1000/error', 503, null],
    ['/10.1000/down', 504, null],
    ['/10.1000/1?index=x', 400, null],
    ['/10.1000/1?index=', 400, null],
    ['/10.1000/1?index=1.5', 400, null],
    ['/10.1000/1?index=2147483648', 400, null],
    ['/10.1000/1?index=1&index=x', 400, null],
    ['/10.1000/1?noredirect&index=x', 400, null],
    ['/10.1000/1?action=showurls&index=x', 400, null],
  ])('of %s leads to the status %d and the location %s', async (target, status, location) => {
    const { get } = await start();
    const response = await get(target);
    expect(statusAndLocation(response)).toEqual([status, location]);
    expect(response.headers['content-type']).toBe(HTML);
  });

  test('selects the values of the values page', async () => {
    const { get } = await start();
    const { body } = await get('/10.1000/types?noredirect&type=EMAIL&index=3');
    expect(body).toContain('x@example.org');
    expect(body).toContain('https://example.org/3');
    expect(body).not.toMatch(/example\.org\/[25]/);
  });

  testTable(['auth', 'cert=y', 'auth=true&cert=yes'])('passes %s on to every look-up', async (flags) => {
    const { get, calls } = await start();
    await get(`/10/alias?${flags}`);
    const freshness = { auth: flags.includes('auth'), cert: flags.includes('cert') };
    expect(calls.resolve).toEqual(
      ['10/alias', '10/second', '10.1000/Loc'].map((name) => ({ name, ...freshness })),
    );
  });
});

describe('the country of the client', () => {
  const UK = 'https://uk.example/';
  const WWW = 'https://www.example/';
  const CONFIGURED = { COUNTRY_HEADER: 'CF-IPCountry' };

  testTable<[query: string, headers: Record<string, string>, env: object, location: string]>([
    ['', { 'CF-IPCountry': 'GB' }, CONFIGURED, UK],
    ['', { 'cf-ipcountry': 'gb' }, CONFIGURED, UK],
    ['', { 'CF-IPCountry': 'FR' }, CONFIGURED, WWW],
    ['', { 'CF-IPCountry': '' }, CONFIGURED, WWW],
    ['', { 'X-Country': 'GB' }, CONFIGURED, WWW],
    ['', {}, CONFIGURED, WWW],
    ['?country=gb', { 'CF-IPCountry': 'FR' }, CONFIGURED, UK],
    ['?country=fr', { 'CF-IPCountry': 'GB' }, CONFIGURED, WWW],
    ['?country=', { 'CF-IPCountry': 'GB' }, CONFIGURED, UK],
    ['', { 'CF-IPCountry': 'GB' }, {}, WWW],
  ])('is in the query, else in the configured header: "%s" and %j', async (query, headers, env, location) => {
    const { get } = await start({ ...env });
    expect(statusAndLocation(await get(`/10.1000/loc${query}`, headers))).toEqual([302, location]);
  });
});

testTable([
  ['/10.1000/conneg', 'application/json', 'https://data.example/10.1000/conneg', 'Accept'],
  ['/10.1000/conneg', 'text/html', 'https://example.org/landing', 'Accept'],
  ['/10.1000/conneg', '*/*', 'https://example.org/landing', 'Accept'],
  ['/10.1000/loc', 'application/json', 'https://www.example/', undefined],
])(
  'a location for programs varies the redirect by Accept: %s, %s',
  async (target, Accept, location, vary) => {
    const { get } = await start();
    const response = await get(target, { Accept });
    expect(statusAndLocation(response)).toEqual([302, location]);
    expect(response.headers['vary']).toBe(vary);
  },
);

describe('an alias', () => {
  testTable<[string, number, string | null]>([
    ['/10/alias', 301, '/10.1000/Loc'],
    ['/doi:10/alias', 301, '/10.1000/Loc'],
    ['/10/alias?', 301, '/10.1000/Loc'],
    ['/10/alias?urlappend=%3Fx%20y&a=b?c', 301, '/10.1000/Loc?urlappend=%3Fx%20y&a=b?c'],
    ['/10/alias?type=URL&index=2', 301, '/10.1000/Loc?type=URL&index=2'],
    ['/10/alias?action=metadata', 301, '/10.1000/Loc?action=metadata'],
    ['/10/alias?noredirect', 200, null],
    ['/10/alias?action=showvalues', 200, null],
    ['/10/alias?ignore_aliases', 200, null],
    ['/10/alias?ignore_aliases&action=showurls', 200, null],
    ['/10/second?ignore_aliases', 302, 'https://example.org/own'],
    ['/10/second?ignore_aliases=false', 302, 'https://example.org/own'],
    ['/10/alias?NoRedirect;x', 301, '/10.1000/Loc?NoRedirect;x'],
    ['/10/alias?x=1;noredirect', 200, null],
    ['/10/alias?action=ShowValues', 200, null],
    ['/10/bad', 503, null],
  ])('gives %s the status %d and the location %s', async (target, status, location) => {
    const { get } = await start();
    const response = await get(target, {
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
      Forwarded: 'host=evil.example',
    });
    expect(statusAndLocation(response)).toEqual([status, location]);
    expect(response.headers['content-type']).toBe(HTML);
  });

  testTable([
    ['noredirect', 'https://uk.example/', '10/second'],
    ['ignore_aliases', '10/second', 'https://uk.example/'],
    ['noredirect&ignore_aliases', '10/second', 'https://uk.example/'],
  ])('with %s shows %s and not %s', async (query, shown, hidden) => {
    const { get } = await start();
    const { body } = await get(`/10/alias?${query}`);
    expect(body).toContain(shown);
    expect(body).not.toContain(hidden);
  });

  test('redirects to an address under PUBLIC_URL, never to the Host header', async () => {
    const { get } = await start({ PUBLIC_URL: 'https://doi.example.org/gateway/' });
    expect(statusAndLocation(await get('/10/alias?x', { Host: 'evil.example' }))).toEqual([
      301,
      'https://doi.example.org/gateway/10.1000/Loc?x',
    ]);
  });

  testTable(['/10/loop', '/10/nowhere', '/10/loop?noredirect', '/10/nowhere?noredirect'])(
    'that leads to no record shows the not-found page: %s',
    async (target) => {
      const { get } = await start();
      const { status, headers, body } = await get(target);
      expect([status, headers['content-type']]).toEqual([404, HTML]);
      expect(/<title>(.*)<\/title>/.exec(body)?.[1]).toBe('DOI Name Not Found');
    },
  );
});
