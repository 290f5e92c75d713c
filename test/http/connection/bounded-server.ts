// A gateway server with limits and a manual clock, and clients that read only on demand.

import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { parseConfig } from '../../../src/config.ts';
import { createGatewayServer } from '../../../src/http/connection/gateway-server.ts';
import type { ConnectionLimits } from '../../../src/http/connection/limit-connections.ts';
import type { Log } from '../../../src/log.ts';
import { createManualTicker } from '../../support/manual-ticker.ts';
import { unlimitedAccount } from '../../support/unlimited-memory.ts';

/** The time of every transfer. A transfer also has a second for each 16 kB. */
export const GRACE_MS = 30_000;

export async function startBoundedServer(listener: RequestListener, limits: Partial<ConnectionLimits> = {}) {
  const ticker = createManualTicker();
  const warnings: unknown[][] = [];
  const log: Log = {
    debug() {},
    info() {},
    error() {},
    warn: (...entry: unknown[]) => void warnings.push(entry),
  };
  const server = createGatewayServer(listener, {
    config: parseConfig({}),
    log,
    memoryAccount: unlimitedAccount(),
    limits,
    ticker,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server, ticker, warnings, connect: (localAddress?: string) => openClient(port, localAddress) };
}

/** A client that reads only on demand. */
export function openClient(port: number, localAddress = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined).pause();
  const closed = new Promise<void>((resolve) => void socket.once('close', resolve));
  return {
    socket,
    send: (text: string | Buffer) => new Promise<void>((resolve) => void socket.write(text, () => resolve())),
    /** Reads until this many bytes have arrived since the connection began, or the connection ends. */
    readTo: (bytes: number) => readTo(socket, bytes),
    /** Reads until more bytes have arrived, or the connection ends. */
    readMore: () => readTo(socket, socket.bytesRead + 1),
    /** Reads until the connection ends. */
    async readAll(): Promise<string> {
      let text = '';
      socket.setEncoding('latin1').on('data', (part) => {
        text += String(part);
      });
      socket.resume();
      await closed;
      return text;
    },
  };
}

export type Client = ReturnType<typeof openClient>;

/** Resolves when this many more requests have arrived. Requests that wait behind other requests count too. */
export function arrivals(server: Server, count: number): Promise<void> {
  let arrived = 0;
  return new Promise((resolve) => {
    server.on('request', () => {
      arrived += 1;
      if (arrived === count) resolve();
    });
  });
}

/** The next request that arrives, and its response. */
export async function nextExchange(server: Server): Promise<[IncomingMessage, ServerResponse]> {
  return (await once(server, 'request')) as [IncomingMessage, ServerResponse];
}

export const get = (target = '/', headers = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

export const post = (length: number, target = '/'): string =>
  `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;

/** Responds with the number of bytes of the body. */
export const countBytes: RequestListener = (request, response) => {
  let bytes = 0;
  request.on('error', () => undefined);
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on('end', () => response.end(`${bytes} bytes`));
};

function readTo(socket: Socket, bytes: number): Promise<void> {
  return new Promise((resolve) => {
    const onData = () => {
      if (socket.bytesRead >= bytes) done();
    };
    const done = () => {
      socket.off('data', onData).off('close', done).pause();
      resolve();
    };
    if (socket.closed || socket.bytesRead >= bytes) done();
    else socket.on('data', onData).once('close', done).resume();
  });
}
