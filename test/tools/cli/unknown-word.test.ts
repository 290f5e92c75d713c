// Suggestions for an unknown command or option.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith, runCli } from './run-cli.ts';

async function stderrOf(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  return stderr;
}

test.each([
  [['shwo', '10.1000/182'], 'doi show 10.1000/182'],
  [['CHECK', 'a b.tex'], "doi check 'a b.tex'"],
  [['chek'], 'doi check'],
  [['completions', 'zsh'], 'doi completion zsh'],
  [['10.1000/182'], 'doi show 10.1000/182'],
  [['10.1000/a(b)', '10.1/c'], "doi show '10.1000/a(b)' 10.1/c"],
  [["doi:10.1000/it's"], String.raw`doi show 'doi:10.1000/it'\''s'`],
  [['https://doi.org/10.1000/182'], 'doi show https://doi.org/10.1000/182'],
  [['978-3-16-148410-0'], 'doi show 978-3-16-148410-0'],
  [['help', 'fnd'], 'doi find'],
])('for %j the suggestion is %s', async (args, call) => {
  expect(await stderrOf(...args)).toContain(`Did you mean  ${call}\n`);
});

test('for the name of a file, the suggestion is doi check', async () => {
  const file = join(await folderWith({ 'thesis.tex': '' }), 'thesis.tex');
  expect(await stderrOf(file)).toContain(`Did you mean  doi check ${file}\n`);
});

test.each([['frobnicate'], ['x'], ['constructor'], ['--shwo'], ['x'.repeat(100_000)]])(
  'there is no suggestion for %.20s',
  async (word) => {
    const stderr = await stderrOf(word);
    expect(stderr).not.toContain('Did you mean');
    expect(stderr).toContain('`doi --help` lists all commands.');
  },
);

test('a similar option is suggested', async () => {
  expect(await stderrOf('show', '--jsno', '10.1000/182')).toContain(
    "Unknown option '--jsno'. Did you mean --json?\n",
  );
  expect(await stderrOf('check', '--strcit=1')).toContain('Did you mean --strict?');
  expect(await stderrOf('show', '--frobnicate')).not.toContain('Did you mean');
});
