// The HTML pages of the REST face, as a browser parses them.

import { describe, expect, onTestFinished, test } from 'vitest';
import { createFakeDirectory } from '../../support/fake-directory.ts';
import { startGateway } from '../../support/gateway.ts';
import { type RawResponse, rawRequest } from '../../support/raw-http.ts';
import { testTable } from '../../support/test-table.ts';
import {
  aliasTo,
  elementsOf,
  executableIn,
  startRest,
  statusAndLocation,
  url,
  value,
} from './rest-gateway.ts';

const RECORDS = {
  '10.1000/a?b#"<c>&': url('https://example.org/found'),
  '10.1000/../x': url('https://example.org/dots'),
  '10.1000/1': [
    value('URL', 'https://example.org/?a=1&b=<2>'),
    value('DESC', '<b onclick="x()">Ä</b>\n<script>alert(1)</script>', 2),
    value('<i>', 'javascript:alert(1)', 3),
    {
      index: 100,
      type: 'HS_ADMIN',
      data: { format: 'admin', value: { handle: '0.NA/10', index: 200, permissions: '01' } },
      ttl: 60,
      timestamp: '2020-07-29T04:52:30Z',
    },
    { index: 101, type: 'BIN', data: { format: 'base64', value: 'AAEC//4=' }, ttl: 60 },
    { index: 102, type: 'NEW', data: { format: 'new', value: { x: ['</code><script>'] } }, ttl: 60 },
  ],
  '10.1000/none': 200,
  '10/loop': aliasTo('10/loop'),
  '10.1000/error': 2,
  '10.1000/fault': new Error('secret'),
};

const start = () => startRest({ records: RECORDS });

const textsOf = (body: string, wanted: string) =>
  elementsOf(body).flatMap(({ name, text }) => (name === wanted ? [text] : []));

function linksOf(body: string): string[] {
  return elementsOf(body).flatMap(({ name, attributes: { href } }) =>
    name === 'a' && href !== undefined ? [href] : [],
  );
}

/** Checks the rules of every page. */
function expectPage({ headers, body }: RawResponse): void {
  expect(headers['content-type']).toBe('text/html;charset=utf-8');
  expect(headers['x-content-type-options']).toBe('nosniff');
  const policy = String(headers['content-security-policy']);
  expect(policy).toMatch(/default-src 'none'/);
  expect(policy).not.toMatch(/script-src|unsafe|\*/);
  expect(executableIn(body)).toEqual([]);
  expect(elementsOf(body)[0]?.attributes).toEqual({ lang: 'en' });
  expect(textsOf(body, 'h1')).toEqual(textsOf(body, 'title'));
  expect(textsOf(body, 'h1')).toEqual([expect.stringMatching(/\S/)]);
}

