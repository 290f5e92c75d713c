// The REST face with hostile records and requests. A row of a table fails if it takes too long.

import { describe, expect, test } from 'vitest';
import type { RecordBehaviour } from '../../support/fake-directory.ts';
import { testTable } from '../../support/test-table.ts';
import {
  aliasTo,
  executableIn,
  locations,
  startRest,
  statusAndLocation,
  url,
  value,
} from './rest-gateway.ts';

const TARGET = 'https://example.org/1';
const FINE = url(TARGET);
const beside = (hostile: unknown) => [value('URL', TARGET), hostile];

/** Checks that a response redirects only to http, https, ftp or this face, and that its page runs no code. */
function expectHarmless({
  status,
  headers,
  body,
}: Awaited<ReturnType<Awaited<ReturnType<typeof startRest>>['get']>>) {
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
  const location = headers['location'];
  if (location !== undefined) expect(location).toMatch(/^(?:(?:https?|ftp):\/\/|\/(?![/\\]))[\x21-\x7e]*$/i);
  expect(headers).not.toHaveProperty('set-cookie');
  expect(headers).not.toHaveProperty('x-injected');
  if (String(headers['content-type']).startsWith('text/html')) expect(executableIn(body)).toEqual([]);
  expect(body.length).toBeLessThan(20_000_000);
  expect(body).not.toContain('node_modules');
}

const lol = (_: unknown, n: number) => `<!ENTITY lol${n + 1} "${`&lol${n};`.repeat(10)}">`;
const LOLS = Array.from({ length: 10 }, lol).join('');
const LAUGHS = `<!DOCTYPE locations [<!ENTITY lol0 "lol">${LOLS}]><locations><location href="https://evil.example/&lol10;"/></locations>`;

describe('a hostile record', () => {
  testTable<[string, RecordBehaviour, string | null]>([
    ['1 MB of XML', beside(locations('<location href="https://e.org/"/>'.repeat(30_000))), TARGET],
    ['1 MB of "&"', beside(locations('&'.repeat(1_000_000))), TARGET],
    ['billion laughs', beside(value('10320/loc', LAUGHS, 2)), TARGET],
    ['javascript:', url('javascript:alert(1)'), null],
    ['JaVaScRiPt:', url(' JaVa\nScRiPt:alert(1)'), null],
    ['data:', url('data:text/html,<script>alert(1)</script>'), null],
    ['javascript: in a location', [locations('<location href="javascript:alert(1)"/>')], null],
    ['javascript: by a template', [locations('<location href_template="javascript:{hdl}"/>')], null],
    [
      'a template that makes the name the target',
      [locations('<location href_template="{hdl:path}"/>')],
      null,
    ],
    ['another host without a scheme', url('//evil.example/'), null],
    ['a path', url('/\\evil.example/'), null],
    [
      'CR and LF in a URL',
      url('https://example.org/\r\nX-Injected: 1\r\n\r\n<script>'),
      'https://example.org/%0D%0AX-Injected:%201%0D%0A%0D%0A%3Cscript%3E',
    ],
    [
      'CR and LF in a location',
      [locations('<location href="https://example.org/&#13;&#10;X-Injected:&#10;1"/>')],
      'https://example.org/%0D%0AX-Injected:%0A1',
    ],
    [
      'a URL that grows when it is encoded',
      url(`https://example.org/${'<'.repeat(2_000)}`),
      `https://example.org/${'%3C'.repeat(2_000)}`,
    ],
    [
      '10,000 URLs without a valid target',
      Array.from({ length: 10_000 }, (_, n) => value('URL', 'javascript:x', n)),
      null,
    ],
  ])('redirects only to a safe target: %s', async (_, behaviour, location) => {
    const { get } = await startRest({ records: { '10.1000/1': behaviour } });
    for (const query of ['', '?noredirect', '?action=showurls', '?action=metadata&country=gb&locatt=a:b']) {
      const response = await get(`/10.1000/1${query}`);
      expectHarmless(response);
      if (query === '')
        expect(statusAndLocation(response)).toEqual([location === null ? 200 : 302, location]);
    }
    expectHarmless(await get('/api/handles/10.1000/1'));
  });
});

describe('a very large record', () => {
  const MANY = Array.from({ length: 20_000 }, (_, n) =>
    value(n % 2 === 0 ? 'URL' : 'T.<', 'https://e.org/<', n),
  );

  test('is shown in part, with a link to the whole record', async () => {
    const { get } = await startRest({ records: { '10.1000/<1>': MANY } });
    for (const target of ['/10.1000/%3C1%3E?noredirect', '/10.1000/%3C1%3E?noredirect&type=T.']) {
      const response = await get(target);
      expectHarmless(response);
      expect(response.body.length).toBeLessThan(1_000_000);
      expect(response.body.match(/<tr>/g)).toHaveLength(1_001);
      expect(response.body).toContain(
        target.endsWith('T.') ? 'There are 9000 more.' : 'There are 19000 more.',
      );
      expect(response.body).toContain('href="/api/handles/10.1000/%3C1%3E"');
    }
    expect((await get('/10.1000/%3C1%3E?type=T.&index=0&noredirect')).body).toContain('There are 9001 more.');
    expect((await get('/10.1000/%3C1%3E?index=0&noredirect')).body).not.toContain('more.');
  });

  testTable<[string, unknown[]]>([
    ['one value of 4 MB', [value('DESC', '<'.repeat(4_000_000))]],
    ['an emoji where the page cuts the value', [value('DESC', `a${'\u{1f600}'.repeat(2_000_000)}`)]],
    ['a type of 4 MB', [value('&'.repeat(4_000_000), 'x')]],
    ['100 values of 40 kB', Array.from({ length: 100 }, (_, n) => value('DESC', '<'.repeat(40_000), n))],
    [
      'a structure of 4 MB',
      [{ index: 1, type: 'NEW', data: { format: 'new', value: ['<'.repeat(4_000_000)] }, ttl: 60 }],
    ],
  ])('has a page of bounded size: %s', async (_, behaviour) => {
    const { get } = await startRest({ records: { '10.1000/1': behaviour } });
    const response = await get('/10.1000/1?noredirect');
    expectHarmless(response);
    expect(response.body.length).toBeLessThan(1_300_000);
    expect(response.body).not.toContain('\ufffd');
  });
});

