// The package doi-names, packed by npm, and the vectors that it must pass.

import { execFile } from 'node:child_process';
import { copyFile, cp, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Case, readVectors, TASKS } from '../../checks/conformance/run/vectors.ts';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('../../packages/doi-names', import.meta.url));
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

/** Number of cases of each task that the package passes. */
export const PASSED = { parse: 182, encode: 461, equivalence: 34, warnings: 38, find: 318 };

/** Starts npm, on a machine that others keep busy. */
export const INSTALL_TIMEOUT_MS = 60_000;

export interface PackedLibrary {
  /** the caller removes it */
  readonly folder: string;
  /** the path of the archive of `npm pack` */
  readonly archive: string;
}

/** The folder also contains `vectors.json`, and `check-vectors.js`, whose `checkVectors` takes the vectors. */
export async function packLibrary(): Promise<PackedLibrary> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'doi-names-')));
  const built = join(folder, 'built');
  const files = ['package.json', 'README.md', 'LICENSE', 'data'];
  await Promise.all(files.map((name) => cp(join(PACKAGE, name), join(built, name), { recursive: true })));
  await run(process.execPath, [TSC, '-p', PACKAGE, '--noCheck', '--outDir', join(built, 'dist')]);
  const archive = await npm(built, 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder);
  await writeFile(join(folder, 'vectors.json'), JSON.stringify(allCases()));
  await copyFile(new URL('check-vectors.js', import.meta.url), join(folder, 'check-vectors.js'));
  return { folder, archive: join(folder, archive.trim()) };
}

/** The output. Rejects if npm fails. */
export async function npm(cwd: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, npm_config_audit: 'false', npm_config_update_notifier: 'false' };
  return (await run('npm', args, { cwd, env })).stdout;
}

/** The cases by task */
function allCases(): Readonly<Record<string, readonly Case[]>> {
  return Object.fromEntries(TASKS.map((task) => [task, readVectors(task).cases] as const));
}
