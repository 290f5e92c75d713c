// If an argument is a folder or a pattern, `doi` reads some files in it, and skips other files.

import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { excludeMatcher, folderOfGlob, globMatcher } from '../../../src/tools/cli/files/globs.ts';
import { fakeGateway, folderWith, runCli } from './run-cli.ts';

/** A folder with these files. Each file contains a name: `10.1000/` and the number of the file. */
async function tree(...files: string[]): Promise<string> {
  const folder = await folderWith({});
  for (const [at, file] of files.entries()) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), `10.1000/${at}\n`);
  }
  return folder;
}

/** The files that were read, relative to the folder. */
async function read(folder: string, args: readonly string[], environment = {}) {
  const { code, stdout, stderr } = await runCli(['find', ...args], { environment });
  const files = [...stdout.matchAll(/^(.*):1:1: /gm)].map(([, file = '']) => file.replace(`${folder}/`, ''));
  return { code, files, stderr };
}

describe('a folder', () => {
  test('is read with its subfolders, without hidden files and node_modules', async () => {
    const folder = await tree('b.md', 'a/c.tex', 'a/a.md', '.git-not/x', '.hidden', 'a/node_modules/y');
    expect(await read(folder, [folder])).toEqual({
      code: 0,
      files: ['a/a.md', 'a/c.tex', 'b.md'],
      stderr: '',
    });
  });

  test('is read without symbolic links, which can be endless, and without files that are not text', async () => {
    const folder = await tree('a.md');
    await writeFile(join(folder, 'b.bin'), 'a\0b');
    await writeFile(join(folder, 'c.pdf'), '%PDF-1.7');
    await symlink('/dev/zero', join(folder, 'd'));
    await symlink(folder, join(folder, 'e'));
    expect(await read(folder, [folder])).toEqual({
      code: 0,
      files: ['a.md'],
      stderr: 'doi find: skipped 2 files that are not text.\n',
    });
    // A named file that is not text is an error.
    expect((await read(folder, [join(folder, 'b.bin')])).code).toBe(2);
  });

  test('has each file read once, even if several arguments name the file', async () => {
    const folder = await tree('a/a.md', 'b.md');
    const { files } = await read(folder, [
      join(folder, 'b.md'),
      folder,
      join(folder, 'a'),
      `${folder}/**/*.md`,
    ]);
    expect(files).toEqual(['b.md', 'a/a.md']);
  });

  test('is read without the lock file', async () => {
    const folder = await tree('a.md');
    const lock = join(folder, 'dois.lock');
    await writeFile(lock, '{"name":"10.1000/x","outcome":"absent","asked":"2026-11-20T12:00:00Z"}\n');
    const { stdout } = await runCli(['check', '--lock', lock, folder], { gateway: await fakeGateway() });
    expect(stdout).toMatch(/^[^\n]*a\.md:1:1: absent: 10\.1000\/0\n$/);
  });
});

describe('a folder of a repository', () => {
  /** The environment with a script in place of Git. */
  async function fakeGit(script: string): Promise<Record<string, string>> {
    const folder = await folderWith({ git: `#!/bin/sh\n${script}\n` });
    await chmod(join(folder, 'git'), 0o755);
    return { PATH: [folder, '/usr/bin', '/bin'].join(delimiter), GIT_DIR: '/nowhere', HOME: '/home/x' };
  }

  test('is read as Git lists it, without missing files', async () => {
    const folder = await tree('.git/config', 'a.md', 'b.md');
    const environment = await fakeGit(String.raw`printf 'b.md\0gone.md\0'`);
    expect(await read(folder, [folder], environment)).toEqual({ code: 0, files: ['b.md'], stderr: '' });
  });

  test('runs no program that the repository names, and uses no other repository', async () => {
    const folder = await tree('.git/config', 'docs/a.md');
    const environment = await fakeGit(`printf '%s\\n' "$*" "$GIT_DIR" "$HOME" > "${folder}/called"`);
    await read(folder, [join(folder, 'docs')], environment);
    const called = await runCli(['find', '--names', join(folder, 'called')]);
    expect(called.code).toBe(1);
    expect(await readFile(join(folder, 'called'), 'utf8')).toBe(
      `-C ${folder}/docs -c core.fsmonitor=false -c core.hooksPath=/dev/null ls-files -z --cached --others --exclude-standard\n\n/home/x\n`,
    );
  });

  test.each([
    ['refuses', "echo 'fatal: dubious ownership' >&2; exit 128", 'fatal: dubious ownership'],
    ['is not installed', null, 'git is not installed'],
  ])('is read without Git, with a message, if Git %s', async (_, script, reason) => {
    const folder = await tree('.git/config', 'a.md');
    const environment = script === null ? { PATH: '/nowhere' } : await fakeGit(script);
    expect(await read(folder, [folder], environment)).toEqual({
      code: 0,
      files: ['a.md'],
      stderr: `doi find: ${folder} is read without Git (${reason}). So only hidden files and node_modules are skipped.\n`,
    });
  });

  const { PATH = '' } = process.env;
  const hasGit = (() => {
    try {
      return execFileSync('git', ['--version'], { stdio: 'pipe' }).length > 0;
    } catch {
      return false;
    }
  })();
  test.skipIf(!hasGit)('is read without the files that Git ignores', async () => {
    const folder = await tree('a.md', '.github/b.md', 'build/c.md', 'new.md');
    await writeFile(join(folder, '.gitignore'), 'build\n');
    execFileSync('git', ['-C', folder, 'init', '-q'], { env: { PATH } });
    execFileSync('git', ['-C', folder, 'add', 'a.md'], { env: { PATH } });
    expect((await read(folder, [folder], { PATH })).files).toEqual(['.github/b.md', 'a.md', 'new.md']);
  });
});

