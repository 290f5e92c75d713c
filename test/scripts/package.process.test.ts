// The package that `npm pack` makes has only the files that the gateway needs. A fresh clone is built.

import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { start, startUp } from '../support/gateway-process.ts';
import { packLibrary } from '../support/packed-library.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Files of a checkout that the package does not need. */
const NOT_NEEDED = [
  'src/a.ts',
  'test/a.ts',
  'docs/a.md',
  'bench/a.ts',
  'dist/a.js.map',
  '.env',
  'inspector/a.ts',
  'inspector/tsconfig.json',
  'graphiql/a.ts',
  'jobs-page/a.ts',
  'jobs-page/tsconfig.json',
];
const NEEDED = [
  'data',
  'graphiql',
  'inspector',
  'jobs-page',
  'schema.graphql',
  'package.json',
  'README.md',
  'LICENSE',
];
const environment = { ...process.env, npm_config_audit: 'false', npm_config_update_notifier: 'false' };

async function scratch(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'doi-package-')));
}

/** Makes a link in node_modules to the folder of the workspace, as `npm ci` does. */
async function bundleDoiNames(checkout: string): Promise<void> {
  const { folder, archive } = await packLibrary();
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  await mkdir(join(checkout, 'node_modules'), { recursive: true });
  await cp(join(folder, 'package'), join(checkout, 'packages/doi-names'), { recursive: true });
  await symlink('../packages/doi-names', join(checkout, 'node_modules/doi-names'));
  await rm(folder, { recursive: true });
}

describe('npm pack', () => {
  let folder = '';
  let files: readonly string[] = [];

  beforeAll(async () => {
    folder = await scratch();
    const checkout = join(folder, 'checkout');
    for (const name of NEEDED) await cp(join(root, name), join(checkout, name), { recursive: true });
    await cp(dirname(inject('compiledGateway')), join(checkout, 'dist'), { recursive: true });
    await bundleDoiNames(checkout);
    for (const name of NOT_NEEDED) {
      await mkdir(dirname(join(checkout, name)), { recursive: true });
      await writeFile(join(checkout, name), '');
    }
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
        cwd: checkout,
        env: environment,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ) as [{ filename: string; files: { path: string }[] }];
    files = packed.files.map(({ path }) => path);
    execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', folder]);
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    return () => rm(folder, { recursive: true });
  });

  test('has the compiled files and the files that the gateway reads, and no other', () => {
    expect(files.filter((file) => NOT_NEEDED.includes(file))).toEqual([]);
    const kinds = new Set(files.map((file) => file.replace(/\/.*/, '/')));
    expect([...kinds].sort()).toEqual(
      [
        'LICENSE',
        'README.md',
        'data/',
        'dist/',
        'graphiql/',
        'inspector/',
        'jobs-page/',
        'node_modules/',
        'package.json',
        'schema.graphql',
      ].sort(),
    );
    const ours = files.filter((file) => !file.startsWith('node_modules/'));
    expect(ours.filter((file) => /\.(?:ts|map)$|tsconfig/.test(file))).toEqual([]);
  });

  test('contains the package doi-names, which is in no registry', () => {
    const bundled = files.filter((file) => file.startsWith('node_modules/'));
    expect(bundled).toContain('node_modules/doi-names/dist/index.js');
    expect(bundled.filter((file) => !file.startsWith('node_modules/doi-names/'))).toEqual([]);
  });

  test('has a working command `doi`', () => {
    const doi = join(folder, 'package/dist/tools/cli/doi.js');
    const shown = execFileSync(process.execPath, [doi, 'show', '10.1000/182'], { encoding: 'utf8' });
    expect(shown).toContain('outcome       found');
  });

  test('has a gateway that starts and serves all pages', async () => {
    const { url } = await startUp(start({}, { main: join(folder, 'package/dist/main.js') }));
    for (const path of ['/', '/schema.graphql', '/openapi.json', '/llms.txt']) {
      const response = await fetch(url + path, { headers: { accept: '*/*' } });
      expect([path, response.status]).toEqual([path, 200]);
      await response.body?.cancel();
    }
  });
});

describe('scripts/prepare.mjs', () => {
  /** The calls of npm in a checkout with these packages. */
  async function calls(packages: readonly string[], npm: Record<string, string>): Promise<string> {
    const folder = await scratch();
    onTestFinished(() => rm(folder, { recursive: true }));
    await cp(join(root, 'scripts/prepare.mjs'), join(folder, 'scripts/prepare.mjs'));
    for (const name of packages) await mkdir(join(folder, 'node_modules', name), { recursive: true });
    const written = join(folder, 'calls');
    const script = `require('fs').appendFileSync(${JSON.stringify(written)}, process.argv.slice(2).join(' ') + ' in ' + process.cwd() + ', ' + process.env.npm_config_prefix + '\\n')`;
    await writeFile(join(folder, 'npm.cjs'), script);
    const own = { npm_execpath: join(folder, 'npm.cjs'), npm_config_prefix: '/elsewhere' };
    const prefix = npm['npm_config_local_prefix'] === 'here' ? { npm_config_local_prefix: folder } : {};
    const env = { PATH: process.env['PATH'], ...own, ...npm, ...prefix };
    execFileSync(process.execPath, [join(folder, 'scripts/prepare.mjs')], { env });
    return (await readFile(written, 'utf8').catch(() => '')).replaceAll(folder, '');
  }

  test('installs the packages for a global install of a fresh clone, and builds it', async () => {
    const env = { npm_config_global: 'true', npm_config_local_prefix: 'here' };
    expect(await calls([], env)).toBe(
      'ci --ignore-scripts --include=dev in , undefined\nrun build in , undefined\n',
    );
    expect(await calls(['typescript'], env)).toBe('run build in , undefined\n');
  });

  test('builds a dependency of another project, but not a checkout in use', async () => {
    expect(await calls(['typescript'], { npm_config_local_prefix: '/other' })).toBe(
      'run build in , undefined\n',
    );
    expect(await calls(['typescript'], { npm_config_local_prefix: 'here' })).toBe('');
    expect(await calls([], {})).toBe('');
  });
});
