// GET /{name}: what the rows of wire.json do not say.

import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import type { RecordBehaviour } from '../../support/fake-directory.ts';
import { testTable } from '../../support/test-table.ts';
import { aliasTo, lead, locations, startRest, url, value } from './rest-gateway.ts';

const HTML = 'text/html;charset=utf-8';
const SEVERAL = locations(
  '<location id="0" country="gb" weight="0" href="https://uk.example/"/><location id="1" href="https://www.example/"/><location id="2" role="metadata" weight="0" href_template="https://m.example/{hdl}"/>',
  1_000,
);
const RECORDS: Readonly<Record<string, RecordBehaviour>> = {
  '10.1000/1': url('https://example.org/1'),
  '10.1000/a/b:c': url('https://example.org/abc'),
  '10.1000/a:b/c': url('https://example.org/colon'),
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
  '10.1000/sub': [value('URL.PDF', 'https://example.org/pdf')],
  '10.1000/mail': [value('EMAIL', 'x@example.org')],
  '10.1000/empty': [value('URL', '')],
  '10/alias': aliasTo('10/second'),
  '10/second': [value('HS_ALIAS', '10.1000/Loc'), value('URL', 'https://example.org/own', 2)],
  '10/bad': aliasTo('10.1000/error'),
  '10.1000/error': 2,
  '10.1000/down': new GatewayError('UPSTREAM_TIMEOUT'),
  '10/loop': aliasTo('10/LOOP'),
  '10/nowhere': aliasTo('10.1000/missing'),
  '10.5555': [value('HS_SERV', '10.SERV/CROSSREF'), value('URL', 'https://example.org/prefix', 2)],
};

const start = (env: Readonly<Record<string, string>> = {}) => startRest({ records: RECORDS, env });

describe('before a name', () => {
  testTable([
    ...[
      '',
      'doi:',
      'DOI:',
      'hdl:',
      'Hdl:',
      'info:doi/',
      'info:hdl/',
      'INFO:DOI/',
      'urn:doi:',
      'URN:hdl:',
    ].map((scheme) => [`/${scheme}10.1000/1`, '10.1000/1']),
    ['/urn:doi:10.1000:1', '10.1000/1'],
    ['/urn:hdl:10.1000:1', '10.1000/1'],
    ['/urn:doi:10.1000:a%2Fb:c', '10.1000/a/b:c'],
    ['/urn:doi:10.1000/a:b', '10.1000/a:b'],
    ['/urn:doi:10.1000:a:b/c', '10.1000/a:b/c'],
    ['/urn:doi:10.1000%3A1/2', '10.1000:1/2'],
    ['/urn:doi:10.1000%2F1:2', '10.1000/1/2'],
    ['/doi:10.1000:1/2', '10.1000:1/2'],
    ['/hdl:0.TYPE/URL', '0.TYPE/URL'],
    ['/doi:doi:10.1000/1', 'doi:10.1000/1'],
    ['/urn:isbn:1/2', 'urn:isbn:1/2'],
    ['/doi%3A10.1000/1', '10.1000/1'],
    ['/%20URN%3Adoi%3A10.1000:1/2%20', '10.1000/1/2'],
    ['/doi:%2010.1000/1', '10.1000/1'],
    ['//10.1000/1', '10.1000/1'],
    ['/%20//%2010.1000//1%C2%A0%EF%BB%BF%0D%0A', '10.1000//1'],
    ['/%E2%80%8B10.1000/1%E2%80%8B', '10.1000/1'],
    ['/https://doi.org/10.1000/1', '10.1000/1'],
    ['/HTTP://DX.doi.ORG//doi:10.1000/1', '10.1000/1'],
    ['/https%3A%2F%2Fhdl.handle.net%2F10.1000%2F1', '10.1000/1'],
    ['//https://doi.org/10.1000/https://doi.org/1', '10.1000/https://doi.org/1'],
    ['/https://www.doi.org/10.1000/1', 'https://www.doi.org/10.1000/1'],
    ['/https://doi.org.example/10.1000/1', 'https://doi.org.example/10.1000/1'],
    ['/doi.org/10.1000/1', 'doi.org/10.1000/1'],
    // What is read in an input is not read in a path.
    ['/DOI%2010.1000/1', 'DOI 10.1000/1'],
    ['/doi:https://doi.org/10.1000/1', 'https://doi.org/10.1000/1'],
    ['/(10.1000/1)', '(10.1000/1)'],
    ['/%E2%80%9C10.1000/1%E2%80%9D', '“10.1000/1”'],
    ['/article/10.1000/1', 'article/10.1000/1'],
  ])('a scheme is taken off, and in a URN the first colon divides: %s', async (target, name) => {
    const { get, asked } = await start();
    await get(target);
    expect(asked()).toEqual([name]);
  });
});

