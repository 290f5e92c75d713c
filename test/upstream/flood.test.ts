// A directory or an agency that sends bytes without end: the gateway closes the connection.

import type { IncomingMessage } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CSL } from '../../src/works/metadata-format.ts';
import { wireValue } from '../handle/wire.ts';
import {
  type Behaviour,
  requestedNames,
  sendJson,
  startDirectoryServer,
} from '../support/directory-server.ts';
import { answering, createProxyAt, failureOf, handleName, startProxy } from './proxy-under-test.ts';

const JSON_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const CHUNKED = `${JSON_HEAD}transfer-encoding: chunked\r\n\r\n`;

/** A title, the first bytes, and the bytes that are repeated. */
const FLOODS: readonly (readonly [string, string, string])[] = [
  ['103 responses', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ['header lines with empty values', JSON_HEAD, 'a:\r\n'],
  ['one header line', `${JSON_HEAD}a: `, 'aaaa'],
  ['a reason phrase', 'HTTP/1.1 200 ', 'OK'],
  ['trailers', `${CHUNKED}2\r\n{}\r\n0\r\n`, 'a:\r\n'],
  ['one chunk extension', `${CHUNKED}2;a=`, 'aaaa'],
  ['chunk extensions', `${CHUNKED}2`, ';a=b'],
  ['the length of a chunk', CHUNKED, '0000'],
  ['chunks of one byte', CHUNKED, '1\r\n \r\n'],
  ['blank lines', '', '\r\n'],
];

/** Sends the bytes as fast as the gateway reads them. */
function flooding(head: string, piece: string, sockets: IncomingMessage['socket'][] = []): Behaviour {
  const pieces = Buffer.from(piece.repeat(16_384), 'latin1');
  return ({ socket }) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    const pour = (): void => {
      while (!socket.destroyed && socket.write(pieces));
    };
    socket.on('drain', pour);
    socket.write(head);
    pour();
  };
}

const name = (at: number) => handleName(`10.5555/${at}`);
const found: Behaviour = (request, response) => {
  const [handle] = requestedNames(request).names;
  sendJson(response, 200, { responseCode: 1, handle, values: [wireValue()] });
};
const written =
  (text: string): Behaviour =>
  ({ socket }) =>
    void socket.write(text, 'latin1');
const wire = (at: number): string =>
  JSON.stringify({ responseCode: 1, handle: name(at), values: [wireValue()] });

describe.each(FLOODS)('a server that sends %s without end', (_, head, piece) => {
  test('makes one look-up fail without a retry, and the gateway closes the connection', async () => {
    const sockets: IncomingMessage['socket'][] = [];
    const { directory, server } = await startProxy(flooding(head, piece, sockets), { retries: 2 });
    const failure = await failureOf(directory.resolve(name(1)));
    expect(failure).toMatchObject({ code: 'UPSTREAM_BAD_RESPONSE', kind: 'TOO_LARGE', retryable: false });
    expect(failure.cause).toMatchObject({ message: expect.stringMatching(/^1[56]\d{3} bytes came beside/) });
    expect(server.targets).toHaveLength(1);
    await expect.poll(() => sockets[0]?.closed).toBe(true);
    server.behave(found);
    expect(await directory.resolve(name(2))).toMatchObject({ status: 'SUCCESS' });
  });
});

describe('a response within the limits is read if it has', () => {
  test('a head of 15 kB, five times on one connection', async () => {
    const { directory, server } = await startProxy(undefined, { maxConnections: 1 });
    for (let at = 0; at < 5; at += 1) {
      const head = `${JSON_HEAD}a: ${'a'.repeat(15_000)}\r\ncontent-length: ${wire(at).length}\r\n\r\n`;
      server.behave(written(head + wire(at)));
      expect(await directory.resolve(name(at))).toMatchObject({ status: 'SUCCESS' });
    }
  });

  test('a few 1xx responses and trailers', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n'.repeat(20);
    const body = `${wire(1).length.toString(16)};a=b\r\n${wire(1)}\r\n0\r\nx-checksum: 1\r\n\r\n`;
    const { directory } = await startProxy(written(hints + CHUNKED + body));
    expect(await directory.resolve(name(1))).toMatchObject({ status: 'SUCCESS' });
  });

  test('a body of 900 kB in chunks of 200 bytes', async () => {
    const values = [{ ...wireValue(), data: { format: 'string', value: 'x'.repeat(900_000) } }];
    const text = JSON.stringify({ responseCode: 1, handle: name(1), values });
    const { directory } = await startProxy((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      for (let at = 0; at < text.length; at += 200) response.write(text.slice(at, at + 200));
      response.end();
    });
    expect(await directory.resolve(name(1))).toMatchObject({ status: 'SUCCESS' });
  });
});

test('bytes without a request close the connection, and the next look-up makes a new connection', async () => {
  const sockets: IncomingMessage['socket'][] = [];
  const { directory } = await startProxy((request, response) => {
    sockets.push(request.socket);
    found(request, response);
  });
  await directory.resolve(name(1));
  sockets[0]?.write('\r\n');
  await expect.poll(() => sockets[0]?.closed).toBe(true);
  expect(await directory.resolve(name(2))).toMatchObject({ status: 'SUCCESS' });
  expect(sockets).toHaveLength(2);
});

test('after five floods, a probe looks up a work that was found before, and the circuit stays closed', async () => {
  const work = answering(200, '{"title":"T"}', { 'content-type': 'application/vnd.citationstyles.csl+json' });
  const [, head = '', piece = ''] = FLOODS[1] ?? [];
  const flood = flooding(head, piece);
  const paths: (string | undefined)[] = [];
  const agency = await startDirectoryServer((request, response) => {
    paths.push(request.url);
    (request.url?.includes('flood') ? flood : work)(request, response);
  });
  const proxy = await startDirectoryServer((request, response) => {
    answering(302, '', { location: `${agency.url.href}w${request.url}` })(request, response);
  });
  const metadataHosts = new Set([agency.url.host]);
  const { directory } = createProxyAt(proxy.url, { metadataHosts });
  onTestFinished(async () => {
    await directory.close();
    await Promise.all([agency.close(), proxy.close()]);
  });
  const describeWork = (suffix: string) => directory.describe?.(handleName(`10.5555/${suffix}`), CSL);
  await describeWork('well');
  for (let at = 0; at < 5; at += 1) await expect(describeWork(`flood-${at}`)).rejects.toThrow();
  await expect.poll(() => paths.filter((path) => path?.endsWith('/well'))).toHaveLength(2);
  expect(await describeWork('other')).toMatchObject({ content: { title: 'T' } });
});
