// A server with limits whose time a test moves on, and clients that are as slow as the test wants.

import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { parseConfig } from '../../../src/config.ts';
import { createGatewayServer } from '../../../src/http/connection/gateway-server.ts';
import type { ConnectionLimits } from '../../../src/http/connection/limit-connections.ts';
import type { Log } from '../../../src/log.ts';
import { createManualTicker } from '../../support/manual-ticker.ts';
import { unlimitedAccount } from '../../support/unlimited-work.ts';

/** A second for each of these, beside the 30 that everyone has. */
export const BYTES_PER_SECOND = 16_000;
export const GRACE_MS = 30_000;
export const TIMES = { graceMs: GRACE_MS, minBytesPerSecond: BYTES_PER_SECOND };

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
  return { server, ticker, warnings, connect: () => openClient(port) };
}

/** A client that reads only when it is told to. */
export function openClient(port: number) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined).pause();
  const closed = new Promise<void>((resolve) => void socket.once('close', resolve));
  return {
    socket,
    closed,
    send: (text: string | Buffer) => new Promise<void>((resolve) => void socket.write(text, () => resolve())),
    /** Reads until so many bytes have come since the connection began, or it ends. */
    readTo: (bytes: number) => readTo(socket, bytes),
    /** Reads until something more has come, or the connection ends. */
    readMore: () => readTo(socket, socket.bytesRead + 1),
    /** Reads all there is, until the connection ends. */
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

/** Resolves once so many requests more have come, whether or not they have been taken. */
export function arrivals(server: Server, count: number): Promise<void> {
  let arrived = 0;
  return new Promise((resolve) => {
    server.on('request', () => {
      arrived += 1;
      if (arrived === count) resolve();
    });
  });
}

export type Client = ReturnType<typeof openClient>;

export const get = (target = '/', headers = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

export const post = (length: number): string =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;

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
