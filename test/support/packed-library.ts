// The package doi-names, packed by npm, and the vectors that it must pass.

import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readHardCases } from '../../bench/corpus/score.ts';
import { writePackage } from '../../scripts/library/write-package.ts';

const VECTORS = ['parse', 'encoding', 'equivalence', 'warnings'] as const;

/** How many rows of each kind the package passes. */
export const PASSED = { parse: 123, encoding: 27, equivalence: 19, warnings: 32, find: 317 };

/** Starts npm, on a machine that others keep busy. */
export const INSTALL_TIMEOUT_MS = 60_000;

export interface PackedLibrary {
  /** to be removed by the caller */
  readonly folder: string;
  /** the path of what `npm pack` made */
  readonly archive: string;
}

/** In the folder are also `vectors.json`, and `check-vectors.js`, whose `checkVectors` takes them. */
export async function packLibrary(): Promise<PackedLibrary> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'doi-names-')));
  writePackage(join(folder, 'built'));
  const archive = await npm(join(folder, 'built'), 'pack', '--silent', '--pack-destination', folder);
  await writeFile(join(folder, 'vectors.json'), JSON.stringify(await readVectors()));
  await copyFile(new URL('check-vectors.js', import.meta.url), join(folder, 'check-vectors.js'));
  return { folder, archive: join(folder, archive.trim()) };
}

/** The output. Rejects if npm fails. */
export async function npm(cwd: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, npm_config_audit: 'false', npm_config_update_notifier: 'false' };
  return (await promisify(execFile)('npm', args, { cwd, env })).stdout;
}

async function readVectors(): Promise<object> {
  const textOf = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
  const rows = VECTORS.map(async (name) => [
    name,
    JSON.parse(await textOf(`test/fixtures/vectors/${name}.json`)),
  ]);
  const find = readHardCases(await textOf('bench/corpus/hard-cases.txt'))
    // Of the address of an API, only Crossref knows where the name ends.
    .filter(({ text }) => !text.endsWith('/transform'))
    .map(({ text, names }) => ({ text, names: names.map(({ name }) => name) }));
  return { ...Object.fromEntries(await Promise.all(rows)), find };
}
