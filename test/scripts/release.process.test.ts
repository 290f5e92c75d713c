// The parts of a release.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { CHECKS, unready, writeArtefacts } from '../../scripts/release.ts';

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

interface Bom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string; readonly type: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly licenses?: readonly unknown[];
  }[];
}

describe('different versions stop a release', () => {
  const chart = 'version: 1.2.3\nappVersion: 1.2.3\n';
  const changelog = '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-22\n';

  test.each([
    [{ version: '1.2.3', chart, changelog }, []],
    [
      { version: '1.2.4', chart, changelog },
      [
        'Chart.yaml: version is 1.2.3, package.json has 1.2.4.',
        'Chart.yaml: appVersion is 1.2.3, package.json has 1.2.4.',
        'CHANGELOG.md has no section "## [1.2.4] - " with a date.',
      ],
    ],
  ])('with the problems of case %#', (texts, problems) => {
    expect(unready(texts)).toEqual(problems);
  });
});

test('the checks of a release are scripts of package.json', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining([...CHECKS]));
});

describe('an artefact of a release', () => {
  let folder: string;
  let paths: string[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'doi-gateway-release-'));
    paths = writeArtefacts(folder, '9.9.9');
    return () => rm(folder, { recursive: true });
  });

  test('has the version in its name', () => {
    expect(paths).toEqual(
      ['doi-gateway-9.9.9.cdx.json', 'doi-gateway-9.9.9.tgz'].map((name) => join(folder, name)),
    );
  });

  test('lists each package that the gateway needs, with its licence', () => {
    const bom = JSON.parse(readFileSync(paths[0] ?? '', 'utf8')) as Bom;
    expect([bom.bomFormat, bom.metadata.component]).toMatchObject([
      'CycloneDX',
      { name: 'doi-gateway', type: 'application' },
    ]);
    const { packages } = JSON.parse(textOf('package-lock.json')) as {
      packages: Record<string, { version: string; dev?: boolean; link?: boolean }>;
    };
    const run = Object.entries(packages).filter(([path, { dev, link }]) => path !== '' && !dev && !link);
    const names = run.map(
      ([path, { version }]) => `${path.replace(/^.*(?:node_modules|packages)\//, '')}@${version}`,
    );
    expect(new Set(bom.components.map(({ name, version }) => `${name}@${version}`))).toEqual(new Set(names));
    expect(bom.components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([]);
  });

  test('is a chart with all its files, without links', () => {
    const lines = execFileSync('tar', ['-tvzf', paths[1] ?? ''], { encoding: 'utf8' })
      .trim()
      .split('\n');
    expect(lines.filter((line) => line.startsWith('l'))).toEqual([]);
    const names = lines.map((line) => line.split(' ').at(-1));
    expect(names).toEqual(
      expect.arrayContaining([
        'doi-gateway/Chart.yaml',
        'doi-gateway/values.schema.json',
        'doi-gateway/templates/deployment.yaml',
        'doi-gateway/files/alerts.yaml',
        'doi-gateway/files/doi-gateway.json',
      ]),
    );
  });
});
