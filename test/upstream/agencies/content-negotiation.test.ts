// What agencies answer, and where the gateway lets itself be sent.

import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Directory, MetadataAnswer } from '../../../src/directory/directory.ts';
import type { ProxyDirectoryOptions } from '../../../src/upstream/proxy.ts';
import { CSL, type MetadataFormat } from '../../../src/works/metadata-format.ts';
import {
  type Behaviour,
  type DirectoryServer,
  startDirectoryServer,
} from '../../support/directory-server.ts';
import { testTable } from '../../support/test-table.ts';
import { createManualTime } from '../manual-time.ts';
import { answering, createProxyAt, failureOf, handleName, NOW } from '../proxy-under-test.ts';

const name = handleName('10.5555/é#1');
const TARGET = '/10.5555/%C3%A9%231';
const CSL_TYPE = { 'content-type': 'application/vnd.citationstyles.csl+json' };
const APA: MetadataFormat = { kind: 'citation', style: 'apa', locale: 'en-US' };

interface Stage {
  readonly directory: Directory;
  readonly proxy: DirectoryServer;
  readonly agency: DirectoryServer;
  /** what was logged */
  logged(): string;
  describe(format?: MetadataFormat): Promise<MetadataAnswer>;
}

/** A proxy that sends to an agency on the same machine, which is listed. */
async function stage(behaviour: Behaviour, options: Partial<ProxyDirectoryOptions> = {}): Promise<Stage> {
  const agency = await startDirectoryServer(behaviour);
  const proxy = await startDirectoryServer(redirecting(`${agency.url.href}works/10.5555?a=b`));
  const metadataHosts = new Set([agency.url.host, 'api.crossref.org']);
  const { directory, logged } = createProxyAt(proxy.url, { metadataHosts, ...options });
  onTestFinished(async () => {
    await directory.close();
    await proxy.close();
    await agency.close();
  });
  const ask = (format: MetadataFormat = CSL) =>
    directory.describe?.(name, format) ?? Promise.reject(new Error('metadata is off'));
  return { directory, proxy, agency, logged, describe: ask };
}

/** The CSL of a work whose service sent only a title. */
const cleaned = (title: string) => ({ id: name, type: 'document', DOI: name, title });

function redirecting(location: string, status = 302): Behaviour {
  return answering(status, '<html>', { location, 'content-type': 'text/html' });
}

const none = { content: null, source: '', freshUntil: NOW + 3_600_000 };

describe('metadata', () => {
  test('comes from where the proxy sends', async () => {
    const csl = JSON.stringify({ title: 'T', reference: [{ key: '1' }] });
    const { describe: ask, proxy, agency } = await stage(answering(200, csl, CSL_TYPE));
    expect(await ask()).toEqual({
      content: cleaned('T'),
      source: agency.url.host,
      fetchedAt: NOW,
      freshUntil: NOW + 86_400_000,
      stale: false,
    });
    expect(proxy.targets).toEqual([TARGET]);
    expect(proxy.lastHeaders()).toMatchObject({
      accept: CSL_TYPE['content-type'],
      'user-agent': 'doi-gateway/0.0.0',
    });
    expect(agency.targets).toEqual(['/works/10.5555?a=b']);
    expect(agency.lastHeaders()['accept']).toBe(CSL_TYPE['content-type']);
  });

  test('is frozen', async () => {
    const { describe: ask } = await stage(answering(200, '{"author":[{"family":"A"}]}', CSL_TYPE));
    const { content } = await ask();
    expect(Object.isFrozen(content)).toBe(true);
    expect(Object.isFrozen((content as { author: unknown[] }).author[0])).toBe(true);
  });

  testTable([
    ['application/json', 'application/json; charset=utf-8'],
    ['another JSON', 'application/vnd.citationstyles.csl+json;charset=UTF-8'],
  ])('is taken as %s', async (_, type) => {
    const { describe: ask } = await stage(answering(200, '{"title":"é"}', { 'content-type': type }));
    expect((await ask()).content).toEqual(cleaned('é'));
  });

  testTable([
    [
      'a citation',
      APA,
      'text/x-bibliography; style=apa; locale=en-US',
      ' Müller\u0007 (2020).\r\n',
      'Müller (2020).',
    ],
    [
      'a citation in HTML',
      APA,
      'text/x-bibliography; style=apa; locale=en-US',
      '<div>Müller &amp; Ba. <i>On H<sub>2</sub>O</i> &lt; 5.</div>\n',
      'Müller & Ba. On H2O < 5.',
    ],
  ])('is asked for as %s', async (_, format, accept, body, text) => {
    const type = { 'content-type': accept.split(';')[0] as string };
    const { describe: ask, agency } = await stage(answering(200, body, type));
    expect((await ask(format)).content).toBe(text);
    expect(agency.lastHeaders()['accept']).toBe(accept);
  });

  test('is read in the charset that it comes in', async () => {
    const latin = Buffer.from('M\u00fcller', 'latin1');
    const { describe: ask } = await stage(
      answering(200, latin, { 'content-type': 'text/plain; charset=ISO-8859-1' }),
    );
    expect((await ask(APA)).content).toBe('Müller');
  });

  test('follows an alias within the directory', async () => {
    const { describe: ask, proxy, agency } = await stage(answering(200, '{"title":"T"}', CSL_TYPE));
    proxy.behave((request, response) => {
      const to = request.url === TARGET ? '/10.5555/2' : `${agency.url.href}w`;
      redirecting(to)(request, response);
    });
    expect((await ask()).content).toEqual(cleaned('T'));
    expect(proxy.targets).toEqual([TARGET, '/10.5555/2']);
  });

  test('keeps its connections: a redirect ends none', async () => {
    const {
      describe: ask,
      proxy,
      agency,
    } = await stage(answering(200, '{"title":"T"}', CSL_TYPE), {
      maxConnections: 1,
    });
    const sockets = new Set<unknown>();
    proxy.behave((request, response) => {
      sockets.add(request.socket);
      response.writeHead(302, { location: `${agency.url.href}w`, 'content-type': 'text/html' });
      // The page comes after the head.
      response.write('<html>', () => setTimeout(() => response.end('</html>'), 50));
    });
    await ask();
    await ask();
    expect(proxy.targets).toHaveLength(2);
    expect(sockets.size).toBe(1);
  });

  test('follows a redirect of the service', async () => {
    const { describe: ask, agency } = await stage((request, response) => {
      const isMoved = request.url?.startsWith('/moved');
      (isMoved ? answering(200, '{"title":"T"}', CSL_TYPE) : redirecting('/moved/1', 307))(request, response);
    });
    expect((await ask()).content).toEqual(cleaned('T'));
    expect(agency.targets).toEqual(['/works/10.5555?a=b', '/moved/1']);
  });
});

