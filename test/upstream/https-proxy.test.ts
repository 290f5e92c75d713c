// The proxy of HTTPS_PROXY: which requests go through it, and which limits the gateway still applies.

import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ProxyClientOptions } from '../../src/upstream/proxy-client.ts';
import { CSL } from '../../src/works/metadata-format.ts';
import { startDirectoryServer } from '../support/directory-server.ts';
import { createGet, listening, startAgency, startHttpsProxy } from './https-servers.ts';
import { answering, createProxyAt, failureOf, handleName } from './proxy-under-test.ts';

beforeEach(() => {
  // The test servers have a self-signed certificate. One test restores the check.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  return () => vi.unstubAllEnvs();
});

const neverLookUp: ProxyClientOptions['lookup'] = (host, _, done) =>
  done(new Error(`${host} was looked up`), '');
const atLoopback: ProxyClientOptions['lookup'] = (_host, _options, done) =>
  done(null, [{ address: '127.0.0.1', family: 4 }]);

describe('a request over https', () => {
  test('goes through a tunnel that the next request reuses, and the proxy looks up the address of the host', async () => {
    const { port, requests } = await startAgency();
    const { connects, httpsProxy } = await startHttpsProxy(port);
    const get = createGet('https://agency.example', { httpsProxy, lookup: neverLookUp });
    expect([await get(), await get()]).toEqual(['from the agency', 'from the agency']);
    expect(connects).toEqual([{ target: 'agency.example:443', authorization: undefined }]);
    expect(requests.map(({ headers }) => headers.host)).toEqual(['agency.example', 'agency.example']);
    expect(requests[0]?.headers['proxy-authorization']).toBeUndefined();
  });

  test('gets a new tunnel if the agency has closed the last tunnel', async () => {
    const { port } = await startAgency(answering(200, 'once', { connection: 'close' }));
    const { connects, httpsProxy } = await startHttpsProxy(port);
    const get = createGet('https://agency.example', { httpsProxy });
    for (let at = 0; at < 3; at += 1) expect(await get()).toBe('once');
    expect(connects).toHaveLength(3);
  });

  test('sends the user name and password of the URL only to the proxy', async () => {
    const { port, requests } = await startAgency();
    const { connects, httpsProxy } = await startHttpsProxy(port);
    const url = new URL(httpsProxy.url);
    url.username = 'me';
    url.password = 'p%40ss';
    await createGet('https://agency.example', { httpsProxy: { ...httpsProxy, url } })();
    expect(connects[0]?.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
    expect(requests[0]?.headers['proxy-authorization']).toBeUndefined();
  });

  test('fails if the certificate of the host in the tunnel is not trusted', async () => {
    vi.unstubAllEnvs();
    const { port, requests } = await startAgency();
    const { connects, httpsProxy } = await startHttpsProxy(port);
    const failure = await failureOf(createGet('https://agency.example', { httpsProxy })());
    expect(failure.cause).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(connects).toHaveLength(1);
    expect(requests).toHaveLength(0);
  });

  test.each([
    ['a host of NO_PROXY', 'other.example, agency.example', 'agency.example'],
    ['a subdomain of NO_PROXY', '.example', 'agency.example'],
    ['any host if NO_PROXY is *', '*', 'agency.example'],
    ['a loopback address', '', '127.0.0.1'],
    ['localhost', '', 'localhost'],
  ])('goes without the proxy to %s', async (_, noProxy, host) => {
    const { port } = await startAgency();
    const { connects, httpsProxy } = await startHttpsProxy(port);
    const get = createGet(`https://${host}:${port}`, {
      httpsProxy: { ...httpsProxy, noProxy },
      lookup: atLoopback,
    });
    expect(await get()).toBe('from the agency');
    expect(connects).toEqual([]);
  });

  test('goes through the configured proxy, and other variables have no effect', async () => {
    vi.stubEnv('https_proxy', 'http://127.0.0.1:1');
    vi.stubEnv('http_proxy', 'no URL');
    vi.stubEnv('no_proxy', '*');
    const { port } = await startAgency();
    const { connects, httpsProxy } = await startHttpsProxy(port);
    expect(await createGet('https://agency.example', { httpsProxy })()).toBe('from the agency');
    expect(connects).toHaveLength(1);
  });
});

test('a request over http goes without the proxy', async () => {
  const server = await startDirectoryServer(answering(200, 'direct'));
  onTestFinished(() => server.close());
  const { connects, httpsProxy } = await startHttpsProxy(1);
  const get = createGet(`http://agency.example:${server.url.port}`, { httpsProxy, lookup: atLoopback });
  expect(await get()).toBe('direct');
  expect(connects).toEqual([]);
});

describe('a request fails with NO_CONNECTION if', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['the proxy refuses the tunnel', (socket) => void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')],
    ['the proxy wants a password', (socket) => void socket.end('HTTP/1.1 407 Authenticate\r\n\r\n')],
    ['the proxy closes the connection', (socket) => void socket.destroy()],
    ['the proxy sends another protocol', (socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
  ])('%s', async (_, refuse) => {
    const { connects, httpsProxy } = await startHttpsProxy(1, refuse);
    const failure = await failureOf(createGet('https://agency.example', { httpsProxy })());
    expect(failure).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', kind: 'NO_CONNECTION' });
    expect(connects).toHaveLength(1);
  });

  test('the proxy does not listen', async () => {
    const server = createTcpServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const httpsProxy = { url: new URL(`http://127.0.0.1:${port}`), noProxy: '' };
    const failure = await failureOf(createGet('https://agency.example', { httpsProxy })());
    expect(failure).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', kind: 'NO_CONNECTION' });
  });
});

test('the limit of header bytes also holds within a tunnel', async () => {
  const { port } = await startAgency(({ socket }) => {
    const lines = Buffer.from('a:\r\n'.repeat(16_384));
    const pour = (): void => {
      while (!socket.destroyed && socket.write(lines));
    };
    socket.on('error', () => undefined);
    socket.on('drain', pour);
    socket.write('HTTP/1.1 200 OK\r\n');
    pour();
  });
  const { httpsProxy } = await startHttpsProxy(port);
  const failure = await failureOf(createGet('https://agency.example', { httpsProxy })());
  expect(failure).toMatchObject({ code: 'UPSTREAM_BAD_RESPONSE', kind: 'TOO_LARGE' });
});

test('a connection on which the host never starts TLS does not block later requests to the host', async () => {
  let accepted = 0;
  let agencyPort = 0;
  const silent = createTcpServer((socket) => {
    accepted += 1;
    // Only the first connection is silent.
    if (accepted > 1) socket.pipe(connect(agencyPort, '127.0.0.1')).pipe(socket);
  });
  const port = await listening(silent);
  agencyPort = (await startAgency()).port;
  const get = createGet(`https://127.0.0.1:${port}`, { timeoutMs: 500 });
  expect((await failureOf(get())).code).toBe('UPSTREAM_TIMEOUT');
  await expect.poll(() => get().catch(() => 'none'), { timeout: 15_000 }).toBe('from the agency');
});

test('metadata comes through the proxy, and the proxy looks up the address of the listed host', async () => {
  const { port } = await startAgency(
    answering(200, '{"title":"T"}', { 'content-type': 'application/vnd.citationstyles.csl+json' }),
  );
  const { connects, httpsProxy } = await startHttpsProxy(port);
  const location = 'https://agency.example/work';
  const directoryServer = await startDirectoryServer(answering(302, '', { location }));
  const metadataHosts = new Set(['agency.example']);
  const { directory } = createProxyAt(directoryServer.url, { httpsProxy, metadataHosts });
  onTestFinished(async () => {
    await directory.close();
    await directoryServer.close();
  });
  const answer = await directory.describe?.(handleName('10.5555/1'), CSL);
  expect(answer).toMatchObject({ content: { title: 'T' }, source: 'agency.example' });
  expect(connects.map(({ target }) => target)).toEqual(['agency.example:443']);
});
