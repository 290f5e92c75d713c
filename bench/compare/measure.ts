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

export async function measureRow(
  row: Row,
  servers: Servers,
  load: Load,
  { seconds, rounds }: Flags,
  connections = CONNECTIONS,
): Promise<RowResult> {
  const started = new Map<ServerName, ServerProcess>();
  for (const name of row.servers) started.set(name, await servers.get(name));
  await checkAnswers(row, started);
  const turns = new Map<ServerName, Measured[]>(row.servers.map((name) => [name, []]));
  for (const server of started.values()) await load.run(server, row.requests, WARM_UP_SECONDS, connections);
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, server] of started) {
      turns.get(name)?.push(await load.run(server, row.requests, seconds, connections));
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