test('failures of one path with different queries are no sign of an outage, so no probe is sent', async () => {
  const { describe: ask, proxy, agency } = await stage(answering(500), { retries: 0 });
  let count = 0;
  proxy.behave((request, response) => {
    count += 1;
    redirecting(`${agency.url.href}w?${count}`)(request, response);
  });
  for (let times = 0; times < 6; times += 1) await expect(ask()).rejects.toThrow();
  expect(agency.targets).toHaveLength(6);
});

describe('an agency that has none', () => {
  testTable([204, 404, 406, 410])('says so with status %i', async (status) => {
    const { describe: ask } = await stage(answering(status));
    expect(await ask()).toMatchObject(none);
  });

  test('is also where the directory knows no such name', async () => {
    const { describe: ask, proxy, agency } = await stage(answering(200, '{}', CSL_TYPE));
    proxy.behave(answering(404, '<html>', { 'content-type': 'text/html' }));
    expect(await ask()).toMatchObject(none);
    expect(agency.targets).toEqual([]);
  });

  testTable([
    ['the page of a publisher', 'https://publisher.example/article'],
    ['http in place of https', 'http://api.crossref.org/works'],
    ['a private address', 'https://10.0.0.1/latest/meta-data'],
    ['an address of this machine that is not listed', 'http://127.0.0.1:1/'],
    ['a link-local address', 'http://169.254.169.254/'],
    ['a listed host with a password', 'https://user:pass@api.crossref.org/'],
    ['a listed host at another port', 'https://api.crossref.org:8443/'],
    ['a file', 'file:///etc/passwd'],
    ['data', 'data:application/json,{}'],
    ['nothing', 'http://['],
  ])('is also where the directory leads to %s, which is not asked', async (_, location) => {
    const { describe: ask, proxy, agency } = await stage(answering(200, '{}', CSL_TYPE));
    proxy.behave(redirecting(location));
    expect(await ask()).toMatchObject(none);
    expect(agency.targets).toEqual([]);
  });
});

