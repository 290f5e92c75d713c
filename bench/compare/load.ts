// The load, in a process of its own, so that it does not count as the server's. Messages order it;
// every connection sends its next request when it has the answer to the one before.

import { connect, type Socket } from 'node:net';
import { createResponseReader } from '../http-bytes.ts';
import { createTemplate, type Template } from './template.ts';

export interface LoadOrder {
  readonly port: number;
  /** templates of whole requests in base64, sent in turns */
  readonly requests: readonly string[];
  readonly connections: number;
  /** it ends when both are over */
  readonly seconds: number;
  readonly atLeast: number;
  /** serial numbers are counted on from here, so that no two requests have the same */
  readonly serial: number;
}

export interface LoadResult {
  readonly requests: number;
  /** another status than 200 or 302, or a connection that was lost */
  readonly failures: number;
  /** the first of them; null: there are none */
  readonly failure: string | null;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

process.on('message', (order: LoadOrder) => {
  run(order)
    .then((result) => process.send?.(result))
    .catch((error) => {
      console.error(error);
      process.exit(1);
    });
});
process.send?.('ready');

async function run(order: LoadOrder): Promise<LoadResult> {
  const templates = order.requests.map((text) => createTemplate(Buffer.from(text, 'base64')));
  const waitsMs: number[] = [];
  const failures: string[] = [];
  let next = order.serial;
  const start = performance.now();
  const until = start + order.seconds * 1_000;

  function nextBytes(): Buffer {
    const serial = next;
    next += 1;
    return (templates[serial % templates.length] as Template)(serial);
  }

  function serve(socket: Socket): Promise<void> {
    return new Promise((done) => {
      let sentAt = 0;
      const send = (): void => {
        sentAt = performance.now();
        if (sentAt >= until && waitsMs.length >= order.atLeast) socket.destroy();
        else socket.write(nextBytes());
      };
      const read = createResponseReader({
        end(status) {
          waitsMs.push(performance.now() - sentAt);
          if (status !== 200 && status !== 302) failures.push(`status ${status}`);
          send();
        },
      });
      socket.on('connect', send);
      socket.on('data', read);
      socket.on('error', ({ message }) => failures.push(message));
      socket.on('close', () => done());
    });
  }

  const sockets = Array.from({ length: order.connections }, () => {
    return connect({ port: order.port, host: '127.0.0.1', noDelay: true });
  });
  await Promise.all(sockets.map(serve));
  waitsMs.sort((a, b) => a - b);
  const at = (share: number): number => waitsMs[Math.floor((waitsMs.length - 1) * share)] ?? Number.NaN;
  const seconds = (performance.now() - start) / 1_000;
  return {
    requests: waitsMs.length,
    failures: failures.length,
    failure: failures[0] ?? null,
    seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}
