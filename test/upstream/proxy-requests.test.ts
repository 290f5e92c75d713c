import { handlesTarget, whichRaPath, whichRaTarget } from 'doi-names/parts';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { ResolveOptions } from '../../src/directory/directory.ts';
import { startDirectoryServer } from '../support/directory-server.ts';
import { createTestGateway } from '../support/gateway.ts';
import { testTable } from '../support/test-table.ts';
import { answering, createProxyAt, failureOf, handleName, startProxy } from './proxy-under-test.ts';

async function targetOf(text: string, options: ResolveOptions = {}): Promise<string | undefined> {
  const { directory, server } = await startProxy();
  const name = handleName(text);
  await directory.resolve(name, options).catch(() => {});
  expect(server.targets).toHaveLength(1);
  return server.targets[0];
}

testTable([
  ['10.1000/182', '10.1000/182'],
  ['10.1000/a/b', '10.1000/a/b'],
  ['10.1000//a//', '10.1000//a//'],
  ['10.1000/A-z_0.9~', '10.1000/A-z_0.9~'],
  ["10.1000/!$&'()*,;=:@", "10.1000/!$&'()*,;=:@"],
  ['10.1000/a+b', '10.1000/a+b'],
  ['10.1000/a b', '10.1000/a%20b'],
  ['10.1000/a\\b', '10.1000/a%5Cb'],
  ['10.1000/100%', '10.1000/100%25'],
  ['10.1000/a%2Fb', '10.1000/a%252Fb'],
  ['10.1000/a%2e%2e', '10.1000/a%252e%252e'],
  ['10.1000/a#b?c', '10.1000/a%23b%3Fc'],
  ['10.1000/"<>[]^`{|}', '10.1000/%22%3C%3E%5B%5D%5E%60%7B%7C%7D'],
  ['10.1000/é', '10.1000/%C3%A9'],
  ['10.1000/e\u0301', '10.1000/e%CC%81'],
  ['10.1000/日😀', '10.1000/%E6%97%A5%F0%9F%98%80'],
  ['10.1000/a\r\nb\u0000\u007f', '10.1000/a%0D%0Ab%00%7F'],
  ['10.1000', '10.1000'],
  ['0.NA/10.5555', '0.NA/10.5555'],
  ['10/abcde', '10/abcde'],
  ['10.1000/./a', '10.1000/.%2Fa'],
  ['10.1000/../a', '10.1000/..%2Fa'],
  ['10.1000/a/./../b', '10.1000/a/.%2F..%2Fb'],
  ['10.1000/a/.', '10.1000/a%2F.'],
  ['10.1000/a/..', '10.1000/a%2F..'],
  ['10.1000/..', '10.1000%2F..'],
  ['10.1000/.../..a/.b', '10.1000/.../..a/.b'],
  ['10.1000/a../b./c', '10.1000/a../b./c'],
  ['../a', '..%2Fa'],
  ['./a', '.%2Fa'],
  ['../../a', '..%2F..%2Fa'],
  ['é'.repeat(1_000), '%C3%A9'.repeat(1_000)],
])('the path of %j is /api/handles/%s', async (name, path) => {
  expect(await targetOf(name)).toBe(`/api/handles/${path}`);
});

test.each(['.', '..'])('the path of %j has an encoded slash, so that it is not normalized', async (name) => {
  expect(await targetOf(name)).toBe(`/api/handles%2F${name}`);
});

test('a path is not normalized, with a base path and flags, for any name', () => {
  const parts = fc.constantFrom('.', '..', '/', 'a', '10.1', '%2e', ',', '?', 'é');
  const names = fc.array(parts, { minLength: 1, maxLength: 6 }).map((chosen) => chosen.join(''));
  const expectSame = (path: string) =>
    expect(new URL(`http://proxy.test/base${path}?auth=true`).pathname).toBe(`/base${path}`);
  fc.assert(
    fc.property(names, (text) => {
      const name = handleName(text);
      const path = handlesTarget(name);
      expectSame(path);
      expect(decodeURIComponent(path)).toBe(`/api/handles/${name}`);
      expectSame(whichRaTarget([name, name].map(whichRaPath).join(',')));
      const agency = whichRaTarget(whichRaPath(name));
      expectSame(agency);
      expect(decodeURIComponent(agency)).toBe(`/doiRA/${name}`);
    }),
  );
});

