// The commands of the workflow in docs/command-line.md work in a repository with references.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly jobs: {
    readonly check: { readonly env: Readonly<Record<string, string>>; readonly steps: readonly Step[] };
  };
}
interface Step {
  readonly uses?: string;
  readonly name?: string;
  readonly if?: string;
  readonly run?: string;
}

async function workflow(): Promise<Workflow> {
  const page = await readFile(join(root, 'docs/command-line.md'), 'utf8');
  return parse(/```yaml\n(name: references\n[\s\S]*?)```/.exec(page)?.[1] ?? '') as Workflow;
}

/** A repository with a paper that Git can push, and a repository of the project that is already built. */
async function repositories() {
  const folder = await mkdtemp(join(tmpdir(), 'doi-ci-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [paper, project, bin] = ['paper', 'project', 'bin'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const name of [paper, project, bin, join(folder, 'temp')]) await mkdir(name);

  const records = '{"handle":"10.5555/1","values":[]}\n{"handle":"10.5555/2","values":[]}\n';
  await writeFile(join(folder, 'records.jsonl'), records);
  // A fake `gh`, because there is no GitHub here.
  await writeFile(join(bin, 'gh'), '#!/bin/sh\necho "gh $*"\n');
  await chmod(join(bin, 'gh'), 0o755);

  // test/scripts/package.process.test.ts tests the build.
  await cp(dirname(inject('compiledGateway')), join(project, 'dist'), { recursive: true });
  await chmod(join(project, 'dist/tools/cli/doi.js'), 0o755);
  await cp(join(root, 'package.json'), join(project, 'package.json'));
  for (const name of ['data', 'graphiql', 'inspector', 'jobs-page', 'node_modules', 'schema.graphql'])
    await symlink(join(root, name), join(project, name));

  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], {
      cwd,
      stdio: 'pipe',
    });
  git(folder, 'init', '-q', '--bare', 'origin');
  for (const at of [paper, project]) git(at, 'init', '-q');
  await writeFile(join(paper, 'paper.md'), 'See https://doi.org/10.5555/1.\n');
  await mkdir(join(paper, 'vendor'));
  await writeFile(join(paper, 'vendor/other.md'), '10.5555/not-ours\n');
  git(paper, 'remote', 'add', 'origin', join(folder, 'origin'));
  for (const at of [paper, project]) {
    git(at, 'add', '.');
    git(at, 'commit', '-q', '-m', 'first');
  }
  return {
    folder,
    paper,
    project,
    bin,
    pushed: (file: string) => git(folder, '-C', 'origin', 'show', `dois-lock:${file}`).toString(),
  };
}

/** Runs the commands for an event with bash, as GitHub does. Steps with `always()` run even after a failure. */
function runSteps(
  { jobs }: Workflow,
  event: string,
  places: Awaited<ReturnType<typeof repositories>>,
  isInstalled = false,
) {
  const { folder, paper, project, bin } = places;
  const prefix = join(folder, 'global');
  const env = {
    ...jobs.check.env,
    HOME: folder,
    PATH: [join(prefix, 'bin'), bin, dirname(process.execPath), process.env['PATH']].join(delimiter),
    RUNNER_TEMP: join(folder, 'temp'),
    DOI_REPOSITORY: `file://${project}`,
    DOI_DIRECTORY_FILE: join(folder, 'records.jsonl'),
    npm_config_prefix: prefix,
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
  };
  const ran: { name: string | undefined; status: number | null; stdout: string; stderr: string }[] = [];
  for (const step of jobs.check.steps) {
    const isSelected = step.if === undefined || step.if.includes(`github.event_name == '${event}'`);
    const hasFailed = ran.some(({ status }) => status !== 0);
    if (!isSelected || step.run === undefined || (hasFailed && !step.if?.includes('always()'))) continue;
    if (isInstalled && step.name === 'Install doi') continue;
    // The command reads the records of the test instead of https://doi.org.
    const script = step.run.replaceAll(' --live ', ' ');
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script],
      {
        cwd: paper,
        env,
        encoding: 'utf8',
        timeout: 50_000,
      },
    );
    ran.push({ name: step.name, status, stdout, stderr });
  }
  return ran;
}

test('a push checks the references, and annotates an absent reference', async () => {
  const steps = await workflow();
  const places = await repositories();
  const [installed, good] = runSteps(steps, 'push', places);
  expect(installed).toMatchObject({ name: 'Install doi', status: 0 });
  expect(good).toMatchObject({ name: 'Check with the lock file', status: 0, stdout: '' });
  expect(good?.stderr).toBe('1 reference: 1 found, 0 absent, 0 cannot tell\n');

  await writeFile(join(places.paper, 'new.tex'), '\n\\doi{10.5555/3}\n');
  const [bad] = runSteps(steps, 'push', places, true);
  expect(bad).toMatchObject({ name: 'Check with the lock file', status: 1 });
  expect(bad?.stdout).toMatch(/^::error file=new\.tex,line=2,col=6,.*::absent: 10\.5555\/3/);
});

test('the weekly run looks up all names again, and proposes the new lock file', async () => {
  const places = await repositories();
  const ran = runSteps(await workflow(), 'schedule', places);
  expect(ran.map(({ name, status }) => [name, status])).toEqual([
    ['Install doi', 0],
    ['Look everything up again', 0],
    ['Offer the new lock file', 0],
  ]);
  expect(ran.at(-1)?.stdout).toBe('gh pr create --fill --head dois-lock\n');
  expect(places.pushed('dois.lock')).toMatch(
    /^\{"name":"10\.5555\/1","outcome":"found","asked":"[^"]+","updates":\{.*\}\}\n$/,
  );
});

test('the workflow runs on each event that a step names', async () => {
  const { on, jobs } = await workflow();
  const events = jobs.check.steps.flatMap((step) => /event_name == '(\w+)'/.exec(step.if ?? '')?.[1] ?? []);
  expect(Object.keys(on).sort()).toEqual([...new Set(events)].sort());
});
