// Metadata by content negotiation: which redirects the gateway follows, and which responses it accepts.

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
import { answering, createProxyAt, failureOf, HTML, handleName, NOW } from '../proxy-under-test.ts';

const name = handleName('10.5555/é#1');
const TARGET = '/10.5555/%C3%A9%231';
const CSL_TYPE = { 'content-type': 'application/vnd.citationstyles.csl+json' };
const APA: MetadataFormat = { kind: 'citation', style: 'apa', locale: 'en-US' };

interface Stage {
  readonly directory: Directory;
  readonly proxy: DirectoryServer;
  readonly agency: DirectoryServer;
  logged(): string;
  describe(format?: MetadataFormat): Promise<MetadataAnswer>;
}

/** A proxy that redirects to a listed agency on loopback. */
async function start(behaviour: Behaviour, options: Partial<ProxyDirectoryOptions> = {}): Promise<Stage> {
  const agency = await startDirectoryServer(behaviour);
  const proxy = await startDirectoryServer(redirecting(`${agency.url.href}works/10.5555?a=b`));
  const metadataHosts = new Set([agency.url.host, 'api.crossref.org']);
  const { directory, logged } = createProxyAt(proxy.url, { metadataHosts, ...options });
  onTestFinished(async () => {
    await directory.close();
    await proxy.close();
    await agency.close();
  });
  const describe = (format: MetadataFormat = CSL) =>
    directory.describe?.(name, format) ?? Promise.reject(new Error('metadata is off'));
  return { directory, proxy, agency, logged, describe };
}

/** The CSL of a work if the service sent only a title. */
const cleaned = (title: string) => ({ id: name, type: 'document', DOI: name, title });

function redirecting(location: string, status = 302): Behaviour {
  return answering(status, '<html>', { location, ...HTML });
}

const ABSENT = { content: null, source: '', freshUntil: NOW + 3_600_000 };

