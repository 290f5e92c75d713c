// The target of attacks: a gateway process with a heap of 512 MB. A second process, the honest client, sends it normal
// requests during each attack.

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
  /** Waits until the gateway again responds to the honest client without delay. */
  settle(): Promise<HonestReport>;
  restart(): Promise<void>;
  end(): Promise<void>;
}

/** @param prepare Runs after each start of a gateway, before its other requests; for example, fills its caches. */
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
    // The gateway serves the honest client alone for a second, so that V8 compiles the code for its request.
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
 * Returns the bytes of unfinished work that the gauge reports: zero as soon as the gauge is zero, or after 6 s its last
 * value. It waits because the honest client's request may be unfinished, and because the gateway renders its metrics
 * only once a second. Returns null if there is no such gauge.
 */
export async function readWorkBytes(url: string): Promise<number | null> {
  const until = performance.now() + READ_WITHIN_MS;
  for (;;) {
    const response = await fetch(`${url}/metrics`);
    const bytes = GAUGE.exec(await response.text())?.[1];
    if (bytes === undefined) return null;
    if (Number(bytes) === 0 || performance.now() > until) return Number(bytes);
    await setTimeout(EVERY_MS);
  }
}

/** The number of records of 24 kB. Together they are larger than the default of CACHE_MAX_BYTES. */
const FILLERS = 12_000;
/** names in one request */
const FILLER_NAMES = 1_000;
const KNOWN_NAMES = 100;
const DOCUMENTS = 40;

function query(n: readonly string[], fields: string): Buffer {
  return graphqlBytes(op(dois(fields), { n }));
}

/**
 * Fills the caches of a gateway: records, the JSON of repeated objects, and documents.
 * @param isLive whether the gateway sends look-ups to a directory, which has large records
 */
export async function fillCaches(port: number, isLive: boolean): Promise<void> {
  const send = async (bytes: Buffer): Promise<void> => {
    const { status } = await exchange(port, bytes);
    if (status !== 200) throw new Error(`cannot fill the caches: status ${status}`);
  };
  for (let at = 0; isLive && at < FILLERS; at += FILLER_NAMES) {
    const fillers = list(FILLER_NAMES, (n) => `10.5555/filler-${at + n}`);
    // The second request decodes the records from the cache that the first has filled.
    for (let time = 0; time < 2; time += 1) await send(query(fillers, 'record{values{type}}'));
  }
  // The first request brings the records into the cache, the second keeps the JSON of the objects.
  for (let at = 0; at < names.length; at += KNOWN_NAMES) {
    const bytes = query(names.slice(at, at + KNOWN_NAMES), 'name url html record{values{type text}}');
    for (let time = 0; time < 2; time += 1) await send(bytes);
  }
  for (let n = 0; n < DOCUMENTS; n += 1) {
    await send(graphqlBytes(op(`{${list(300, (m) => `a${n}_${m}:doiDirectory{kind}`).join(' ')}}`)));
  }
}
