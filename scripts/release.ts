// Makes a release after all checks: `npm run release`. It writes into release/: the chart for `helm install`, the two npm
// packages, and a list of the gateway's packages (CycloneDX). `-- --dry-run` names the checks and does not run them.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../', import.meta.url));

/** In the order of their run. `.ci/run` does these and more in a clean checkout. */
export const CHECKS = ['lint', 'typecheck', 'build', 'breaking', 'test'] as const;

/** Texts that must name the same version. */
export interface ReleaseTexts {
  /** of package.json */
  readonly version: string;
  /** Chart.yaml */
  readonly chart: string;
  /** CHANGELOG.md */
  readonly changelog: string;
}

/** Faults of the texts of a release; `[]`: they are ready. */
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
  // Like `helm package`: files in place of links, under the chart's name.
  const deterministic = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--dereference'];
  execFileSync('tar', [...deterministic, '-czf', chart, '-C', join(root, 'deploy/helm'), 'doi-gateway']);
  return [packages, chart];
}

/**
 * npm gets a folder without development packages: `npm sbom --omit=dev` also omits packages that the gateway needs at
 * run time and in development, such as graphql (npm/cli#7909). The folder's name becomes the application's.
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

/** Packs the gateway and doi-names, which the checks have built, and returns the paths. */
function packPackages(folder: string): string[] {
  // Apart from the chart, whose file has the same name.
  mkdirSync(folder, { recursive: true });
  return [[], ['--workspace', 'doi-names']].map((options) => {
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, ...options];
    return join(folder, execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim());
  });
}

function release(isDryRun: boolean): void {
  const texts = readTexts();
  const problems = unready(texts);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  for (const check of CHECKS) {
    console.log(`== npm run ${check}${isDryRun ? ' (left out)' : ''}`);
    if (!isDryRun) execFileSync('npm', ['run', '--silent', check], { cwd: root, stdio: 'inherit' });
  }
  const folder = join(root, 'release');
  const paths = [...writeArtefacts(folder, texts.version), ...packPackages(join(folder, 'npm'))];
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
