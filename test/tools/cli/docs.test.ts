// docs/command-line.md and the README show the real output of the commands.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { TOMBSTONES } from '../../../src/handle/tombstone.ts';
import { openGateway } from '../../../src/tools/cli/open-gateway.ts';
import { COMMANDS } from '../../../src/tools/cli/run-doi.ts';
import { sendInProcess } from '../../../src/tools/gateway-client/send-operation.ts';
import { CONTACT, startAgencyGateway } from '../../upstream/agencies/agency-gateway.ts';
import { runCli } from './run-cli.ts';

const textOf = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');
const page = textOf('docs/command-line.md');

/** The words of a line of a shell. Text in quotes is one word. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');

describe('docs/command-line.md', () => {
  test.each(Object.keys(COMMANDS))('has a section for doi %s', (name) => {
    expect(page).toContain(`\n## doi ${name}\n\n`);
    expect(page).toContain(`| [\`doi ${name}\`](#doi-${name}) |`);
  });

  test('lists each known tombstone', () => {
    for (const { address, meaning } of TOMBSTONES)
      expect(page).toContain(`| \`${address}\` | ${meaning} |\n`);
  });
});

describe('help', () => {
  test('lists all commands for --help, for `help`, and if there is no command', async () => {
    const help = await runCli(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const name of Object.keys(COMMANDS)) expect(help.stdout).toContain(`\n  ${name} `);
    expect(await runCli([])).toEqual({ ...help, code: 2, stdout: '', stderr: help.stdout });
    expect(await runCli(['help'])).toEqual(help);
    expect(await runCli(['help', 'check'])).toEqual(await runCli(['check', '-h']));
  });

  test('has lines that fit a terminal, and an example for each command', async () => {
    for (const load of Object.values(COMMANDS)) {
      const command = await load();
      expect(command.examples.length).toBeGreaterThan(0);
      const { stdout } = await runCli([command.name, '--help']);
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    }
  });

  test('names the version of the package', async () => {
    const { version } = JSON.parse(textOf('package.json')) as { version: string };
    expect((await runCli(['--version'])).stdout).toBe(`doi ${version}\n`);
  });
});

/** The work of the README as Crossref describes it. */
const NUCLEIC_ACIDS = {
  DOI: '10.1038/171737a0',
  type: 'journal-article',
  title: ['Molecular Structure of Nucleic Acids: A Structure for Deoxyribose Nucleic Acid'],
  'container-title': ['Nature'],
  issued: { 'date-parts': [[1953, 4]] },
  author: [
    { given: 'J. D.', family: 'WATSON' },
    { given: 'F. H. C.', family: 'CRICK' },
  ],
  volume: '171',
  issue: '4356',
  page: '737-738',
};

describe('README', () => {
  test('shows three commands with their output', async () => {
    const readme = textOf('README.md');
    const section = readme.slice(readme.search(/^## (?:At the c|C)ommand line/m));
    const [, block = ''] = /```console\n(.*?)```/s.exec(section) ?? [];
    const calls = block.split(/^\$ (?=(?:CONTACT=\S+ )?doi )/m).slice(1);
    expect(calls).toHaveLength(3);
    const { gateway, time } = await startAgencyGateway([], CONTACT, {
      searched: { crossref: [NUCLEIC_ACIDS] },
    });
    const live = {
      send: sendInProcess(gateway.app.fetch),
      maxLookups: null,
      isSample: false,
      async close() {},
    };
    for (const call of calls) {
      const [line = '', ...rest] = call.split('\n');
      const [, args = '', stdin] = /doi (.*?)(?: <<< '(.*)')?$/.exec(line) ?? [];
      const isLive = wordsOf(args).includes('--live');
      const ended = runCli(wordsOf(args), {
        ...(stdin !== undefined && { stdin: `${stdin}\n` }),
        open: async () => (isLive ? live : openGateway({ gateway: undefined, live: false }, {})),
      });
      const { stdout, stderr } = await (isLive ? time.drive(ended) : ended);
      expect(`${stdout}${stderr}`.trim()).toBe(rest.join('\n').trim());
    }
  });
});
