import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { INSTALL_TIMEOUT_MS, npm, PASSED, packLibrary } from '../../../test/support/packed-library.ts';
import { sizesOf } from '../scripts/bundle-sizes.ts';

describe('the installed package doi-names', () => {
  let folder = '';
  let library = '';
  const manifestOf = async (path: string) => JSON.parse(await readFile(path, 'utf8'));

  beforeAll(async () => {
    const packed = await packLibrary();
    folder = packed.folder;
    library = join(folder, 'node_modules/doi-names');
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await npm(folder, 'install', '--silent', '--offline', '--no-fund', packed.archive);
    await writeFile(join(folder, 'check.js'), CHECK);
    return () => rm(folder, { recursive: true });
  }, INSTALL_TIMEOUT_MS);

  const checked = (file: string) =>
    JSON.parse(execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' }));

  test('passes the vectors', () => {
    expect(checked('check.js')).toEqual({ passed: PASSED, failures: [] });
  });

  test('passes the vectors when it is bundled', async () => {
    const outfile = join(folder, 'bundled.js');
    await build({
      entryPoints: [join(folder, 'check.js')],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'neutral',
      external: ['node:fs'],
      outfile,
    });
    expect(checked('bundled.js')).toEqual({ passed: PASSED, failures: [] });
  });

  test('has the version of the gateway and no dependency', async () => {
    const { version } = await manifestOf('package.json');
    const manifest = await manifestOf(join(library, 'package.json'));
    expect(manifest).toMatchObject({
      name: 'doi-names',
      version,
      license: 'MIT',
      type: 'module',
      sideEffects: false,
    });
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
  });

  test('is not larger than its documented sizes', async () => {
    for (const { title, kb, mostKb } of await sizesOf(library)) expect(kb, title).toBeLessThanOrEqual(mostKb);
  });
});

const CHECK = `
import { readFileSync } from 'node:fs';
import * as library from 'doi-names';
import { lookalikes } from 'doi-names/lookalikes';
import { checkVectors } from './check-vectors.js';

const vectors = JSON.parse(readFileSync('vectors.json', 'utf8'));
console.log(JSON.stringify(checkVectors(library, lookalikes, vectors)));
`;
