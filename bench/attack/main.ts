// npm run attack: attacks a gateway with hostile operations, bodies, connections and records. At the same time an honest
// client sends it normal requests.
//   --only TEXT   attacks whose name, group or gateway (live, embedded, jobs) contains the text
//   --list        prints the names of the attacks and runs none
//   --caches full fills the gateway's caches before the first attack, and each time the gateway has died
//   --slowness N  makes all deadlines N times longer, for a machine that is slower or busier (1)
//   --quiet       prints no line for each attack
//   --minutes N   starts no attack after N minutes (60)

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startRedisServer, withoutRedis } from '../../test/support/redis-server.ts';
import { buildGateway, endServers, gatewayDir, startDirectory } from '../node-process.ts';
import { agenciesFile, directoryFile } from '../peers/data.mjs';
import type { Attack, GatewayName } from './attack.ts';
import { ATTACKS } from './attacks/index.ts';
import { hostileFile } from './hostile-records.ts';
import { measureHonest, play } from './play.ts';
import { printReports, printVerdict, type Report, violationsOf } from './report.ts';
import { fillCaches, startTarget } from './target.ts';

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
const slowness = Number(flags.slowness);
const chosen = ATTACKS.filter(({ name, group, gateway }) =>
  `${name} ${group ?? ''} ${gateway}`.includes(flags.only),
);
if (flags.list) for (const { name } of chosen) console.log(name);
else process.exitCode = (await run()) ? 0 : 1;

async function run(): Promise<boolean> {
  const begin = performance.now();
  const file = buildGateway();
  const folder = mkdtempSync(join(tmpdir(), 'doi-attack-'));
  const isRedisMissing = withoutRedis('attacks on jobs');
  const queue = isRedisMissing ? null : await startRedisServer();
  try {
    const directory = await startDirectory();
    const records = join(folder, 'records.jsonl');
    const agencies = join(folder, 'agencies.json');
    writeFileSync(records, directoryFile() + hostileFile());
    writeFileSync(agencies, agenciesFile());
    const live = { DOI_DIRECTORY_URL: directory.url };
    const environments: Readonly<Record<GatewayName, Readonly<Record<string, string>>>> = {
      embedded: { DOI_DIRECTORY_FILE: records, DOI_AGENCIES_FILE: agencies },
      live,
      jobs: { ...live, JOBS_REDIS_URL: queue?.url ?? '', JOBS_DIR: join(folder, 'jobs') },
    };
    console.log(`${chosen.length} of ${ATTACKS.length} attacks on ${gatewayDir}, caches ${flags.caches}`);
    const runnable = chosen.filter(({ gateway }) => gateway !== 'jobs' || queue !== null);
    const reports: Report[] = [];
    for (const name of Object.keys(environments) as GatewayName[]) {
      const attacks = runnable.filter(({ gateway }) => gateway === name);
      if (attacks.length > 0) reports.push(...(await playAll(attacks, name, file, environments[name])));
    }
    printReports(reports);
    const allRulesHold = printVerdict(reports, runnable.length - reports.length);
    console.log(`\n${Math.round((performance.now() - begin) / 1_000)} s.`);
    return allRulesHold;
  } finally {
    await endServers();
    await queue?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function playAll(
  attacks: readonly Attack[],
  name: GatewayName,
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<Report[]> {
  // An operation that a quiet machine completes in time must also end in time on a slow machine.
  const slower = slowness === 1 ? {} : { OPERATION_DEADLINE_MS: String(30_000 * slowness) };
  const target = await startTarget({ file, env: { ...env, ...slower } }, async (port) => {
    if (flags.caches === 'full') await fillCaches(port, name);
  });
  const honestCpuMs = await measureHonest(target);
  const reports: Report[] = [];
  for (const together of grouped(attacks)) {
    if (performance.now() > Number(flags.minutes) * 60_000) break;
    const slowed = together.map((attack) => ({ ...attack, limitMs: attack.limitMs * slowness }));
    const newReports = await play(slowed, target, honestCpuMs);
    reports.push(...newReports);
    if (!flags.quiet) newReports.forEach(printLine);
  }
  await target.end();
  return reports;
}

/** Returns each attack without a group alone, then the groups. */
function grouped(attacks: readonly Attack[]): Attack[][] {
  const alone = attacks.filter(({ group }) => group === null).map((attack) => [attack]);
  const groups = new Set(attacks.flatMap(({ group }) => group ?? []));
  return [...alone, ...[...groups].map((name) => attacks.filter(({ group }) => group === name))];
}

function printLine(report: Report): void {
  const violations = violationsOf(report);
  const figures = `honest client waits ${Math.round(report.waitMs)} ms; ${Math.round(report.cpuMs)} ms CPU, ${Math.round(report.peakRssMb)} MB`;
  const [mark, why] = violations.length === 0 ? ['  ', ''] : ['✗ ', ` — ${violations.join('; ')}`];
  console.log(`${mark}${report.name}: ${figures}; ${report.responses}${why}`);
}
