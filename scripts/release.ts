// Makes what a release consists of, once every check has passed: `npm run release`. In release/ are then the chart as
// `helm install` takes it, and a list of what the gateway is made of (CycloneDX). `-- --dry-run` leaves the checks
// out and only names them.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../', import.meta.url));

/** In the order in which they are run; `.ci/run` does these and more from a clean checkout. */
export const CHECKS = ['lint', 'typecheck', 'build', 'breaking', 'test'] as const;

/** What the texts of a release have to agree on. */
export interface ReleaseTexts {
  /** of package.json */
  readonly version: string;
  /** Chart.yaml */
  readonly chart: string;
  /** CHANGELOG.md */
  readonly changelog: string;
}

/** What has to be written before a release; `[]` where nothing has. */
export function unready({ version, chart, changelog }: ReleaseTexts): string[] {
  const metadata = parse(chart) as { version: string; appVersion: string };
  const problems = (['version', 'appVersion'] as const)
    .filter((name) => metadata[name] !== version)
    .map((name) => `Chart.yaml: ${name} is ${metadata[name]}, package.json has ${version}.`);
  if (!changelog.includes(`\n## [${version}] - `)) {
    problems.push(`CHANGELOG.md has no section "## [${version}] - " with a date.`);
  }
  return problems;
}

/** Writes the chart and the list of packages into a folder, and returns their paths. */
export function writeArtefacts(folder: string, version: string): string[] {
  mkdirSync(folder, { recursive: true });
  const packages = join(folder, `doi-gateway-${version}.cdx.json`);
  writeFileSync(packages, listPackages());
  const chart = join(folder, `doi-gateway-${version}.tgz`);
  // As `helm package` does it: what the links lead to, under the chart's name.
  const deterministic = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--dereference'];
  execFileSync('tar', [...deterministic, '-czf', chart, '-C', join(root, 'deploy/helm'), 'doi-gateway']);
  return [packages, chart];
}

/**
 * npm is given a folder without development packages: `npm sbom --omit=dev` leaves out what is needed at run time
 * and in development (npm/cli#7909), graphql for one. The folder's name becomes the application's.
 */
function listPackages(): Buffer {
  const scratch = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    const cwd = join(scratch, 'doi-gateway');
    mkdirSync(cwd);
    const manifest = readJson<Manifest>('package.json');
    const lock = readJson<{ packages: Record<string, Manifest & { dev?: boolean }> }>('package-lock.json');
    const packages = Object.entries(lock.packages)
      .filter(([, { dev }]) => !dev)
      .map(([path, entry]) => [path, path === '' ? atRunTime(entry) : entry]);
    const write = (file: string, value: object) => writeFileSync(join(cwd, file), JSON.stringify(value));
    write('package.json', atRunTime(manifest));
    write('package-lock.json', { ...lock, packages: Object.fromEntries(packages) });
    const options = ['--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
    return execFileSync('npm', ['sbom', ...options], { cwd });
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

interface Manifest {
  readonly version: string;
  readonly devDependencies?: object;
}

const atRunTime = ({ devDependencies: _, ...rest }: Manifest) => rest;

const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const readJson = <T>(path: string) => JSON.parse(textOf(path)) as T;

function readTexts(): ReleaseTexts {
  const { version } = readJson<Manifest>('package.json');
  return { version, chart: textOf('deploy/helm/doi-gateway/Chart.yaml'), changelog: textOf('CHANGELOG.md') };
}

function release(isDryRun: boolean): void {
  const texts = readTexts();
  const problems = unready(texts);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  for (const check of CHECKS) {
    console.log(`== npm run ${check}${isDryRun ? ' (left out)' : ''}`);
    if (!isDryRun) execFileSync('npm', ['run', '--silent', check], { cwd: root, stdio: 'inherit' });
  }
  const paths = writeArtefacts(join(root, 'release'), texts.version);
  console.log(`== Made:\n${paths.join('\n')}`);
  console.log(`== By hand: docker build and push doi-gateway:${texts.version}, git tag v${texts.version},`);
  console.log('   and cp schema.graphql docs/released-schema.graphql');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    release(process.argv.includes('--dry-run'));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
