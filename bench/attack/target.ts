// The target of attacks: the gateway as a process with a heap of 512 MB, and the honest client beside it.

import { setTimeout } from 'node:timers/promises';
import { exchange, graphqlBytes } from '../http-bytes.ts';
import { order, type ServerProcess, type StartOptions, startModule, startServer } from '../node-process.ts';
import { names } from '../peers/data.mjs';
import type { HonestOrder, HonestReport } from './honest.ts';
import { dois, list, op } from './requests.ts';

const HEAP = '--max-old-space-size=512';
const WARM_MS = 1_000;

export interface Target {
  server(): ServerProcess;
  /** Waits until the honest client gets its responses at once again. */
  settle(): Promise<HonestReport>;
  restart(): Promise<void>;
  end(): Promise<void>;
}

/** @param prepare runs first with each gateway that is started, such as to fill its caches */
export async function startTarget(
  options: StartOptions,
  prepare: (port: number) => Promise<void>,
): Promise<Target> {
  const honest = startModule(new URL('honest.ts', import.meta.url));
  const settle = (): Promise<HonestReport> => order(honest, 'settle');
  const request = query(names.slice(0, 1), 'name url record{values{type text}}registrationAgency{name}');
  const start = async (): Promise<ServerProcess> => {
    const { port, pid, ...server } = await startServer({ ...options, nodeOptions: [HEAP] });
    await prepare(port);
    honest.send({ port, pid, request: request.toString('base64') } satisfies HonestOrder);
    await settle();
    // A second of the honest client alone, so that the code for its request is compiled.
    await setTimeout(WARM_MS);
    await settle();
    return { port, pid, ...server };
  };
  let server = await start();
  return {
    server: () => server,
    settle,
    async restart() {
      await server.end();
      server = await start();
    },
    async end() {
      honest.disconnect();
      await server.end();
    },
  };
}

const GAUGE = /^doi_gateway_work_bytes(?:\{[^}]*\})? (\S+)$/m;
const READ_WITHIN_MS = 6_000;
const EVERY_MS = 150;

/**
 * The gateway's account of work in hand: zero as soon as the gauge says so, otherwise the last value of the gauge.
 * The honest client's request may be in hand, and the metrics are rendered once a second. Null: there is no such gauge.
 */
export async function readAccount(url: string): Promise<number | null> {
  const until = performance.now() + READ_WITHIN_MS;
  for (;;) {
    const response = await fetch(`${url}/metrics`);
    const bytes = GAUGE.exec(await response.text())?.[1];
    if (bytes === undefined) return null;
    if (Number(bytes) === 0 || performance.now() > until) return Number(bytes);
    await setTimeout(EVERY_MS);
  }
}

/** Records of 24 kB: more than CACHE_MAX_BYTES by default. */
const FILLERS = 12_000;
const AT_ONCE = 1_000;
const SHORT = 100;
const DOCUMENTS = 40;

function query(n: readonly string[], fields: string): Buffer {
  return graphqlBytes(op(dois(fields), { n }));
}

/** Fills the memory of a gateway: records, JSON of repeated objects, documents. */
export async function fillCaches(port: number, gateway: string): Promise<void> {
  const send = async (bytes: Buffer): Promise<void> => {
    const { status } = await exchange(port, bytes);
    if (status !== 200) throw new Error(`caches cannot be filled: status ${status}`);
  };
  for (let at = 0; gateway === 'live' && at < FILLERS; at += AT_ONCE) {
    const some = list(AT_ONCE, (n) => `10.5555/filler-${at + n}`);
    // The second request decodes the records from the memory that the first has filled.
    for (let time = 0; time < 2; time += 1) await send(query(some, 'record{values{type}}'));
  }
  // The first request brings the records into memory, the second keeps the JSON of the objects.
  for (let at = 0; at < names.length; at += SHORT) {
    const bytes = query(names.slice(at, at + SHORT), 'name url html record{values{type text}}');
    for (let time = 0; time < 2; time += 1) await send(bytes);
  }
  for (let n = 0; n < DOCUMENTS; n += 1) {
    await send(graphqlBytes(op(`{${list(300, (m) => `a${n}_${m}:doiDirectory{kind}`).join(' ')}}`)));
  }
}
