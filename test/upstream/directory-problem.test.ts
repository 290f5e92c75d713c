// The problem in the status of a directory: an outage, or a problem that the operator must fix.

import { readFileSync } from 'node:fs';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type LookupFunction, type Server, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DirectoryProblem } from '../../src/directory/directory.ts';
import { badResponse, failureOfStatus, worstProblem } from '../../src/upstream/upstream-failure.ts';
import { type Behaviour, startDirectoryServer } from '../support/directory-server.ts';
import { settled } from '../support/virtual-clock.ts';
import { createManualTime } from './manual-time.ts';
import { answering, closesConnection, createProxyAt, HTML } from './proxy-under-test.ts';

async function urlOf(server: Server, scheme = 'http'): Promise<URL> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return new URL(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

function probe(url: URL, lookup?: LookupFunction) {
  const time = createManualTime();
  const { directory } = createProxyAt(url, { time, probesAtStart: true, ...(lookup && { lookup }) });
  onTestFinished(() => directory.close());
  return { directory, time };
}

async function problemAt(url: URL, lookup?: LookupFunction): Promise<DirectoryProblem | undefined> {
  const { directory } = probe(url, lookup);
  await expect.poll(() => directory.status().problem).toBeDefined();
  return directory.status().problem;
}

const pem = readFileSync(new URL('../fixtures/self-signed.pem', import.meta.url));

describe('the status has the problem of an address that', () => {
  test('does not resolve', async () => {
    const error = Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' });
    const lookup: LookupFunction = (_host, _options, done) => done(error, '');
    expect(await problemAt(new URL('http://directory.example'), lookup)).toBe('HOST_NOT_FOUND');
  });

  test('has an untrusted certificate', async () => {
    const url = await urlOf(createHttps({ key: pem, cert: pem }), 'https');
    expect(await problemAt(url)).toBe('CERTIFICATE_REFUSED');
  });

  test('does not support TLS', async () => {
    const url = await urlOf(
      createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
      'https',
    );
    expect(await problemAt(url)).toBe('NO_HANDLE_API');
  });

  test('sends another protocol than HTTP', async () => {
    const url = await urlOf(
      createServer((socket) => socket.once('data', () => socket.end('500 no such command\r\n'))),
    );
    expect(await problemAt(url)).toBe('NO_HANDLE_API');
  });
});

describe('the status has the problem of a directory that sends', () => {
  test.each<[string, Behaviour, DirectoryProblem]>([
    ['a page', answering(200, '<h1>It works!</h1>', HTML), 'NO_HANDLE_API'],
    ['a 404 page', answering(404, '<h1>Not found</h1>', HTML), 'NO_HANDLE_API'],
    ['a redirect', answering(301, '', { location: 'https://www.example.org/' }), 'NO_HANDLE_API'],
    ['403', answering(403, '', HTML), 'NO_HANDLE_API'],
    ['other JSON', answering(200, '{"hello": "world"}'), 'NO_HANDLE_API'],
    ['a 503', answering(503, '', HTML), 'OUTAGE'],
    ['response code 2', answering(500, '{"responseCode": 2, "handle": "10.1000/1"}'), 'OUTAGE'],
    ['a 429', answering(429, '', HTML), 'OUTAGE'],
    ['nothing, and closes the connection', closesConnection, 'OUTAGE'],
  ])('%s', async (_, behaviour, problem) => {
    const server = await startDirectoryServer();
    onTestFinished(() => server.close());
    server.behaveAlways(behaviour);
    expect(await problemAt(server.url)).toBe(problem);
  });

  test('nothing for a second: an outage', async () => {
    const server = await startDirectoryServer();
    onTestFinished(() => server.close());
    server.behaveAlways(() => {});
    const { directory, time } = probe(server.url);
    await expect.poll(() => server.probes.length).toBe(1);
    time.advance(999);
    expect(directory.status()).toEqual({ available: true, reached: false });
    time.advance(1);
    expect(directory.status()).toEqual({ available: true, reached: false, problem: 'OUTAGE' });
  });
});

test('a directory that answers has no problem', async () => {
  const server = await startDirectoryServer();
  onTestFinished(() => server.close());
  const { directory } = probe(server.url);
  await expect.poll(() => directory.status().reached).toBe(true);
  await settled();
  expect(directory.status()).toEqual({ available: true, reached: true });
});

test('a problem for the operator at one base URL counts more than an outage at another base URL', () => {
  const outage = failureOfStatus(503);
  const wrong = badResponse('a page');
  expect(worstProblem([outage, wrong])).toBe('NO_HANDLE_API');
  expect(worstProblem([outage, outage])).toBe('OUTAGE');
  expect(worstProblem([outage, null])).toBeUndefined();
  expect(worstProblem([null, wrong])).toBe('NO_HANDLE_API');
});
