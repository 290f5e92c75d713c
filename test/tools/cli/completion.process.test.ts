// The completion scripts complete words in bash, and have valid syntax in all installed shells.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, runCli } from './run-cli.ts';

const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

const SHELLS = ['bash', 'zsh', 'fish'].filter(isInstalled);

async function completeInBash(words: readonly string[], cwd?: string): Promise<string[]> {
  const { stdout: script } = await runCli(['completion', 'bash']);
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const { stdout, stderr } = spawnSync(
    'bash',
    [
      '-c',
      `compopt() { :; }\n${script}\nCOMP_WORDS=(doi ${quoted}) COMP_CWORD=${words.length}; _doi; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ],
    { encoding: 'utf8', cwd },
  );
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

describe.skipIf(!SHELLS.includes('bash'))('in bash', () => {
  test.each([
    [['ch'], ['check']],
    [['--v'], ['--version']],
    [['check', '--st'], ['--strict']],
    [
      ['forms', '10.1000/1', '--form', 'urn'],
      ['urn', 'urn-url'],
    ],
    [['forms', '-f', 'dis'], ['display']],
    [['check', '--gateway', ''], []],
    [['completion', 'z'], ['zsh']],
    [['help', 'sh'], ['show']],
  ])('%j is completed with %j', async (words, expected) => {
    expect(await completeInBash(words)).toEqual(expected);
  });

  test('file names are completed where a command takes files', async () => {
    const folder = await folderWith({ 'thesis.tex': '', 'notes.md': '' });
    expect(await completeInBash(['check', 'the'], folder)).toEqual(['thesis.tex']);
    expect(await completeInBash(['check', '--lock', 'no'], folder)).toEqual(['notes.md']);
    expect(await completeInBash(['show', 'the'], folder)).toEqual([]);
  });
});

test.each(SHELLS)('%s can read its script', async (shell) => {
  const { stdout } = await runCli(['completion', shell]);
  const folder = await folderWith({ script: stdout });
  const { status, stderr } = spawnSync(shell, ['-n', join(folder, 'script')], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test.each([[[]], [['tcsh']], [['bash', 'zsh']]])(
  'doi completion needs exactly one known shell, not %j',
  async (shells) => {
    expect(await runCli(['completion', ...shells])).toMatchObject({ code: 2, stdout: '' });
  },
);