describe('a path', () => {
  testTable([
    '/ab',
    '/doi:abcde',
    '/doi:',
    '/urn:doi:',
    '/info:doi/',
    '/favicon.ico',
    '/robots.txt',
    '/.env',
    '/10',
    '/11.1000',
  ])('that is no handle is a plain 404: %s', async (target) => {
    const { get, calls } = await start();
    const { status, headers } = await get(target);
    expect(status).toBe(404);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(calls.resolve).toEqual([]);
  });

  testTable(['/10.1000/%', '/10.1000/%zz', '/10.1000/%ff', '/%ED%A0%80/1', '/doi:10.1000/%E2%82'])(
    'that cannot be decoded is a 400 page: %s',
    async (target) => {
      const { get, calls } = await start();
      const { status, headers } = await get(target);
      expect([status, headers['content-type']]).toEqual([400, HTML]);
      expect(calls.resolve).toEqual([]);
    },
  );

  testTable([
    'index=x',
    'index=',
    'index=1.5',
    'index=2147483648',
    'index=1&index=x',
    'noredirect&index=x',
    'action=showurls&index=x',
  ])('with a bad index is a 400 page: %s', async (query) => {
    const { get } = await start();
    const { status, headers } = await get(`/10.1000/1?${query}`);
    expect([status, headers['content-type']]).toEqual([400, HTML]);
  });

  test('is decoded once, and nothing in it is collapsed', async () => {
    const { get, asked } = await start();
    for (const target of [
      '/10.1000/a%252Fb',
      '/10.1000//a/./b/../c/',
      '/10.1000/a+b',
      '/10.1000/%2E%2E/',
      '/%2010.1000/1',
    ]) {
      await get(target);
    }
    expect(asked()).toEqual([
      '10.1000/a%2Fb',
      '10.1000//a/./b/../c/',
      '10.1000/a+b',
      '10.1000/../',
      '10.1000/1',
    ]);
  });

  test('that is a prefix shows its record and redirects nowhere', async () => {
    const { get, asked } = await start();
    const { status, headers, body } = await get('/10.5555');
    expect([status, headers['content-type'], headers['location']]).toEqual([200, HTML, undefined]);
    expect(body).toContain('10.SERV/CROSSREF');
    expect((await get('/10.4444')).status).toBe(404);
    expect(asked()).toEqual(['10.5555', '10.4444']);
  });
});

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
  ])('%s: %d, %s', async (target, status, location) => {
    const { get } = await start();
    const response = await get(target);
    expect(lead(response)).toEqual([status, location]);
    expect(response.headers['content-type']).toBe(HTML);
  });

  test('filters what is shown', async () => {
    const { get } = await start();
    const { body } = await get('/10.1000/types?noredirect&type=EMAIL&index=3');
    expect(body).toContain('x@example.org');
    expect(body).toContain('https://example.org/3');
    expect(body).not.toMatch(/example\.org\/[25]/);
  });

  testTable(['auth', 'cert=y', 'auth=true&cert=yes'])('passes on %s to every hop', async (flags) => {
    const { get, calls } = await start();
    await get(`/10/alias?${flags}`);
    const freshness = { auth: flags.includes('auth'), cert: flags.includes('cert') };
    expect(calls.resolve).toEqual(
      ['10/alias', '10/second', '10.1000/Loc'].map((name) => ({ name, ...freshness })),
    );
  });
});