describe('metadata', () => {
  test('comes from the target of the redirect', async () => {
    const csl = JSON.stringify({ title: 'T', reference: [{ key: '1' }] });
    const { describe: lookUp, proxy, agency } = await start(answering(200, csl, CSL_TYPE));
    expect(await lookUp()).toEqual({
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
    const { describe: lookUp } = await start(answering(200, '{"author":[{"family":"A"}]}', CSL_TYPE));
    const { content } = await lookUp();
    expect(Object.isFrozen(content)).toBe(true);
    expect(Object.isFrozen((content as { author: unknown[] }).author[0])).toBe(true);
  });

  testTable<[string, MetadataFormat, string | Buffer, unknown]>([
    ['application/json; charset=utf-8', CSL, '{"title":"é"}', cleaned('é')],
    ['application/vnd.citationstyles.csl+json;charset=UTF-8', CSL, '{"title":"é"}', cleaned('é')],
    ['text/plain; charset=ISO-8859-1', APA, Buffer.from('M\u00fcller', 'latin1'), 'Müller'],
    ['text/x-bibliography', APA, ' Müller\u0007 (2020).\r\n', 'Müller (2020).'],
    [
      'text/x-bibliography',
      APA,
      '<div>Müller &amp; Ba. <i>On H<sub>2</sub>O</i> &lt; 5.</div>\n',
      'Müller & Ba. On H2O < 5.',
    ],
  ])('is read from a response of the type %s in the format %j', async (type, format, body, content) => {
    const { describe: lookUp } = await start(answering(200, body, { 'content-type': type }));
    expect((await lookUp(format)).content).toEqual(content);
  });

  test('is requested as a citation in a style and a locale', async () => {
    const { describe: lookUp, agency } = await start(answering(404));
    await lookUp(APA);
    expect(agency.lastHeaders()['accept']).toBe('text/x-bibliography; style=apa; locale=en-US');
  });

  test('follows an alias within the directory', async () => {
    const { describe: lookUp, proxy, agency } = await start(answering(200, '{"title":"T"}', CSL_TYPE));
    proxy.behave((request, response) => {
      const to = request.url === TARGET ? '/10.5555/2' : `${agency.url.href}w`;
      redirecting(to)(request, response);
    });
    expect((await lookUp()).content).toEqual(cleaned('T'));
    expect(proxy.targets).toEqual([TARGET, '/10.5555/2']);
  });
});

test('failures of one path with different queries do not start a probe', async () => {
  const { describe: lookUp, proxy, agency } = await start(answering(500), { retries: 0 });
  let count = 0;
  proxy.behave((request, response) => {
    count += 1;
    redirecting(`${agency.url.href}w?${count}`)(request, response);
  });
  for (let times = 0; times < 6; times += 1) await expect(lookUp()).rejects.toThrow();
  expect(agency.targets).toHaveLength(6);
});

describe('metadata is absent', () => {
  testTable([204, 404, 406, 410])('if the service responds with status %i', async (status) => {
    const { describe: lookUp } = await start(answering(status));
    expect(await lookUp()).toMatchObject(ABSENT);
  });

  test('if the directory does not have the name', async () => {
    const { describe: lookUp, proxy, agency } = await start(answering(200, '{}', CSL_TYPE));
    proxy.behave(answering(404, '<html>', HTML));
    expect(await lookUp()).toMatchObject(ABSENT);
    expect(agency.targets).toEqual([]);
  });

  testTable([
    ['the page of a publisher', 'https://publisher.example/article'],
    ['http instead of https', 'http://api.crossref.org/works'],
    ['a private address', 'https://10.0.0.1/latest/meta-data'],
    ['an unlisted loopback address', 'http://127.0.0.1:1/'],
    ['a link-local address', 'http://169.254.169.254/'],
    ['a listed host with a password', 'https://user:pass@api.crossref.org/'],
    ['a listed host at another port', 'https://api.crossref.org:8443/'],
    ['a file', 'file:///etc/passwd'],
    ['data', 'data:application/json,{}'],
    ['an invalid URL', 'http://['],
  ])('if the directory redirects to %s, which gets no request', async (_, location) => {
    const { describe: lookUp, proxy, agency } = await start(answering(200, '{}', CSL_TYPE));
    proxy.behave(redirecting(location));
    expect(await lookUp()).toMatchObject(ABSENT);
    expect(agency.targets).toEqual([]);
  });
});

describe('a failure of the service', () => {
  testTable([
    ['HTML', answering(200, '<html>', HTML), 'UPSTREAM_BAD_RESPONSE'],
    ['HTML with the type of JSON', answering(200, '<html>', CSL_TYPE), 'UPSTREAM_BAD_RESPONSE'],
    ['no content type', answering(200, '{}', { 'content-type': '' }), 'UPSTREAM_BAD_RESPONSE'],
    ['JSON that is not an object', answering(200, '[]', CSL_TYPE), 'UPSTREAM_BAD_RESPONSE'],
    [
      'bytes that are not UTF-8',
      answering(200, Buffer.from([0x22, 0xff, 0x22]), CSL_TYPE),
      'UPSTREAM_BAD_RESPONSE',
    ],
    [
      'an unknown charset',
      answering(200, '{}', { 'content-type': 'application/json; charset=x-none' }),
      'UPSTREAM_BAD_RESPONSE',
    ],
    ['10 MB', answering(200, `"${'a'.repeat(10_000_000)}"`, CSL_TYPE), 'UPSTREAM_BAD_RESPONSE'],
    [
      'too deep JSON',
      answering(200, `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, CSL_TYPE),
      'UPSTREAM_BAD_RESPONSE',
    ],
    ['status 400', answering(400, '{}', CSL_TYPE), 'UPSTREAM_BAD_RESPONSE'],
    ['status 500', answering(500), 'UPSTREAM_UNAVAILABLE'],
    ['a redirect without a location', answering(302), 'UPSTREAM_BAD_RESPONSE'],
    ['a redirect to an unlisted host', redirecting('https://publisher.example/'), 'UPSTREAM_BAD_RESPONSE'],
    ['a redirect to a file', redirecting('file:///etc/passwd'), 'UPSTREAM_BAD_RESPONSE'],
    ['a redirect to itself', redirecting('?again'), 'UPSTREAM_BAD_RESPONSE'],
  ])('with %s is an error', async (_, behaviour, code) => {
    const { describe: lookUp } = await start(behaviour);
    const failure = await failureOf(lookUp());
    expect(failure.code).toBe(code);
    expect(failure.message).not.toMatch(/127\.0\.0\.1|publisher|passwd|html/i);
  });

  testTable([
    [3, 'are followed'],
    [4, 'are a failure'],
  ])('%i redirects in a row %s', async (redirects) => {
    const { describe: lookUp, agency } = await start((request, response) => {
      const at = Number(/\/moved\/(\d)/.exec(request.url ?? '')?.[1] ?? 1);
      const isLast = at === redirects;
      (isLast ? answering(200, '{"title":"T"}', CSL_TYPE) : redirecting(`/moved/${at + 1}`, 307))(
        request,
        response,
      );
    });
    const outcome = await lookUp().catch(({ code }: { code: string }) => code);
    expect(outcome).toEqual(
      redirects <= 3 ? expect.objectContaining({ content: cleaned('T') }) : 'UPSTREAM_BAD_RESPONSE',
    );
    expect(agency.targets).toHaveLength(3);
  });

  test('because of a redirect is logged with the host and the target', async () => {
    const { describe: lookUp, agency, logged } = await start(redirecting('https://publisher.example/'));
    await failureOf(lookUp());
    expect(logged()).toContain('the redirect to https://publisher.example/ is not allowed');
    expect(logged()).toContain(`"base":"${agency.url.origin}"`);
  });

  test('has another message than a failure of the directory', async () => {
    const { describe: lookUp, agency } = await start(answering(503));
    expect(await failureOf(lookUp())).toMatchObject({
      message: "The agency's service is down. Try again.",
      details: { host: agency.url.host },
    });
  });
});

test('an abort ends the request to the service', async () => {
  const closed: Promise<unknown>[] = [];
  const { directory } = await start(({ socket }) => closed.push(once(socket, 'close')));
  const controller = new AbortController();
  const answer = directory.describe?.(name, CSL, { signal: controller.signal });
  await expect.poll(() => closed.length).toBe(1);
  controller.abort(new Error('gone'));
  await expect(answer).rejects.toThrow('gone');
  await Promise.all(closed);
});

test('a directory without metadata hosts has no metadata', () => {
  const { directory } = createProxyAt(new URL('http://127.0.0.1:1'));
  onTestFinished(() => directory.close());
  expect(directory.describe).toBeUndefined();
});
