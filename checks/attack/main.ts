// npm run attack: attacks a gateway with hostile operations, bodies, connections and records. At the same time
// honest clients send it normal requests.
//   --only TEXT   attacks whose name, group or gateway (live, embedded, jobs) contains the text
//   --list        prints the names of the attacks and runs none
//   --caches full fills the gateway's caches before the first attack, and each time the gateway has died
//   --slowness N  makes all deadlines N times longer, for a machine that is slower or busier (1)
//   --quiet       prints no line for each attack
//   --minutes N   starts no attack after N minutes (60)

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedEnvironment, readFlags, runBench, startQueue } from '../../bench/command.ts';
import { buildGateway, gatewayDir, startDirectory } from '../../bench/node-process.ts';
import type { Attack } from './attack.ts';
import { ATTACKS } from './attacks/index.ts';
import { hostileFile } from './hostile-records.ts';
import { workRecords, worksFile } from './hostile-works.ts';
import { keysFile } from './job-requests.ts';
import { measureHonest, play } from './play.ts';
import { printReport, printReports, printVerdict, type Report } from './report.ts';
import { fillCaches, startTarget } from './target.ts';

const flags = readFlags({ only: '', list: false, quiet: false, caches: 'empty', slowness: 1, minutes: 60 });
const chosen = ATTACKS.filter(({ name, group, gateway }) =>
  `${name} ${group ?? ''} ${gateway}`.includes(flags.only),
);
if (flags.list) for (const { name } of chosen) console.log(name);
else await runBench(playChosen);

async function playChosen(folder: string): Promise<boolean> {
  const file = buildGateway();
  const queue = await startQueue();
  const directory = await startDirectory();
  const works = join(folder, 'works.jsonl');
  writeFileSync(works, worksFile());
  const keys = join(folder, 'keys.json');
  writeFileSync(keys, keysFile());
  const { url } = directory;
  const live = { DOI_DIRECTORY_URL: url, CROSSREF_API_URL: url, DATACITE_API_URL: url };
  const environments: Readonly<Record<Attack['gateway'], Readonly<Record<string, string>>>> = {
    embedded: {
      ...embeddedEnvironment(folder, hostileFile() + workRecords()),
      DOI_METADATA_FILE: works,
    },
    live,
    jobs: {
      ...live,
      JOBS_REDIS_URL: queue?.url ?? '',
      JOBS_DIR: join(folder, 'jobs'),
      API_KEYS_FILE: keys,
    },
  };
  // An operation that a quiet machine completes in time must also end in time on a slow machine.
  const slower = flags.slowness === 1 ? {} : { OPERATION_DEADLINE_MS: String(30_000 * flags.slowness) };
  console.log(`${chosen.length} of ${ATTACKS.length} attacks on ${gatewayDir}, caches ${flags.caches}`);
  const playable = chosen.filter(({ gateway }) => gateway !== 'jobs' || queue !== null);
  const reports: Report[] = [];
  for (const [gateway, env] of Object.entries(environments)) {
    const attacks = playable.filter((attack) => attack.gateway === gateway);
    if (attacks.length > 0) reports.push(...(await playAll(attacks, file, { ...env, ...slower })));
  }
  printReports(reports);
  return printVerdict(reports, playable.length - reports.length);
}

/** Plays attacks on the same gateway. */
async function playAll(
  attacks: readonly Attack[],
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<Report[]> {
  const target = await startTarget({ file, env }, async (port) => {
    if (flags.caches === 'full') await fillCaches(port, attacks[0]?.gateway === 'live');
  });
  const honestCpuMs = await measureHonest(target);
  const reports: Report[] = [];
  for (const together of grouped(attacks)) {
    if (performance.now() > flags.minutes * 60_000) break;
    const slowed = together.map((attack) => ({ ...attack, limitMs: attack.limitMs * flags.slowness }));
    const newReports = await play(slowed, target, honestCpuMs);
    reports.push(...newReports);
    if (!flags.quiet) newReports.forEach(printReport);
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
