// npm run attack: hostile operations, bodies, connections and records, with an honest client beside them.
//   --only TEXT   those whose names hold the text; live, embedded and slow are words of theirs, too
//   --list        their names
//   --caches full the gateway's caches are filled before the first attack, and after each death
//   --slowness N  on a machine that is N times slower or busier: all deadlines are N times longer (1)
//   --quiet       no line for each                     --minutes N  begin none later than that (60)

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type RedisServer, startRedisServer, withoutRedis } from '../../test/support/redis-server.ts';
import { builtGateway, endServers, gatewayDir } from '../node-process.ts';
import { agenciesFile, directoryFile } from '../peers/data.mjs';
import type { Attack, GatewayName } from './attack.ts';
import { ATTACKS } from './attacks/index.ts';
import { fillCaches } from './fill.ts';
import { measureHonest, play, type Report } from './play.ts';
import { hostileFile } from './records.ts';
import { faultsOf, printReports, printVerdict } from './report.ts';
import { startTarget } from './target.ts';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    list: { type: 'boolean' },
    quiet: { type: 'boolean' },
    caches: { type: 'string', default: 'empty' },
    slowness: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '60' },
  },
});
const chosen = ATTACKS.filter(({ name, group, gateway }) =>
  `${name} ${group ?? ''} ${gateway}`.includes(flags.only),
);
if (flags.list) for (const { name } of chosen) console.log(name);
else process.exitCode = (await run()) ? 0 : 1;

async function run(): Promise<boolean> {
  const begin = performance.now();
  const gateway = builtGateway();
  const folder = mkdtempSync(join(tmpdir(), 'doi-attack-'));
  const directory = fork(fileURLToPath(new URL('./hostile-directory.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  });
  const queue = await startQueue();
  try {
    const [{ port }] = (await once(directory, 'message')) as [{ port: number }];
    const records = join(folder, 'records.jsonl');
    const agencies = join(folder, 'agencies.json');
    writeFileSync(records, directoryFile() + hostileFile());
    writeFileSync(agencies, agenciesFile());
    const live = { DOI_DIRECTORY_URL: `http://127.0.0.1:${port}` };
    const env = {
      embedded: { DOI_DIRECTORY_FILE: records, DOI_AGENCIES_FILE: agencies },
      live,
      jobs: { ...live, JOBS_REDIS_URL: queue?.url ?? '', JOBS_DIR: join(folder, 'jobs') },
    };
    console.log(`${chosen.length} of ${ATTACKS.length} attacks on ${gatewayDir}, caches ${flags.caches}`);
    const skipped = queue === null ? chosen.filter((attack) => attack.gateway === 'jobs').length : 0;
    const reports: Report[] = [];
    for (const name of ['embedded', 'live', 'jobs'] as const) {
      const attacks = chosen.filter((attack) => attack.gateway === name);
      const isThere = name !== 'jobs' || queue !== null;
      if (attacks.length > 0 && isThere) reports.push(...(await playAll(attacks, name, gateway, env[name])));
    }
    printReports(reports);
    const isWell = printVerdict(reports, chosen.length - skipped - reports.length);
    console.log(`\n${Math.round((performance.now() - begin) / 1_000)} s.`);
    return isWell;
  } finally {
    directory.disconnect();
    await endServers();
    await queue?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Null without redis-server: then there are no jobs to attack. */
async function startQueue(): Promise<RedisServer | null> {
  return withoutRedis('attacks on jobs') ? null : startRedisServer();
}

async function playAll(
  attacks: readonly Attack[],
  name: GatewayName,
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<Report[]> {
  const isFull = flags.caches === 'full';
  const fill = (port: number): Promise<void> => (isFull ? fillCaches(port, name) : Promise.resolve());
  const slowness = Number(flags.slowness);
  const target = await startTarget({ file, env: { ...env, ...deadlines(slowness) } }, fill);
  const honestCpuMs = await measureHonest(target);
  const reports: Report[] = [];
  for (const together of grouped(attacks)) {
    if (performance.now() > Number(flags.minutes) * 60_000) break;
    const played = await play(slowed(together, slowness), target, honestCpuMs);
    reports.push(...played);
    if (!flags.quiet) played.forEach(printLine);
  }
  await target.end();
  return reports;
}

/** Where all takes longer, what a quiet machine does in time is to be done in time too. */
function deadlines(slowness: number): Record<string, string> {
  if (slowness === 1) return {};
  return { OPERATION_DEADLINE_MS: String(30_000 * slowness) };
}

function slowed(attacks: readonly Attack[], slowness: number): Attack[] {
  return attacks.map((attack) => ({ ...attack, limitMs: attack.limitMs * slowness }));
}

/** Each alone, then the groups. */
function grouped(attacks: readonly Attack[]): Attack[][] {
  const alone = attacks.filter(({ group }) => group === null).map((attack) => [attack]);
  const groups = new Set(attacks.flatMap(({ group }) => group ?? []));
  return [...alone, ...[...groups].map((name) => attacks.filter(({ group }) => group === name))];
}

function printLine(report: Report): void {
  const faults = faultsOf(report);
  const figures = `${Math.round(report.waitMs)} ms wait, ${Math.round(report.cpuMs)} ms CPU, ${Math.round(report.peakRssMb)} MB`;
  console.log(
    `${faults.length === 0 ? '  ' : '✗ '}${report.name}: ${figures}; ${report.answers}${faults.length > 0 ? ` — ${faults.join('; ')}` : ''}`,
  );
}