describe('a hostile alias', () => {
  testTable([
    ['10/a', 404, null],
    ['10/A', 404, null],
    ['//evil.example/x', 301, '/%2F/evil.example/x'],
    ['/evil.example/x', 301, '/%2Fevil.example/x'],
    ['\\\\evil.example/x', 301, '/%5C%5Cevil.example/x'],
    ['https://evil.example/x', 301, '/https://evil.example/x'],
    ['../../x', 301, '/..%2F..%2Fx'],
    ['10.1000/a\r\nX-Injected: 1', 301, '/10.1000/a%0D%0AX-Injected:%201'],
    ['10.1000/a?b#c', 301, '/10.1000/a%3Fb%23c'],
    ['\t//evil.example/x', 301, '/%09//evil.example/x'],
    ['javascript:alert(1)//x', 301, '/javascript:alert(1)//x'],
  ])('to %j redirects only to this face: %d, %s', async (target, status, location) => {
    const { get } = await startRest({ records: { [target.toLowerCase()]: FINE, '10/a': aliasTo(target) } });
    const response = await get('/10/a');
    expect(statusAndLocation(response)).toEqual([status, location]);
    expectHarmless(response);
    expect(new URL(location ?? '/', 'http://gateway.test').host).toBe('gateway.test');
  });

  testTable([
    '%0d%0aX-Injected:%201',
    '%0D%0A%0D%0A<script>alert(1)</script>',
    '"%3E<script>',
    '&\\&//evil.example',
    '%00%zz%',
    `a=${'%41'.repeat(2_000)}`,
  ])('keeps the query, and the query cannot change the target: %s', async (query) => {
    const { get } = await startRest({ records: { '10/a': aliasTo('10.1000/1'), '10.1000/1': FINE } });
    const response = await get(`/10/a?${query}`);
    expectHarmless(response);
    expect(response.status).toBe(301);
    expect(response.headers['location']).toMatch(/^\/10\.1000\/1\?/);
  });
});

describe('a hostile request', () => {
  const records = { '10.1000/1': FINE };

  testTable([
    '%0d%0aX-Injected:%201',
    '%0D%0A%0D%0A%3Cscript%3E',
    '.evil.example/',
    '@evil.example/',
    ':80@evil.example/',
    '%09.evil.example',
    '%5C.evil.example',
    '%00',
    '%F0%9F%98%80',
    '%ED%A0%80',
    `/${'%C3%A9'.repeat(1_500)}`,
  ])('cannot change the host or the headers with urlappend: %s', async (appended) => {
    const { get } = await startRest({ records: { '10.1000/1': url('https://example.org') } });
    const response = await get(`/10.1000/1?urlappend=${appended}`);
    expectHarmless(response);
    expect(response.status).toBe(302);
    expect(new URL(String(response.headers['location'])).host).toBe('example.org');
  });

  testTable([
    '//evil.example',
    '//evil.example/',
    '//evil.example/%2f..',
    '///evil.example/..',
    '/..%2f',
    '/..%2f..%2fetc/passwd',
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e/',
    '/\\evil.example',
    '/\\\\evil.example\\x/',
    '/%5c%5cevil.example/',
    '/10.1000/1%00',
    '/10.1000/%0d%0aX-Injected:1',
    '/10.1000/<script>alert(1)</script>',
    '/10.1000/"onload="x"',
    '/10.1000/1#<script>',
    '/10.1000/nope/?"><script>alert(1)</script>',
    '/api/handles/<script>alert(1)</script>',
    '/api/handles/10.1000/1?callback=<script>',
    '/api/handles/10.1000/1?callback=%0d%0aX-Injected:1',
    '/doiRA/<script>alert(1)</script>,%0d%0a',
    `/doiRA/${','.repeat(10_000)}`,
    `/10.1000/1?${'index=1&'.repeat(1_500)}`,
    `/10.1000/1?${'locatt=a:b&'.repeat(1_200)}`,
    `/10.1000/${'/'.repeat(12_000)}`,
    `/10.1000/${'%2F../'.repeat(2_000)}`,
    `/urn:doi:${':'.repeat(12_000)}`,
    'http://evil.example/10.1000/1',
    'http://evil.example',
    'http://evil.example?x',
    'http://evil.example/graphql?query={__typename}',
    'http://evil.example/healthz',
  ])('has a harmless response: %s', async (target) => {
    const { get } = await startRest({ records });
    const response = await get(target);
    expectHarmless(response);
    expect(String(response.headers['location'] ?? '')).not.toContain('evil.example');
  });

  test('with a path of 100 kB is refused, and the next request has a response', async () => {
    const { get } = await startRest({ records });
    for (const path of ['/10.1000/', '/api/handles/10.1000/', '/doiRA/10.1000/']) {
      const { status } = await get(path + 'a'.repeat(100_000));
      expect(status).toBe(431);
    }
    expect(statusAndLocation(await get('/10.1000/1'))).toEqual([302, 'https://example.org/1']);
  });
});
