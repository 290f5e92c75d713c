// Agencies over HTTPS, an HTTP proxy with tunnels to them, and a client that uses the proxy. The end of the test closes all.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { LightAbort } from '../../src/abortable.ts';
import { steadyClock } from '../../src/time.ts';
import type { HttpsProxy } from '../../src/upstream/host-connections.ts';
import { createProxyClient, type ProxyClientOptions } from '../../src/upstream/proxy-client.ts';
import type { ResponseReader } from '../../src/upstream/response-body.ts';
import type { Behaviour } from '../support/directory-server.ts';
import { answering } from './proxy-under-test.ts';

const pem = readFileSync(new URL('../fixtures/self-signed.pem', import.meta.url));
const TEXT: ResponseReader<string> = {
  accept: '*/*',
  wantsBody: () => true,
  parse: (_, body) => () => body.toString(),
};

export async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}

export async function startAgency(behaviour: Behaviour = answering(200, 'from the agency')) {
  const requests: IncomingMessage[] = [];
  const server = createHttpsServer({ key: pem, cert: pem }, (request, response) => {
    requests.push(request);
    behaviour(request, response);
  });
  return { port: await listening(server), requests };
}

/** A proxy whose tunnels all lead to one agency, whatever their target. */
export async function startHttpsProxy(agencyPort: number, refuse?: (socket: Socket) => void) {
  const connects: { readonly target: string | undefined; readonly authorization: string | undefined }[] = [];
  const server = createHttpServer();
  server.on('connect', ({ url, headers }: IncomingMessage, socket: Socket) => {
    connects.push({ target: url, authorization: headers['proxy-authorization'] });
    socket.on('error', () => undefined);
    if (refuse) return refuse(socket);
    const onward = connect(agencyPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  const port = await listening(server);
  const httpsProxy: HttpsProxy = { url: new URL(`http://127.0.0.1:${port}`), noProxy: '' };
  return { connects, httpsProxy };
}

const ATTEMPT = { abort: new LightAbort(), requester: null };

export function createGet(baseUrl: string, options: Partial<ProxyClientOptions>) {
  const client = createProxyClient({
    baseUrl: new URL(baseUrl),
    userAgent: 'test',
    timeoutMs: 15_000,
    maxResponseBytes: 1_000_000,
    maxConnections: 1,
    time: steadyClock,
    ...options,
  });
  onTestFinished(() => client.close());
  return async () =>
    (await client.dispatch({ endpoint: 'handles', path: '/', reader: TEXT }, ATTEMPT)).answer;
}
