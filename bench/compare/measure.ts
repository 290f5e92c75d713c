// Measures one row. First checks that all servers send right responses. Then measures one server after the other, in
// several rounds, and returns the medians.

import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { exchange, fieldOf, type WholeResponse } from '../http-bytes.ts';
import type { LoadOrder, LoadResult } from '../load.ts';
import { order, readMemory, readUsage, type ServerProcess, startModule } from '../node-process.ts';
import { median } from '../table.ts';
import type { Row } from './rows.ts';
import { type ServerName, type Servers, TITLES } from './servers.ts';
import { createTemplate, type Template } from './template.ts';

interface Measured {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** the server's processor time for one request */
  readonly cpuUs: number;
  readonly rssMb: number;
}

export interface Result extends Measured {
  /** The median of: `cpuUs` divided by that of `bare` in the same round. null: the row has no `bare`. */
  readonly ratio: number | null;
}

export type RowResult = ReadonlyMap<ServerName, Result>;

/** How a row is measured. */
export interface Turns {
  /** the duration of one server's turn */
  readonly seconds: number;
  readonly rounds: number;
  /** whether `otherBuild` is measured in the same rounds as `ours` */
  readonly hasOtherBuild: boolean;
  readonly connections: number;
}

export type Load = Awaited<ReturnType<typeof startLoad>>;

const WARM_UP_SECONDS = 1;
/** Before the measurement each server receives at least this many bytes: on a busy machine a second is too short for V8. */
const WARM_UP_BYTES = 1_500_000;

export async function measureRow(
  row: Row,
  servers: Servers,
  load: Load,
  { seconds, rounds, hasOtherBuild, connections }: Turns,
): Promise<RowResult> {
  const started = new Map<ServerName, ServerProcess>();
  for (const name of row.servers) {
    started.set(name, await servers.get(name));
    if (name === 'ours' && hasOtherBuild) started.set('otherBuild', await servers.get('otherBuild'));
  }
  await checkResponses(row, started);
  const turns = new Map([...started.keys()].map((name): [ServerName, Measured[]] => [name, []]));
  const requests = row.requests.map((bytes) => bytes.toString('base64'));
  const run = { requests, connections, seconds, minRequests: 0 };
  const bytes = row.requests.reduce((sum, request) => sum + request.length, 0) / row.requests.length;
  const warmUp = { ...run, seconds: WARM_UP_SECONDS, minRequests: Math.ceil(WARM_UP_BYTES / bytes) };
  for (const server of started.values()) await load.run(server, warmUp);
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, server] of started) turns.get(name)?.push(await load.run(server, run));
  }
  const bare = turns.get('bare');
  return new Map([...turns].map(([name, measured]) => [name, mediansOf(measured, bare)]));
}

function mediansOf(turns: readonly Measured[], bare: readonly Measured[] | undefined): Result {
  const keys = Object.keys(turns[0] ?? {}) as (keyof Measured)[];
  const medians = keys.map((key) => [key, median(turns.map((turn) => turn[key]))]);
  const ratios = turns.map((turn, round) => turn.cpuUs / (bare?.[round]?.cpuUs ?? Number.NaN));
  return { ...Object.fromEntries(medians), ratio: bare === undefined ? null : median(ratios) };
}

/** Starts the process that makes the load. */
export async function startLoad() {
  const child = startModule(new URL('../load.ts', import.meta.url));
  await once(child, 'message');
  let serial = Date.now() % 1e8;
  return {
    async run(server: ServerProcess, run: Omit<LoadOrder, 'port' | 'serial'>): Promise<Measured> {
      const before = readUsage(server.pid);
      const result = await order<LoadResult>(child, { ...run, port: server.port, serial });
      const after = readUsage(server.pid);
      serial += result.requests + run.connections;
      if (!before || !after) throw new Error(`a server ended: ${server.lastWords()}`);
      if (result.failure !== null) {
        const { failures, failure } = result;
        throw new Error(`${server.url}: ${failures} of ${result.requests} requests failed: ${failure}`);
      }
      return {
        requestsPerSecond: result.requests / result.seconds,
        p50Ms: result.p50Ms,
        p99Ms: result.p99Ms,
        cpuUs: ((after.cpuMs - before.cpuMs) * 1_000) / result.requests,
        rssMb: (readMemory(server.pid)?.rssBytes ?? 0) / 1e6,
      };
    },
  };
}

/** The number of requests that check each template of a row. Each has new names. */
const CHECKS = 16;

/** Sends all names to each server once. Then rejects if any response differs from that of bare node:http. */
async function checkResponses(row: Row, servers: ReadonlyMap<ServerName, ServerProcess>): Promise<void> {
  for (const server of servers.values()) {
    for (const request of row.warmUp) await exchange(server.port, request);
  }
  const bare = servers.get('bare');
  const templates = row.requests.map(createTemplate);
  for (let at = 0; at < CHECKS * templates.length; at += 1) {
    const request = (templates[at % templates.length] as Template)(at);
    const expected = bare === undefined ? null : await exchange(bare.port, request);
    for (const [name, server] of servers) {
      const response = await exchange(server.port, request);
      if (!isRight(row, response, expected)) {
        const sample = `${response.head.split('\r\n')[0]}\n${response.text.slice(0, 600)}`;
        throw new Error(
          `${TITLES[name]}, ${row.title}, request ${at}: not the response of bare node:http\n${sample}`,
        );
      }
    }
  }
}

function isRight({ rightWhen }: Row, response: WholeResponse, expected: WholeResponse | null): boolean {
  if (rightWhen === 'same-redirect') {
    const [target, expectedTarget] = [response, expected].map((one) => fieldOf(one?.head ?? '', 'location'));
    return response.status === expected?.status && target === expectedTarget;
  }
  if (response.status !== 200) return false;
  const json: unknown = JSON.parse(response.text);
  if (expected !== null) return isDeepStrictEqual(json, JSON.parse(expected.text));
  const { data, errors } = json as { data?: unknown; errors?: unknown };
  return data !== undefined && data !== null && errors === undefined;
}