test('a Which RA path has a comma between names, and encoded commas within names', async () => {
  const { directory, server } = await startProxy();
  const names = ['10.1000/a,b', '10.1000/../c', '10.1000/é+"', '10.1000'].map(handleName);
  await Promise.all(directory.whichRa(names));
  expect(server.targets).toEqual(['/doiRA/10.1000/a%2Cb,10.1000/..%2Fc,10.1000/%C3%A9%2B%22,10.1000']);
});

test.each(['/proxy', '/proxy/', '/a%2Fb/c'])('the path %s of a base URL is kept', async (path) => {
  const server = await startDirectoryServer(answering(404, '{}'));
  const { directory } = createProxyAt(new URL(path, server.url));
  onTestFinished(async () => {
    await directory.close();
    await server.close();
  });
  const name = handleName('10.1000/../x');
  await failureOf(directory.resolve(name));
  await Promise.allSettled(directory.whichRa([name]));
  const base = path.replace(/\/$/, '');
  expect(server.targets).toEqual([`${base}/api/handles/10.1000/..%2Fx`, `${base}/doiRA/10.1000/..%2Fx`]);
  expect(directory.description).toMatchObject({ kind: 'PROXY', baseUrls: [`${server.url.origin}${base}`] });
});

test.each<[ResolveOptions, string]>([
  [{}, ''],
  [{ auth: false, cert: false }, ''],
  [{ auth: true }, '?auth=true'],
  [{ cert: true }, '?cert=true'],
  [{ auth: true, cert: true }, '?auth=true&cert=true'],
])('the query for %j is %j', async (options, query) => {
  expect(await targetOf('10.1000/a?b', options)).toBe(`/api/handles/10.1000/a%3Fb${query}`);
});

test('a request accepts JSON', async () => {
  const { directory, server } = await startProxy();
  await directory.resolve(handleName('10.1000/1'));
  expect(server.lastHeaders()).toMatchObject({ accept: 'application/json', host: server.url.host });
});

test.each([
  ['', {}, /^doi-gateway\/\d+\.\d+\.\d+$/],
  [
    ' and the contact',
    { CONTACT: 'ops@example.org' },
    /^doi-gateway\/\d+\.\d+\.\d+ \(mailto:ops@example\.org\)$/,
  ],
])('the user agent names the gateway%s', async (_, env, userAgent) => {
  const server = await startDirectoryServer();
  const gateway = await createTestGateway({}, { ...env, DOI_DIRECTORY_URL: server.url.href });
  onTestFinished(async () => {
    await gateway.close();
    await server.close();
  });
  await gateway.query('{ doi(input: "10.1000/1") { exists } }');
  expect(server.targets).toEqual(['/api/handles/10.1000/1']);
  expect(server.lastHeaders()['user-agent']).toMatch(userAgent);
});

test.each([301, 302, 303, 307, 308])('a redirect with status %d is not followed', async (status) => {
  const other = await startDirectoryServer();
  onTestFinished(() => other.close());
  for (const location of [new URL('/api/handles/10.1000/1', other.url).href, '/api/handles/10.1000/2']) {
    const { directory, server } = await startProxy(answering(status, '{}', { location }));
    const { code } = await failureOf(directory.resolve(handleName('10.1000/1')));
    expect(code).toBe('UPSTREAM_BAD_RESPONSE');
    expect(server.targets).toEqual(['/api/handles/10.1000/1']);
  }
  expect(other.targets).toEqual([]);
});
