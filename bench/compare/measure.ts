// One row: each server in its turn, several rounds of it, the median of them.

import type { ServerProcess } from '../node-process.ts';
import { median } from '../table.ts';
import { checkAnswers } from './check.ts';
import type { Flags } from './flags.ts';
import type { Load, Measured } from './load-process.ts';
import type { Row } from './rows.ts';
import type { ServerName, Servers } from './servers.ts';

export interface Result extends Measured {
  /** CPU a request over that of bare in the same round, the median of all rounds; null where bare has no part */
  readonly ratio: number | null;
}

export type RowResult = ReadonlyMap<ServerName, Result>;

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 1;
/** On a busy machine a second is too short for the compiler of every server. */
const WARM_UP_BYTES = 1_500_000;

export async function measureRow(
  row: Row,
  servers: Servers,
  load: Load,
  { seconds, rounds, against }: Flags,
  connections = CONNECTIONS,
): Promise<RowResult> {
  const started = new Map<ServerName, ServerProcess>();
  const names = row.servers.flatMap((name): ServerName[] =>
    name === 'ours' && against !== null ? [name, 'against'] : [name],
  );
  for (const name of names) started.set(name, await servers.get(name));
  await checkAnswers(row, started);
  const turns = new Map<ServerName, Measured[]>(names.map((name) => [name, []]));
  const run = { requests: row.requests, connections, seconds, atLeast: 0 };
  const bytes = row.requests.reduce((sum, request) => sum + request.length, 0) / row.requests.length;
  const warmUp = { ...run, seconds: WARM_UP_SECONDS, atLeast: Math.ceil(WARM_UP_BYTES / bytes) };
  for (const server of started.values()) await load.run(server, warmUp);
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, server] of started) {
      turns.get(name)?.push(await load.run(server, run));
    }
  }
  const bare = turns.get('bare');
  return new Map([...turns].map(([name, measured]) => [name, summed(measured, bare)]));
}

function summed(turns: readonly Measured[], bare: readonly Measured[] | undefined): Result {
  const of = (key: keyof Measured): number => median(turns.map((turn) => turn[key]));
  const ratios = turns.map((turn, round) => turn.cpuUs / (bare?.[round]?.cpuUs ?? Number.NaN));
  return {
    requestsPerSecond: of('requestsPerSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    cpuUs: of('cpuUs'),
    rssMb: of('rssMb'),
    requests: turns.reduce((sum, { requests }) => sum + requests, 0),
    ratio: bare === undefined ? null : median(ratios),
  };
}