describe("the reader's country", () => {
  const UK = 'https://uk.example/';
  const WWW = 'https://www.example/';

  testTable<[string, Readonly<Record<string, string>>, string]>([
    ['', { 'CF-IPCountry': 'GB' }, UK],
    ['', { 'cf-ipcountry': 'gb' }, UK],
    ['', { 'CF-IPCountry': 'FR' }, WWW],
    ['', { 'CF-IPCountry': '' }, WWW],
    ['', { 'X-Country': 'GB' }, WWW],
    ['', {}, WWW],
    ['?country=gb', { 'CF-IPCountry': 'FR' }, UK],
    ['?country=fr', { 'CF-IPCountry': 'GB' }, WWW],
    ['?country=', { 'CF-IPCountry': 'GB' }, UK],
  ])('is that of the query, else of the header: "%s" and %j', async (query, headers, location) => {
    const { get } = await start({ COUNTRY_HEADER: 'CF-IPCountry' });
    expect(lead(await get(`/10.1000/loc${query}`, headers))).toEqual([302, location]);
  });

  test('is nobody’s where no header is configured', async () => {
    const { get } = await start();
    expect(lead(await get('/10.1000/loc', { 'CF-IPCountry': 'GB' }))).toEqual([302, WWW]);
  });
});

describe('content negotiation', () => {
  const DATA = 'https://data.example/10.1000/conneg';
  const LANDING = 'https://example.org/landing';

  testTable([
    ['application/json', DATA],
    ['application/vnd.citationstyles.csl+json, text/html;q=0.5', DATA],
    ['text/html;q=0.4, text/turtle;q=0.5', DATA],
    ['text/turtle;q=1, */*;q=0.1', DATA],
    ['text/html', LANDING],
    ['TEXT/HTML', LANDING],
    ['application/xhtml+xml', LANDING],
    ['*/*', LANDING],
    ['text/*', LANDING],
    ['application/*, application/json;q=0.9', LANDING],
    ['application/json;q=0.8, */*', LANDING],
    ['application/json;q=0', LANDING],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', LANDING],
    ['', LANDING],
    ['nonsense', LANDING],
    [';;;,,,', LANDING],
  ])('for Accept "%s" leads to %s, and varies by it', async (accept, location) => {
    const { get } = await start();
    const response = await get('/10.1000/conneg', { Accept: accept });
    expect(lead(response)).toEqual([302, location]);
    expect(response.headers['vary']).toBe('Accept');
  });

  test('is not there for a record without such locations', async () => {
    const { get } = await start();
    const response = await get('/10.1000/loc', { Accept: 'application/json' });
    expect(lead(response)).toEqual([302, 'https://www.example/']);
    expect(response.headers['vary']).toBeUndefined();
  });
});

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
    ['/10/loop', 404, null],
    ['/10/nowhere', 404, null],
    ['/10/bad', 503, null],
  ])('%s: %d, %s', async (target, status, location) => {
    const { get } = await start();
    const response = await get(target, { Host: 'evil.example' });
    expect(lead(response)).toEqual([status, location]);
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

  test('leads to an address under PUBLIC_URL, never from the Host header', async () => {
    const { get } = await start({ PUBLIC_URL: 'https://doi.example.org/gateway/' });
    expect(lead(await get('/10/alias?x', { Host: 'evil.example' }))).toEqual([
      301,
      'https://doi.example.org/gateway/10.1000/Loc?x',
    ]);
  });

  test('that loops or ends nowhere is the not-found page', async () => {
    const { get } = await start();
    for (const target of ['/10/loop', '/10/nowhere', '/10/loop?noredirect', '/10/nowhere?noredirect']) {
      const { status, body } = await get(target);
      expect([status, /<title>(.*)<\/title>/.exec(body)?.[1]]).toEqual([404, 'DOI Name Not Found']);
    }
  });
});
