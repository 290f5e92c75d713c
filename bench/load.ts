// Puts load on a server. Runs in its own process, so that its processor time is not counted as the server's. A message
// starts the load.

import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createTemplate, type Template } from './compare/template.ts';
import { openConnection } from './http-bytes.ts';
import { quantile } from './table.ts';

export interface LoadOrder {
  readonly port: number;
  /** templates of whole requests in base64, which the connections send in turn */
  readonly requests: readonly string[];
  /** the number of connections; each sends its next request after a response */
  readonly connections: number;
  /** The load ends when this time is over and `minRequests` responses have come, or on the message "stop". */
  readonly seconds: number;
  readonly minRequests: number;
  /** the first serial number; each request has a new one */
  readonly serial: number;
  /**
   * Each connection belongs to a client with its own address. When it ends, the client opens a new connection.
   * `leaving`: the client opens a new connection every `everyMs` instead, without waiting for the other connections. It
   * closes each connection after `afterMs`, even without a response.
   */
  readonly clients?: { readonly leaving?: { readonly afterMs: number; readonly everyMs: number } };
}

export interface LoadResult {
  readonly requests: number;
  /** responses with another status than 200 or 302, and lost connections */
  readonly failures: number;
  /** the first failure */
  readonly failure: string | null;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** with `clients`: the number of records in the responses */
  readonly records: number;
  /** with `clients`: the number of errors with each code */
  readonly errors: Readonly<Record<string, number>>;
}

const RECONNECT_MS = 10;
/** Matches each record and each GraphQL error in a response once, and nothing else. */
const RECORD_OR_CODE = /"status":|"code":"(\w+)"/g;

let isStopped = false;
const open = new Set<Socket>();

process.on('message', (message: LoadOrder | 'stop') => {
  if (message === 'stop') {
    isStopped = true;
    for (const socket of open) socket.destroy();
    return;
  }
  run(message)
    .then((result) => process.send?.(result))
    .catch((error) => {
      console.error(error);
      process.exit(1);
    });
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');

async function run(order: LoadOrder): Promise<LoadResult> {
  const templates = order.requests.map((text) => createTemplate(Buffer.from(text, 'base64')));
  const { clients } = order;
  const waitsMs: number[] = [];
  const failures: string[] = [];
  const errors: Record<string, number> = {};
  let records = 0;
  let next = order.serial;
  const start = performance.now();
  const until = start + order.seconds * 1_000;
  const isOver = (): boolean =>
    isStopped || (performance.now() >= until && waitsMs.length >= order.minRequests);

  function nextBytes(): Buffer {
    const serial = next;
    next += 1;
    return (templates[serial % templates.length] as Template)(serial);
  }

  function count(text: string): void {
    for (const [, code] of text.matchAll(RECORD_OR_CODE)) {
      if (code === undefined) records += 1;
      else errors[code] = (errors[code] ?? 0) + 1;
    }
  }

  /** Sends requests on one connection. Resolves when the connection has ended. */
  function runConnection(localAddress: string): Promise<void> {
    return new Promise((done) => {
      let sentAt = 0;
      let text = '';
      const send = (): void => {
        sentAt = performance.now();
        if (isOver()) socket.destroy();
        else socket.write(nextBytes());
      };
      const body = (bytes: Buffer): void => {
        text += bytes.toString('latin1');
      };
      const end = (status: number): void => {
        waitsMs.push(performance.now() - sentAt);
        if (status !== 200 && status !== 302) failures.push(`status ${status}`);
        count(text);
        text = '';
        send();
      };
      const closed = (error?: Error): void => {
        if (error) failures.push(error.message);
        clearTimeout(closeTimer);
        open.delete(socket);
        done();
      };
      const socket = openConnection(order.port, clients ? { body, end } : { end }, closed, localAddress);
      const closeTimer = clients?.leaving && setTimeout(() => socket.destroy(), clients.leaving.afterMs);
      open.add(socket);
      socket.on('connect', send);
    });
  }

  async function runClient(localAddress: string): Promise<void> {
    do {
      const ended = runConnection(localAddress);
      if (clients?.leaving) await pause(clients.leaving.everyMs);
      else await ended.then(() => clients && pause(RECONNECT_MS));
    } while (clients && !isOver());
  }

  await Promise.all(
    Array.from({ length: order.connections }, (_, at) => runClient(`127.0.0.${clients ? at + 2 : 1}`)),
  );
  waitsMs.sort((a, b) => a - b);
  return {
    requests: waitsMs.length,
    failures: failures.length,
    failure: failures[0] ?? null,
    seconds: (performance.now() - start) / 1_000,
    p50Ms: quantile(waitsMs, 0.5),
    p99Ms: quantile(waitsMs, 0.99),
    records,
    errors,
  };
}
