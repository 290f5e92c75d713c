// If a cell has several names, the row lists all names, or --split makes a row for each name.

import { readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { CURATORS_FILES, CURATORS_RECORDS, curatorsPath } from '../../support/curators-files.ts';
import { type FakeGateway, fakeGateway, folderWith, runCli } from './run-cli.ts';

const RECORDS = { records: CURATORS_RECORDS };
const SEVERAL = '10.5555/beta||10.5555/gamma';

interface WrittenRow {
  readonly name: string | null;
  readonly exists: boolean | null;
  readonly meant: readonly string[] | null;
  readonly error: string | null;
}

/** Looks up a file, and reads the rows of its output. */
async function bulk(file: string, args: readonly string[], gateway?: FakeGateway) {
  const fields = ['-f', 'name,meant,exists', '--to', 'jsonl'];
  const ended = await runCli(['bulk', file, ...fields, ...args], {
    gateway: gateway ?? (await fakeGateway(RECORDS)),
  });
  const rows = ended.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as WrittenRow);
  return { ...ended, rows };
}

const outcome = ({ error, exists }: WrittenRow): string => error ?? (exists ? 'found' : 'absent');

describe.each(CURATORS_FILES)('$name', ({ name, column, from, rows: expected, split }) => {
  const args = [...(column ? ['-c', column] : []), ...(from ? ['--from', from] : [])];

  test('gives the names of a cell with several names in `meant`, and the exit code 1', async () => {
    const { code, rows } = await bulk(curatorsPath(name), args);
    const found = rows.map((row) =>
      row.error === 'SEVERAL_NAMES' ? [outcome(row), ...(row.meant ?? [])].join(' ') : outcome(row),
    );
    expect(found).toEqual(expected);
    expect(code).toBe(1);
  });

  test('gives a row for each name with --split', async () => {
    const { rows } = await bulk(curatorsPath(name), [...args, '--split']);
    expect(rows.map((row) => `${row.name ?? ''} ${outcome(row)}`)).toEqual(split);
    expect((await bulk(curatorsPath(name), [...args, '--split', '--dedupe'])).rows).toEqual(rows);
  });
});

test.each([
  ['||', SEVERAL],
  [';', '10.5555/beta;10.5555/gamma'],
  [',', '10.5555/beta,10.5555/gamma'],
  ['a line break', '10.5555/beta\n10.5555/gamma'],
  ['"und"', '10.5555/beta und 10.5555/gamma'],
  ['an erratum', '10.5555/beta (Erratum: 10.5555/gamma)'],
  ['addresses', 'https://doi.org/10.5555/beta | https://dx.doi.org/10.5555/gamma'],
  ['a list in brackets', '["10.5555/beta", "10.5555/gamma"]'],
])('two names in a cell are recognised if they are written with %s', async (_, cell) => {
  const stdin = `${JSON.stringify({ doi: cell })}\n`;
  const args = ['bulk', '-f', 'name,exists,problem,message,meant'];
  const { code, stdout, stderr } = await runCli(args, { gateway: await fakeGateway(RECORDS), stdin });
  expect(JSON.parse(stdout)).toEqual({
    doi: cell,
    name: null,
    exists: null,
    problem: 'SEVERAL_NAMES',
    message: 'The cell has several names. Give each name its own row, or use the option split.',
    meant: ['10.5555/beta', '10.5555/gamma'],
    error: 'SEVERAL_NAMES',
  });
  expect([code, stderr.split('\n')[0]]).toEqual([1, '1 line, 1 with several names.']);
});

test('a cell counts as failed if its look-up fails, because the cell might be one name', async () => {
  const records = { ...CURATORS_RECORDS, [SEVERAL]: new GatewayError('UPSTREAM_BAD_RESPONSE') };
  for (const args of [[], ['--split'], ['--dedupe']]) {
    const { code, stdout } = await runCli(['bulk', '-f', 'exists', ...args], {
      gateway: await fakeGateway({ records }),
      stdin: `${SEVERAL}\n`,
    });
    expect([code, stdout]).toEqual([3, `input,exists,error\n${SEVERAL},,UPSTREAM_BAD_RESPONSE\n`]);
  }
});