describe('a pattern', () => {
  test('matches files below its folder', async () => {
    const folder = await tree('a.md', 'b/c.md', 'b/d.tex', 'b/e/f.md');
    expect((await read(folder, [`${folder}/*.md`])).files).toEqual(['a.md']);
    expect((await read(folder, [`${folder}/**/*.md`])).files).toEqual(['a.md', 'b/c.md', 'b/e/f.md']);
    expect((await read(folder, [`${folder}/b/*.{md,tex}`])).files).toEqual(['b/c.md', 'b/d.tex']);
  });

  test('without a matching file is an error, and a missing file is an error too', async () => {
    const folder = await tree('a.md');
    const [pattern, file] = ['no file matches this pattern.', 'there is no such file.'];
    for (const [path, reason] of [
      ['*.tex', pattern],
      ['none/*.md', pattern],
      ['none', file],
    ]) {
      const operand = `${folder}/${path}`;
      const { code, stderr } = await read(folder, [operand]);
      expect(code).toBe(2);
      expect(stderr).toBe(`doi find: ${operand}: ${reason}\n`);
    }
  });

  test('is a file name if such a file exists', async () => {
    const folder = await tree('[a].md', 'a.md');
    expect((await read(folder, [`${folder}/[a].md`])).files).toEqual(['[a].md']);
  });

  test.each([
    ['*.md', ['a.md', '.md'], ['a/b.md', 'a.mdx', 'a\n.tex']],
    ['**/*.md', ['a.md', 'a/b.md', 'a/b/c.md'], ['a.tex']],
    ['a/**', ['a/b', 'a/b/c'], ['ab/c']],
    ['a/**/b', ['a/b', 'a/c/b', 'a/c/d/b'], ['ab', 'a/cb']],
    [
      'a?[b-d][!x].{tex,bib,bob}',
      ['a1by.tex', 'a1dy.bib', 'a1dy.bob'],
      ['a1bx.tex', 'a1ey.tex', 'a/by.tex', 'a1by.bub'],
    ],
    ['a.(b)+$', ['a.(b)+$'], ['a.b']],
    ['[', ['['], []],
    ['[z-a]*', [], ['z', 'a', 'm', '[z-a]']],
    ['**', ['a', 'a/b'], []],
  ])('matches only the right paths: %s', (glob, matching, others) => {
    const isMatch = globMatcher(glob);
    expect(matching.filter((path) => !isMatch(path))).toEqual([]);
    expect(others.filter(isMatch)).toEqual([]);
  });

  test('that is hostile costs little time', () => {
    expect(globMatcher('{a,b}'.repeat(40))('x')).toBe(false);
    expect(globMatcher('**/'.repeat(2_000))(`${'x/'.repeat(2_000)}x`)).toBe(false);
    expect(globMatcher('*'.repeat(2_000))('x'.repeat(255))).toBe(true);
  });

  test.each([
    ['docs/*.md', 'docs'],
    ['*.md', '.'],
    ['/a/b/**', '/a/b'],
    ['/*', '/'],
  ])('with the text %s is searched in the folder %s', (glob, folder) => {
    expect(folderOfGlob(glob)).toBe(folder);
  });
});

describe('--exclude', () => {
  test('skips files and folders, even files that an argument names', async () => {
    const folder = await tree('a.md', 'vendor/b.md', 'docs/vendor/c.md', 'docs/old/d.md', 'docs/e.md');
    const all = [folder, '--exclude', 'vendor', '--exclude', 'docs/old'];
    expect((await read(folder, all)).files).toEqual(['a.md', 'docs/e.md']);
    const named = [join(folder, 'a.md'), join(folder, 'docs/e.md'), '--exclude', 'a.*'];
    expect((await read(folder, named)).files).toEqual(['docs/e.md']);
  });

  test.each([
    ['vendor', ['vendor', 'vendor/a', 'a/vendor/b'], ['vendors', 'a/vendor.md']],
    ['vendor/', ['vendor/a'], ['a']],
    ['./docs/*.md', ['docs/a.md', './docs/a.md'], ['docs/a/b.md', 'x/docs/a.md']],
    ['docs/**/old', ['docs/old/a', 'docs/a/old'], ['docs/a']],
  ])('skips only the right paths: %s', (glob, left, others) => {
    const isExcluded = excludeMatcher([glob]);
    expect(left.filter((path) => !isExcluded(path))).toEqual([]);
    expect(others.filter(isExcluded)).toEqual([]);
  });
});
