// The target of attacks: a gateway process with a heap of 512 MB. A second process, the honest clients, sends it
// normal requests during each attack.

import { setTimeout } from 'node:timers/promises';
import { exchange, graphqlBytes } from '../../bench/http-bytes.ts';
import {
  order,
  type ServerProcess,
  type StartOptions,
  startModule,
  startServer,
} from '../../bench/node-process.ts';
import { names } from '../../bench/peers/data.mjs';
import { gaugeIn, poll } from '../../bench/poll.ts';
import type { HonestOrder, HonestReport } from './honest.ts';
import { dois, list, op } from './requests.ts';

const WARM_MS = 1_000;

export interface Target {
  server(): ServerProcess;
  /** Waits until the gateway again responds to the honest clients without delay. */
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
    const started = await startServer({ ...options, nodeOptions: ['--max-old-space-size=512'] });
    const { port, pid } = started;
    await prepare(port);
    honest.send({ port, pid, request: request.toString('base64') } satisfies HonestOrder);
    await settle();
    // The gateway serves the honest clients alone for a second, so that V8 compiles the code for its request.
    await setTimeout(WARM_MS);
    await settle();
    return started;
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

/**
 * Returns the reserved bytes that the gauge reports: zero as soon as the gauge is zero, or after 6 s its last
 * value. It waits because an honest client's request may be unfinished, and because the gateway renders its metrics
 * only once a second. Returns null if there is no such gauge.
 */
export function readReservedBytes(url: string): Promise<number | null> {
  const read = async () =>
    gaugeIn(await (await fetch(`${url}/metrics`)).text(), 'doi_gateway_reserved_bytes');
  return poll(read, (bytes) => bytes === null || bytes === 0, { withinMs: 6_000, everyMs: 150 });
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
  const send = async (bytes: Buffer, count = 1): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      const { status } = await exchange(port, bytes);
      if (status !== 200) throw new Error(`cannot fill the caches: status ${status}`);
    }
  };
  for (let at = 0; isLive && at < FILLERS; at += FILLER_NAMES) {
    const fillers = list(FILLER_NAMES, (n) => `10.5555/filler-${at + n}`);
    // The second request decodes the records from the cache that the first has filled.
    await send(query(fillers, 'record{values{type}}'), 2);
  }
  // The first request brings the records into the cache, the second keeps the JSON of the objects.
  for (let at = 0; at < names.length; at += KNOWN_NAMES) {
    await send(query(names.slice(at, at + KNOWN_NAMES), 'name url html record{values{type text}}'), 2);
  }
  for (let n = 0; n < DOCUMENTS; n += 1) {
    await send(graphqlBytes(op(`{${list(300, (m) => `a${n}_${m}:doiDirectory{kind}`).join(' ')}}`)));
  }
}