test('without fields that need a look-up, the text of the cell decides', async () => {
  const gateway = await fakeGateway(RECORDS);
  const stdin = `${SEVERAL}\n10.5555/one;two\n`;
  const { code, stdout } = await runCli(['bulk', '-f', 'name,meant'], { gateway, stdin });
  expect(stdout).toBe(
    `input,name,meant,error\n${SEVERAL},,10.5555/beta 10.5555/gamma,SEVERAL_NAMES\n10.5555/one;two,10.5555/one;two,,\n`,
  );
  expect([code, gateway.calls.resolve]).toEqual([1, []]);
});

describe('--split', () => {
  test('keeps the text of the other members of an object', async () => {
    const stdin = String.raw`{"id": 12345678901234567890, "a": {"doi": "x"}, "d\u006fi" : "10.5555/beta||10.5555/gamma","n":["doi"]}`;
    const { stdout } = await runCli(['bulk', '-f', 'exists', '-c', 'doi', '--split'], {
      gateway: await fakeGateway(RECORDS),
      stdin,
    });
    const row = (name: string) =>
      String.raw`{"id": 12345678901234567890, "a": {"doi": "x"}, "d\u006fi" : "${name}","n":["doi"],"exists":true,"error":null}`;
    expect(stdout).toBe(`${row('10.5555/beta')}\n${row('10.5555/gamma')}\n`);
  });

  test('does not split a cell of very many names, so that a short file has no huge result', async () => {
    const cell = Array.from({ length: 101 }, (_, n) => `10.5555/n${n}`).join('; ');
    const { code, stdout } = await runCli(['bulk', '-f', 'name', '--split'], {
      gateway: await fakeGateway(),
      stdin: `${cell}\n`,
    });
    expect([code, stdout]).toEqual([1, `input,name,error\n${cell},,SEVERAL_NAMES\n`]);
  });

  test('can be continued with --resume after a stop at any byte', async () => {
    const input = `doi,n\n${SEVERAL},1\n10.5555/alpha,2\n"10.5555/beta, 10.5555/delta",3\n"10.5555/one,10.5555/two",4\n`;
    const folder = await folderWith({ 'in.csv': input });
    const output = join(folder, 'out.csv');
    const args = ['bulk', join(folder, 'in.csv'), '-f', 'exists', '--split', '-o', output];
    const gateway = await fakeGateway(RECORDS);
    const whole = await runCli(args, { gateway });
    const expected = await readFile(output, 'utf8');
    expect(expected).toBe(
      'doi,n,exists,error\n10.5555/beta,1,true,\n10.5555/gamma,1,true,\n10.5555/alpha,2,true,\n10.5555/beta,3,true,\n10.5555/delta,3,true,\n"10.5555/one,10.5555/two",4,true,\n',
    );
    for (let bytes = expected.length - 1; bytes >= 0; bytes -= 1) {
      await truncate(output, bytes);
      const { code, stderr } = await runCli([...args, '--resume'], { gateway });
      expect([bytes, code, stderr]).toEqual([bytes, 0, whole.stderr]);
      expect(await readFile(output, 'utf8')).toBe(expected);
    }
  });

  test('repeats only the failed names with --resume', async () => {
    const folder = await folderWith({ 'in.csv': `doi\n${SEVERAL}\n10.5555/delta||10.5555/alpha\n` });
    const output = join(folder, 'out.csv');
    const args = ['bulk', join(folder, 'in.csv'), '-f', 'exists', '--split', '-o', output];
    const down = new GatewayError('UPSTREAM_BAD_RESPONSE');
    const failing = { ...CURATORS_RECORDS, '10.5555/gamma': down, '10.5555/delta||10.5555/alpha': down };
    await runCli(args, { gateway: await fakeGateway({ records: failing }) });
    expect(await readFile(output, 'utf8')).toBe(
      'doi,exists,error\n10.5555/beta,true,\n10.5555/gamma,,UPSTREAM_BAD_RESPONSE\n10.5555/delta||10.5555/alpha,,UPSTREAM_BAD_RESPONSE\n',
    );
    const gateway = await fakeGateway(RECORDS);
    const { stderr } = await runCli([...args, '--resume'], { gateway });
    expect(await readFile(output, 'utf8')).toBe(
      'doi,exists,error\n10.5555/beta,true,\n10.5555/gamma,true,\n10.5555/delta,true,\n10.5555/alpha,true,\n',
    );
    expect(stderr).toBe('4 lines, 4 found.\n');
    expect(gateway.calls.resolve.map(({ name }) => name)).not.toContain('10.5555/beta');
  });
});