describe('a service that fails', () => {
  testTable([
    ['HTML', answering(200, '<html>', { 'content-type': 'text/html' }), 'UPSTREAM_BAD_RESPONSE'],
    ['HTML that says it is JSON', answering(200, '<html>', CSL_TYPE), 'UPSTREAM_BAD_RESPONSE'],
    ['no content type', answering(200, '{}', { 'content-type': '' }), 'UPSTREAM_BAD_RESPONSE'],
    ['JSON that is no object', answering(200, '[]', CSL_TYPE), 'UPSTREAM_BAD_RESPONSE'],
    ['what is not UTF-8', answering(200, Buffer.from([0x22, 0xff, 0x22]), CSL_TYPE), 'UPSTREAM_BAD_RESPONSE'],
    [
      'an unknown charset',
      answering(200, '{}', { 'content-type': 'application/json; charset=x-none' }),
      'UPSTREAM_BAD_RESPONSE',
    ],
    ['10 MB', answering(200, `"${'a'.repeat(10_000_000)}"`, CSL_TYPE), 'UPSTREAM_BAD_RESPONSE'],
    [
      'too deep',
      answering(200, `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, CSL_TYPE),
      'UPSTREAM_BAD_RESPONSE',
    ],
    ['status 400', answering(400, '{}', CSL_TYPE), 'UPSTREAM_BAD_RESPONSE'],
    ['status 500', answering(500), 'UPSTREAM_UNAVAILABLE'],
    ['a redirect without a location', answering(302), 'UPSTREAM_BAD_RESPONSE'],
    ['a redirect elsewhere', redirecting('https://publisher.example/'), 'UPSTREAM_BAD_RESPONSE'],
    ['a redirect to a file', redirecting('file:///etc/passwd'), 'UPSTREAM_BAD_RESPONSE'],
    ['a redirect to itself', redirecting('?again'), 'UPSTREAM_BAD_RESPONSE'],
  ])('with %s is no absence', async (_, behaviour, code) => {
    const { describe: ask } = await stage(behaviour);
    const failure = await failureOf(ask());
    expect(failure.code).toBe(code);
    expect(failure.message).not.toMatch(/127\.0\.0\.1|publisher|passwd|html/i);
  });

  test('is asked four times at the most, whatever it sends', async () => {
    const { describe: ask, proxy, agency } = await stage(redirecting('?again'));
    await failureOf(ask());
    expect([proxy.targets.length, agency.targets.length]).toEqual([1, 3]);
  });

  testTable([
    [3, 'is followed'],
    [4, 'is not'],
  ])('with %i redirects in a row %s', async (redirects) => {
    const { describe: ask, agency } = await stage((request, response) => {
      const at = Number(/\/moved\/(\d)/.exec(request.url ?? '')?.[1] ?? 1);
      const isLast = at === redirects;
      (isLast ? answering(200, '{"title":"T"}', CSL_TYPE) : redirecting(`/moved/${at + 1}`))(
        request,
        response,
      );
    });
    const outcome = await ask().catch(({ code }: { code: string }) => code);
    expect(outcome).toEqual(
      redirects <= 3 ? expect.objectContaining({ content: cleaned('T') }) : 'UPSTREAM_BAD_RESPONSE',
    );
    expect(agency.targets).toHaveLength(3);
  });

  test('by a redirect elsewhere is told to the log, with its host and where it sends', async () => {
    const { describe: ask, agency, logged } = await stage(redirecting('https://publisher.example/'));
    await failureOf(ask());
    expect(logged()).toContain('the redirect to https://publisher.example/ is not allowed');
    expect(logged()).toContain(`"base":"${agency.url.origin}"`);
  });

  test('is told from the directory', async () => {
    const { describe: ask, agency } = await stage(answering(503));
    expect(await failureOf(ask())).toMatchObject({
      message: "The agency's service is down. Try again.",
      details: { host: agency.url.host },
    });
  });

  test('with 429 says when to come again', async () => {
    const { describe: ask } = await stage(answering(429, '', { 'retry-after': '30' }));
    expect(await failureOf(ask())).toMatchObject({
      code: 'UPSTREAM_RATE_LIMITED',
      details: { retryAfterSeconds: 30 },
    });
  });

  test('in the middle of its answer', async () => {
    const { describe: ask } = await stage((_, response) => {
      response.writeHead(200, { ...CSL_TYPE, 'content-length': '100' });
      response.write('{"title":');
      response.destroy();
    });
    expect((await failureOf(ask())).code).toBe('UPSTREAM_UNAVAILABLE');
  });

  test('slowly ends with its time', async () => {
    const time = createManualTime();
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const { describe: ask } = await stage(() => asked(), { time, timeoutMs: 1_000 });
    const failure = failureOf(ask());
    await isAsked;
    time.advance(1_000);
    expect((await failure).code).toBe('UPSTREAM_TIMEOUT');
  });

  test('costs no record: the directory is not taken for ill', async () => {
    const { describe: ask, directory, proxy } = await stage(answering(500));
    await failureOf(ask());
    proxy.behave(answering(404, JSON.stringify({ responseCode: 100, handle: name })));
    expect((await directory.resolve(name)).status).toBe('HANDLE_NOT_FOUND');
    expect(directory.status().available).toBe(true);
  });
});

describe('who no longer waits', () => {
  test('ends the request to the service', async () => {
    const hungUp: Promise<unknown>[] = [];
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const { directory } = await stage((request) => {
      hungUp.push(once(request.socket, 'close'));
      asked();
    });
    const controller = new AbortController();
    const answer = directory.describe?.(name, CSL, { signal: controller.signal });
    await isAsked;
    controller.abort(new Error('gone'));
    await expect(answer).rejects.toThrow('gone');
    await Promise.all(hungUp);
  });
});

test('without hosts there is no metadata', () => {
  const { directory } = createProxyAt(new URL('http://127.0.0.1:1'));
  onTestFinished(() => directory.close());
  expect(directory.describe).toBeUndefined();
});
