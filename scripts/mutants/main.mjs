// npm run mutants: changes the sources in small ways, one at a time, and prints the changes that no test notices.
//   --folders A,B  (doi-names,handle,loaders,cache,directory,upstream)     --seed S   which mutants are drawn (1)
//   --share X      of all mutants, from 0 to 1 (0.12)              --report FOLDER  where Stryker's reports go

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');

const { values: flags } = parseArgs({
  options: {
    folders: { type: 'string', default: 'doi-names,handle,loaders,cache,directory,upstream' },
    seed: { type: 'string', default: '1' },
    share: { type: 'string', default: '0.12' },
    report: { type: 'string', default: tmpdir() },
  },
});

/** A test failed, or did not end. */
const KILLED = ['Killed', 'Timeout', 'RuntimeError'];

if (!existsSync(join(here, 'node_modules'))) {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, stdio: 'inherit' });
}
const sandbox = mkdtempSync(join(tmpdir(), 'mutants-'));
try {
  const drawn = flags.folders.split(',').flatMap(mutantsOf);
  const survivors = drawn.filter(({ status }) => !KILLED.includes(status));
  for (const mutant of survivors) print(mutant);
  const killed = drawn.length - survivors.length;
  const late = drawn.filter(({ status }) => status === 'Timeout').length;
  const percent = ((100 * killed) / drawn.length).toFixed(1);
  console.log(`${killed} of ${drawn.length} killed (${percent} %), ${late} of them by not ending.`);
  if (killed < 0.85 * drawn.length) process.exitCode = 1;
} finally {
  // Stryker may have removed it.
  rmSync(sandbox, { recursive: true, force: true });
}

/** The drawn mutants of a folder, with their statuses. Each runs against the tests of its folder. */
function mutantsOf(folder) {
  const report = join(flags.report, `mutants-${folder}.json`);
  const { status } = spawnSync(
    process.execPath,
    [
      join(here, 'node_modules/@stryker-mutator/core/bin/stryker.js'),
      'run',
      join(here, 'stryker.config.mjs'),
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        MUTANTS_FOLDER: folder,
        MUTANTS_SEED: flags.seed,
        MUTANTS_SHARE: flags.share,
        MUTANTS_REPORT: report,
        MUTANTS_SANDBOX: sandbox,
      },
    },
  );
  if (status !== 0) throw new Error(`Stryker ended with ${status} over ${folder}.`);
  const { files } = JSON.parse(readFileSync(report, 'utf8'));
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    // Mutants that were not drawn are "compile errors": see draw-mutants.mjs.
    mutants.filter(({ status }) => status !== 'CompileError').map((mutant) => ({ ...mutant, file, source })),
  );
}

function print({ file, source, location: { start }, mutatorName, replacement, status }) {
  const line = source.split('\n')[start.line - 1].trim();
  console.log(
    `${status} ${file}:${start.line}:${start.column} ${mutatorName} -> ${replacement}\n    ${line}`,
  );
}
