// `doi bulk` reads a file of names, and writes a file with the results.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import type { Gateway } from '../../../src/tools/cli/command.ts';
import { NoGatewayError } from '../../../src/tools/gateway-client/send-operation.ts';
import { type FakeDirectoryOptions, urlValue } from '../../support/fake-directory.ts';
import { fakeGateway, folderWith, runCli } from './run-cli.ts';

const RECORDS: FakeDirectoryOptions = {
  records: {
    '10.1000/1': [urlValue('https://example.org/1')],
    '10.1000/a': [urlValue('https://example.org/a')],
    '10.1000/down': new GatewayError('UPSTREAM_TIMEOUT'),
  },
  agencies: { '10.1000/1': { status: 'FOUND', agency: 'Crossref' } },
};

describe('a call', () => {
  test('writes each row with its result, a summary, and an exit code', async () => {
    const gateway = await fakeGateway(RECORDS);
    const stdin = 'id,doi\n1,10.1000/1\n2,10.1000/gone\n3,nothing\n4,"open\n5,10.1000/down\n';
    const { code, stdout, stderr } = await runCli(['bulk', '--fields', 'exists,target'], { gateway, stdin });
    expect(stdout).toBe(
      [
        'id,doi,exists,target,error',
        '1,10.1000/1,true,https://example.org/1,',
        '2,10.1000/gone,false,,',
        '3,nothing,,,INVALID_DOI',
        '"4,""open",,,,UNBALANCED_QUOTE',
        '5,10.1000/down,,,UPSTREAM_TIMEOUT',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe(
      '5 lines, 1 found, 1 absent, 1 no DOI name, 1 unreadable, 1 failed (UPSTREAM_TIMEOUT 1).\n',
    );
    expect(code).toBe(3);
  });

  test.each([
    ['all rows have a result', '10.1000/1\n10.1000/gone\n', 0],
    ['some rows are not DOI names', '10.1000/1\nnothing\n', 1],
    ['some look-ups fail', 'nothing\n10.1000/down\n', 3],
  ])('has the right exit code if %s', async (_, stdin, expected) => {
    const gateway = await fakeGateway(RECORDS);
    expect((await runCli(['bulk', '--from', 'lines'], { gateway, stdin })).code).toBe(expected);
  });

  test('writes JSON Lines for JSON Lines, and for an output with this extension', async () => {
    const gateway = await fakeGateway(RECORDS);
    const { stdout } = await runCli(['bulk', '-f', 'agency'], { gateway, stdin: '{"doi":"10.1000/1"}\n' });
    expect(stdout).toBe('{"doi":"10.1000/1","agency":"Crossref","error":null}\n');
    const output = join(await folderWith({}), 'out.jsonl');
    await runCli(['bulk', '-f', 'exists', '-o', output], { gateway, stdin: '10.1000/1\n' });
    expect(await readFile(output, 'utf8')).toBe('{"input":"10.1000/1","exists":true,"error":null}\n');
  });

  test('escapes formulas with --excel, and adds a prefix to columns with --prefix', async () => {
    const gateway = await fakeGateway(RECORDS);
    const args = ['bulk', '-f', 'exists', '--excel', '--prefix', 'now_', '-c', 'doi'];
    const { stdout } = await runCli(args, { gateway, stdin: 'doi,exists\n10.1000/1,=1+1\n' });
    expect(stdout).toBe("\uFEFFdoi,exists,now_exists,now_error\n10.1000/1,'=1+1,true,\n");
  });

  test('looks up each name once with --dedupe, and writes the same rows', async () => {
    const stdin = ['10.1000/1', '10.1000/A', 'nothing', '10.1000/a', '10.1000/1', ''].join('\n');
    const args = ['bulk', '-f', 'name,exists,problem,agency'];
    const plain = await runCli(args, { gateway: await fakeGateway(RECORDS), stdin });
    // Each long row is a separate chunk, so a name can repeat while the first chunk of the name is looked up.
    const gateway = await fakeGateway(RECORDS);
    const long = 'x'.repeat(200_000);
    const rows = stdin
      .trimEnd()
      .split('\n')
      .map((line) => JSON.stringify({ doi: line, long }));
    const deduped = await runCli([...args, '--dedupe', '--to', 'csv'], { gateway, stdin: rows.join('\n') });
    expect(deduped.stdout.replaceAll(`,${long},`, ',')).toBe(plain.stdout.replace('input,', 'doi,long,'));
    expect(gateway.calls.resolve.map(({ name }) => name.toLowerCase()).sort()).toEqual([
      '10.1000/1',
      '10.1000/a',
    ]);
    expect(gateway.calls.whichRa.flat()).toHaveLength(2);
  });

  test('makes no look-up for computed fields, and does not mention a sample', async () => {
    const gateway = await fakeGateway(RECORDS, { isSample: true });
    const { stderr } = await runCli(['bulk', '-f', 'name,url'], { gateway, stdin: '10.1000/1\n' });
    expect(gateway.calls.resolve).toEqual([]);
    expect(stderr).toBe('1 line, 1 answered.\n');
  });

  test('reports that names that the sample lacks might exist', async () => {
    const gateway = await fakeGateway(RECORDS, { isSample: true });
    expect((await runCli(['bulk'], { gateway, stdin: '10.1000/1\n' })).stderr).toContain('might still exist');
  });

  test('shows progress only on a terminal, and removes the progress at the end', async () => {
    let time = 0;
    const now = () => {
      time += 1_000;
      return time;
    };
    const gateway = await fakeGateway(RECORDS);
    const { stderr } = await runCli(['bulk'], { gateway, stdin: '10.1000/1\n', now, isTerminal: true });
    expect(stderr).toMatch(/\r\u001B\[K1 lines, 1 a second.*\r\u001B\[K1 line, 1 found/s);
    expect((await runCli(['bulk'], { gateway, stdin: '10.1000/1\n', now })).stderr).not.toContain('\r');
  });
});

describe('an error', () => {
  test.each([
    ['an unknown field', ['-f', 'nope'], 'There is no field "nope". The fields are name,'],
    ['a field twice', ['-f', 'name,NAME'], 'given twice'],
    ['no field', ['-f', ','], 'No field'],
    ['an unknown column', ['-c', 'nope'], 'no column "nope"'],
    ['--resume without a file', ['--resume'], '--output'],
    ['several files', ['a.csv', 'b.csv'], 'Give exactly one file'],
    ['a missing file', ['/nowhere/works.csv'], '/nowhere/works.csv: there is no such file.'],
    ['an output that cannot be written', ['-o', '/nowhere/out.csv'], 'cannot be written'],
  ])('has a message that names the mistake in the call: %s', async (_, args, message) => {
    const gateway = await fakeGateway();
    const { code, stderr, stdout } = await runCli(['bulk', ...args], {
      gateway,
      stdin: 'id,doi\n1,10.1000/1\n',
    });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  test('does not change an existing output', async () => {
    const output = join(await folderWith({}), 'out.csv');
    await writeFile(output, 'precious');
    const gateway = await fakeGateway();
    for (const more of [[], ['--resume']]) {
      const { code } = await runCli(['bulk', '-o', output, ...more], { gateway, stdin: 'doi\n10.1000/1\n' });
      expect([code, await readFile(output, 'utf8')]).toEqual([2, 'precious']);
    }
  });

  test('of the connection to the gateway keeps the finished rows, and no other rows are written', async () => {
    const output = join(await folderWith({}), 'out.csv');
    const { send, ...rest } = await fakeGateway(RECORDS);
    let operations = 0;
    const gateway: Gateway = {
      ...rest,
      send: (...operation) => {
        operations += 1;
        return operations === 1
          ? send(...operation)
          : Promise.reject(new NoGatewayError('It could not be reached.'));
      },
    };
    const stdin = `doi\n${'10.1000/1\n'.repeat(1_001)}`;
    const { code, stderr } = await runCli(['bulk', '-f', 'exists', '-o', output], { gateway, stdin });
    expect(code).toBe(3);
    expect(stderr).toContain('It could not be reached.');
    expect(await readFile(output, 'utf8')).toBe(`doi,exists,error\n${'10.1000/1,true,\n'.repeat(1_000)}`);
  });
});
