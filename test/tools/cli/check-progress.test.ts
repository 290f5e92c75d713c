// `doi check` writes lines early, shows its progress, and writes annotations for GitHub Actions.

import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { BatchSize } from '../../../src/tools/cli/check/batch-size.ts';
import { urlValue } from '../../support/fake-directory.ts';
import { fakeGateway, folderWith, runCli } from './run-cli.ts';

const URL_VALUE = [urlValue('https://example.org/')];
const names = Array.from({ length: 30 }, (_, index) => `10.1000/n${index}`);
const records = Object.fromEntries(names.map((name) => [name, URL_VALUE]));

describe('lines', () => {
  test('are written after ten names, even if the text continues', async () => {
    const gateway = await fakeGateway({ records });
    let written = '';
    const stdout = new PassThrough({ encoding: 'utf8' }).on('data', (piece: string) => {
      written += piece;
    });
    let before = '';
    async function* stdin() {
      // The finder looks ahead before it is certain where a name ends.
      yield Buffer.from(`${names.slice(0, 10).join('\n')}\n${' '.repeat(5_000)}\n`);
      before = written;
      yield Buffer.from(`${' '.repeat(20_000)}\n`);
      before = written;
      yield Buffer.from(names[10] ?? '');
    }
    await runCli(['check'], { gateway, stdin: stdin(), stdout });
    expect(before.split('\n')).toHaveLength(11);
    expect(written.split('\n')).toHaveLength(12);
  });

  test('of many small files come from shared operations', async () => {
    const gateway = await fakeGateway({ records });
    const folder = await folderWith(
      Object.fromEntries(names.map((name, at) => [`${String(at).padStart(2, '0')}.txt`, name])),
    );
    const { stdout } = await runCli(['check', folder], { gateway });
    expect(stdout.split('\n')).toHaveLength(31);
    expect(gateway.operations()).toBe(2);
  });
});

test('a batch has as many names as take about a second', () => {
  const batch = new BatchSize();
  const sizes = [100, 100, 1_000, 2_000, 9_000, 9_000, 9_000, 100].map((ms) => {
    batch.learn(ms);
    return batch.size;
  });
  expect(sizes).toEqual([20, 40, 40, 20, 10, 5, 5, 10]);
});

test('progress is shown only on a terminal, and removed before lines are written', async () => {
  const gateway = await fakeGateway({ records });
  const stdin = names.join(' ');
  const { stderr, stdout } = await runCli(['check'], { gateway, stdin, isTerminal: true });
  expect(stderr).toBe(
    [
      '\r\u001B[K0 references: 0 found, 0 absent, 0 cannot tell; looking up 10 more, 0 done\r\u001B[K',
      '\r\u001B[K10 references: 10 found, 0 absent, 0 cannot tell; looking up 20 more, 10 done\r\u001B[K',
      '30 references: 30 found, 0 absent, 0 cannot tell\n',
    ].join(''),
  );
  expect(stdout.replaceAll(/\u001B\[\d+m/g, '')).toContain('-:1:1: found: 10.1000/n0\n');
  const piped = await runCli(['check'], { gateway, stdin });
  expect(piped.stderr).not.toContain('\r');
});

describe('--format github', () => {
  async function annotations(args: readonly string[], text: string, file = 'a.md'): Promise<string> {
    const gateway = await fakeGateway({
      records: {
        '10.1000/182': URL_VALUE,
        '10.1000/down': new GatewayError('UPSTREAM_UNAVAILABLE'),
        '10.1000/pаypal': URL_VALUE,
      },
    });
    const folder = await folderWith({ [file]: text });
    const { stdout } = await runCli(['check', '--format', 'github', ...args, join(folder, file)], {
      gateway,
    });
    return stdout.replaceAll(folder, '');
  }

  test('has an error for each absent name, and a warning for each failed or suspicious name', async () => {
    const text = '10.1000/182\nsee 10.1000/128\n10.1000/down 10.1000/pаypal';
    const [absent, unknown, suspicious, ...rest] = (await annotations([], text)).split('\n');
    expect(absent).toBe(
      '::error file=/a.md,line=2,col=5,endColumn=16,title=DOI reference::absent: 10.1000/128 (did you mean 10.1000/182?)',
    );
    expect(unknown).toMatch(/^::warning file=\/a\.md,line=3,col=1,.*::cannot tell: 10\.1000\/down \(/);
    expect(suspicious).toMatch(/^::warning .*::found: 10\.1000\/pаypal \(look-alike/);
    expect(rest).toEqual(['']);
    const strict = await annotations(['--strict'], text);
    expect(strict.match(/^::error/gm)).toHaveLength(2);
  });

  test('escapes file names, which could end the command or begin another command', async () => {
    const written = await annotations([], '10.1000/128', 'a,b:c%::x\n::error ::y');
    expect(written).toMatch(/^::error file=\/a%2Cb%3Ac%25%3A%3Ax\\u000A%3A%3Aerror %3A%3Ay,line=1,/);
    expect(written.split('\n')).toHaveLength(2);
  });

  test('is one of three formats, and --json means `--format json`', async () => {
    const gateway = await fakeGateway({ records });
    const stdin = '10.1000/n1';
    const [json, same, words] = await Promise.all(
      [['--json'], ['--format', 'json'], ['--format', 'words']].map((args) =>
        runCli(['check', ...args], { gateway, stdin }),
      ),
    );
    expect(JSON.parse(json?.stdout ?? '')).toMatchObject({ outcome: 'found' });
    expect(same).toEqual(json);
    expect(words?.stdout).toBe('-:1:1: found: 10.1000/n1\n');
    expect((await runCli(['check', '--format', 'xml'])).code).toBe(2);
  });
});
