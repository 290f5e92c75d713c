// The name in the path of GET /{name}.

import { expect, test } from 'vitest';
import { testTable } from '../../support/test-table.ts';
import { startRest, value } from './rest-gateway.ts';

const HTML = 'text/html;charset=utf-8';

const start = () =>
  startRest({
    records: { '10.5555': [value('HS_SERV', '10.SERV/CROSSREF'), value('URL', 'https://example.org/', 2)] },
  });

const SCHEMES = [
  ...['', 'doi:', 'DOI:', 'hdl:', 'Hdl:', 'info:doi/', 'info:hdl/', 'INFO:DOI/', 'urn:doi:', 'URN:hdl:'],
].map((scheme): [string, string] => [`/${scheme}10.1000/1`, '10.1000/1']);

testTable<[string, string]>([
  ...SCHEMES,
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
  // A path has fewer forms than an input of GraphQL.
  ['/DOI%2010.1000/1', 'DOI 10.1000/1'],
  ['/doi:https://doi.org/10.1000/1', 'https://doi.org/10.1000/1'],
  ['/(10.1000/1)', '(10.1000/1)'],
  ['/%E2%80%9C10.1000/1%E2%80%9D', '“10.1000/1”'],
  ['/article/10.1000/1', 'article/10.1000/1'],
  // The gateway decodes the path once, and keeps all segments of the path.
  ['/10.1000/a%252Fb', '10.1000/a%2Fb'],
  ['/10.1000//a/./b/../c/', '10.1000//a/./b/../c/'],
  ['/10.1000/a+b', '10.1000/a+b'],
  ['/10.1000/%2E%2E/', '10.1000/../'],
  ['/%2010.1000/1', '10.1000/1'],
])('%s looks up %j', async (target, name) => {
  const { get, lookedUp } = await start();
  await get(target);
  expect(lookedUp()).toEqual([name]);
});

testTable([
  ...['/ab', '/doi:abcde', '/doi:', '/urn:doi:', '/info:doi/', '/favicon.ico', '/robots.txt', '/.env'],
  ...['/10', '/11.1000'],
])('a path that is not a handle gets a 404 in plain text: %s', async (target) => {
  const { get, calls } = await start();
  const { status, headers } = await get(target);
  expect(status).toBe(404);
  expect(headers['content-type']).toMatch(/^text\/plain/);
  expect(calls.resolve).toEqual([]);
});

testTable(['/10.1000/%', '/10.1000/%zz', '/10.1000/%ff', '/%ED%A0%80/1', '/doi:10.1000/%E2%82'])(
  'a path that cannot be decoded gets a page with status 400: %s',
  async (target) => {
    const { get, calls } = await start();
    const { status, headers } = await get(target);
    expect([status, headers['content-type']]).toEqual([400, HTML]);
    expect(calls.resolve).toEqual([]);
  },
);

test('the path of a prefix shows the record of the prefix, and never redirects', async () => {
  const { get, lookedUp } = await start();
  const { status, headers, body } = await get('/10.5555');
  expect([status, headers['content-type'], headers['location']]).toEqual([200, HTML, undefined]);
  expect(body).toContain('10.SERV/CROSSREF');
  expect((await get('/10.4444')).status).toBe(404);
  expect(lookedUp()).toEqual(['10.5555', '10.4444']);
});
