// npm run attack: hostile operations, bodies, connections and records, with an honest client beside them.
//   --only TEXT   those whose names hold the text; live, embedded and slow are words of theirs, too
//   --list        their names
//   --quiet       no line for each                     --minutes N  begin none later than that (20)

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { builtGateway, endServers, gatewayDir } from '../node-process.ts';
import { agenciesFile, directoryFile } from '../peers/data.mjs';
import type { Attack } from './attack.ts';
import { ATTACKS } from './attacks/index.ts';
import { measureHonest, play, type Report } from './play.ts';
import { hostileFile } from './records.ts';
import { faultsOf, printReports, printVerdict } from './report.ts';
import { startTarget } from './target.ts';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    list: { type: 'boolean' },
    quiet: { type: 'boolean' },
    minutes: { type: 'string', default: '20' },
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
  try {
    const [{ port }] = (await once(directory, 'message')) as [{ port: number }];
    const records = join(folder, 'records.jsonl');
    const agencies = join(folder, 'agencies.json');
    writeFileSync(records, directoryFile() + hostileFile());
    writeFileSync(agencies, agenciesFile());
    const env = {
      embedded: { DOI_DIRECTORY_FILE: records, DOI_AGENCIES_FILE: agencies },
      live: { DOI_DIRECTORY_URL: `http://127.0.0.1:${port}` },
    };
    console.log(`${chosen.length} of ${ATTACKS.length} attacks on ${gatewayDir}`);
    const reports: Report[] = [];
    for (const name of ['embedded', 'live'] as const) {
      const attacks = chosen.filter((attack) => attack.gateway === name);
      if (attacks.length > 0) reports.push(...(await playAll(attacks, gateway, env[name])));
    }
    printReports(reports);
    const isWell = printVerdict(reports, chosen.length - reports.length);
    console.log(`\n${Math.round((performance.now() - begin) / 1_000)} s.`);
    return isWell;
  } finally {
    directory.disconnect();
    await endServers();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function playAll(
  attacks: readonly Attack[],
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<Report[]> {
  const target = await startTarget({ file, env });
  const honestCpuMs = await measureHonest(target);
  const reports: Report[] = [];
  for (const together of grouped(attacks)) {
    if (performance.now() > Number(flags.minutes) * 60_000) break;
    const played = await play(together, target, honestCpuMs);
    reports.push(...played);
    if (!flags.quiet) played.forEach(printLine);
  }
  await target.end();
  return reports;
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
