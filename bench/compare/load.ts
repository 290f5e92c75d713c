// The load, in a process of its own, so that what a server uses can be read by itself. It is told over IPC
// what to send; every connection sends its next request when it has the answer to the one before.

import { connect, type Socket } from 'node:net';
import { createResponseReader } from '../http-bytes.ts';

export interface LoadOrder {
  readonly port: number;
  /** whole requests in base64, sent in turns */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** what stands where `SERIAL` is in a request is counted on from here, so that no two requests are the same */
  readonly serial: number;
}

export interface LoadResult {
  readonly requests: number;
  /** another status than 200 or 302, or a connection that was lost */
  readonly failures: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export const SERIAL = '@@@@@@@@@';

interface Template {
  readonly bytes: Buffer;
  readonly serialsAt: readonly number[];
}

process.on('message', (order: LoadOrder) => {
  run(order)
    .then((result) => process.send?.(result))
    .catch((error) => {
      console.error(error);
      process.exit(1);
    });
});
process.on('disconnect', () => process.exit(0));

async function run(order: LoadOrder): Promise<LoadResult> {
  const templates = order.requests.map(toTemplate);
  const waitsMs: number[] = [];
  let failures = 0;
  let next = order.serial;
  const start = performance.now();
  const until = start + order.seconds * 1_000;

  function nextBytes(): Buffer {
    const { bytes, serialsAt } = templates[next % templates.length] as Template;
    const text = String(next).padStart(SERIAL.length, '0');
    next += 1;
    for (const at of serialsAt) bytes.write(text, at, 'latin1');
    return serialsAt.length > 0 ? Buffer.from(bytes) : bytes;
  }

  function serve(socket: Socket): Promise<void> {
    return new Promise((done) => {
      let sentAt = 0;
      const send = (): void => {
        sentAt = performance.now();
        if (sentAt >= until) socket.destroy();
        else socket.write(nextBytes());
      };
      const read = createResponseReader({
        end(status) {
          waitsMs.push(performance.now() - sentAt);
          if (status !== 200 && status !== 302) failures += 1;
          send();
        },
      });
      socket.on('connect', send);
      socket.on('data', read);
      socket.on('error', () => {
        failures += 1;
      });
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
  return { requests: waitsMs.length, failures, seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

function toTemplate(base64: string): Template {
  const bytes = Buffer.from(base64, 'base64');
  const serialsAt: number[] = [];
  for (let at = bytes.indexOf(SERIAL); at !== -1; at = bytes.indexOf(SERIAL, at + 1)) serialsAt.push(at);
  return { bytes, serialsAt };
}