describe('the not-found page', () => {
  test.each([
    ['/10.1000/nope', '10.1000/nope'],
    ['/10.1000/%3Cscript%3Ealert(1)%3C/script%3E', '10.1000/<script>alert(1)</script>'],
    ['/10.1000/%22%20onload=%22x()%22', '10.1000/" onload="x()"'],
    ["/10.1000/'%26amp;", "10.1000/'&amp;"],
    ['/10.1000/%E2%80%AEabc', '10.1000/\u202eabc'],
    ['/10.99999', '10.99999'],
  ])('shows the escaped name: %s', async (target, name) => {
    const { get } = await start();
    const response = await get(target);
    expect(response.status).toBe(404);
    expectPage(response);
    expect(textsOf(response.body, 'h1')).toEqual(['DOI Name Not Found']);
    expect(textsOf(response.body, 'code')[0]).toBe(name);
    expect(linksOf(response.body).at(-1)).toBe(`/?doi=${encodeURIComponent(name)}`);
  });

  test.each([
    ['EMBEDDED', 46, /among the 46 records that this gateway holds\. .*DOI_DIRECTORY_URL=https:\/\/doi\.org/],
    ['PROXY', null, /in the DOI directory\. It may be mistyped, or not registered yet\./],
  ] as const)('describes the directory: %s', async (kind, records, words) => {
    const directory = createFakeDirectory();
    const description = { ...directory.description, kind, records };
    const gateway = await startGateway({ directory: { ...directory, description } });
    onTestFinished(gateway.close);
    const { body } = await rawRequest(gateway.url, '/10.1000/nope');
    expect(textsOf(body, 'p')[0]).toMatch(words);
    expect(body.includes('not registered yet')).toBe(kind === 'PROXY');
  });

  test.each([
    ['/10.1000/a%3Fb%23%22%3Cc%3E%26/', '10.1000/a?b#"<c>&', 'https://example.org/found'],
    ['/10.1000/..%2Fx/', '10.1000/../x', 'https://example.org/dots'],
  ])('links to the name without its trailing slash: %s', async (target, name, location) => {
    const { get, url: origin } = await start();
    const response = await get(target);
    expect(response.status).toBe(404);
    expectPage(response);
    expect(textsOf(response.body, 'a')).toEqual([name, 'Inspect this name']);
    const [link = ''] = linksOf(response.body);
    const { pathname, search, host, hash } = new URL(link, `${origin}${target}`);
    expect([host, hash]).toEqual([new URL(origin).host, '']);
    expect(statusAndLocation(await get(pathname + search))).toEqual([302, location]);
  });

  test.each([
    ['/10.1000/182.', ['10.1000/182'], /ends in punctuation/],
    ['/10.1000/182)', ['10.1000/182'], /ends in punctuation/],
    ['/https://doi.org/10.1000/182.', ['10.1000/182'], /ends in punctuation/],
    ['/20.500.12345/nope', [], null],
    ['/2381/nope', [], null],
    ['/see%20doi:10.1000/182%20and%2010.1000/183', ['10.1000/182', '10.1000/183'], /is not a DOI name/],
    ['/10.1000/182%3Fx=%3Cb%3E', ['10.1000/182'], /query or fragment of a URL/],
    ['/10.1000/nope', [], null],
  ])('shows the warnings of the name, and links to probable names: %s', async (target, names, remark) => {
    const { get } = await start();
    const response = await get(target);
    expect(response.status).toBe(404);
    expectPage(response);
    expect(textsOf(response.body, 'a')).toEqual([...names, 'Inspect this name']);
    expect(linksOf(response.body).slice(0, -1)).toEqual(names.map((name) => `/${name}`));
    const paragraphs = textsOf(response.body, 'p').slice(1, -1 - names.length);
    expect(paragraphs).toEqual(remark === null ? [] : [expect.stringMatching(remark)]);
  });

  test('links to at most three names', async () => {
    const { get } = await start();
    const text = Array.from({ length: 50 }, (_, at) => `10.1000/${at + 100}`).join('%20and%20');
    expect(linksOf((await get(`/see%20${text}`)).body)).toHaveLength(4);
  });

  test('links to no other host', async () => {
    const { get, url: origin } = await start();
    for (const target of [
      '//evil.example/',
      '///evil.example/x/',
      '/%5C%5Cevil.example/x/',
      '/%2F%2Fevil.example/',
      '/%09//evil.example/x/',
    ]) {
      const response = await get(target);
      expect(response.status).toBe(404);
      expectPage(response);
      expect(linksOf(response.body).map((link) => new URL(link, origin).origin)).toEqual(
        linksOf(response.body).map(() => origin),
      );
    }
  });

  test('of an alias without a target links to the record of the alias', async () => {
    const { get, url: origin } = await start();
    const response = await get('/10/loop');
    expectPage(response);
    expect(textsOf(response.body, 'h1')).toEqual(['DOI Name Not Found']);
    const { pathname, search } = new URL(linksOf(response.body)[0] ?? '', `${origin}/10/loop`);
    const shown = await get(pathname + search);
    expect(shown.status).toBe(200);
    expect(textsOf(shown.body, 'td')).toContain('HS_ALIAS');
  });
});

describe('the values page', () => {
  test('is a table with a caption, scoped headers and a row for each value', async () => {
    const { get } = await start();
    const response = await get('/10.1000/1?noredirect');
    expect(response.status).toBe(200);
    expectPage(response);
    const { body } = response;
    expect(textsOf(body, 'h1')).toEqual(['10.1000/1']);
    expect(textsOf(body, 'caption')).toEqual([expect.stringMatching(/\w/)]);
    const headers = elementsOf(body).filter(({ name }) => name === 'th');
    expect(headers.map(({ attributes, text }) => [attributes['scope'], text])).toEqual([
      ...['Index', 'Type', 'Timestamp', 'Data'].map((title) => ['col', title]),
      ...['1', '2', '3', '100', '101', '102'].map((index) => ['row', index]),
    ]);
    const cells = textsOf(body, 'td');
    expect(cells).toHaveLength(18);
    expect(cells.slice(0, 9)).toEqual([
      ...['URL', '–', 'https://example.org/?a=1&b=<2>'],
      ...['DESC', '–', '<b onclick="x()">Ä</b>\n<script>alert(1)</script>'],
      ...['<i>', '–', 'javascript:alert(1)'],
    ]);
    expect(cells.slice(9)).toEqual([
      ...['HS_ADMIN', '2020-07-29T04:52:30Z', expect.stringContaining('0.NA/10')],
      ...['BIN', '–', expect.stringContaining('AAEC//4=')],
      ...['NEW', '–', expect.stringContaining('</code><script>')],
    ]);
    expect(linksOf(body)).toEqual(['https://example.org/?a=1&b=%3C2%3E']);
  });

  test('has no table if there are no values', async () => {
    const { get } = await start();
    for (const target of ['/10.1000/none', '/10.1000/1?type=NOPE']) {
      const response = await get(target);
      expect(response.status).toBe(200);
      expectPage(response);
      expect(textsOf(response.body, 'table')).toEqual([]);
    }
  });
});

testTable<[string, number]>([
  ['/10.1000/%', 400],
  ['/10.1000/1?index=%3Cscript%3E', 400],
  ['/10.1000/error', 503],
  ['/10.1000/fault', 500],
])('an error page is harmless and has no details: %s, %d', async (target, status) => {
  const { get } = await start();
  const response = await get(target);
  expect(response.status).toBe(status);
  expectPage(response);
  expect(response.body).not.toContain('secret');
});

test('the body of a redirect has a link to the target, and no code', async () => {
  const { get } = await start();
  const { headers, body } = await get('/10.1000/1?urlappend=%26"%3Cscript%3E');
  expect(linksOf(body)).toEqual([headers['location']]);
  expect(executableIn(body)).toEqual([]);
});
