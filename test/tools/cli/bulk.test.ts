// `doi bulk`: a file of names in, a file with answers out.

import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import type { Gateway } from '../../../src/tools/cli/command.ts';
import { Interruption } from '../../../src/tools/cli/run-doi.ts';
import { NoGatewayError } from '../../../src/tools/gateway-client/send-operation.ts';
import { type FakeDirectoryOptions, urlValue } from '../../support/fake-directory.ts';
import { fakeGateway, runCli } from './run-cli.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'doi-bulk-test-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

const RECORDS: FakeDirectoryOptions = {
  records: {
    '10.1000/1': [urlValue('https://example.org/1')],
    '10.1000/a': [urlValue('https://example.org/a')],
    '10.1000/down': new GatewayError('UPSTREAM_TIMEOUT'),
  },
  agencies: { '10.1000/1': { status: 'FOUND', agency: 'Crossref' } },
};

describe('a call', () => {
  test('writes each row with its answer, a summary, and an exit code', async () => {
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
    ['all rows are asked for', '10.1000/1\n10.1000/gone\n', 0],
    ['some rows are no DOI names', '10.1000/1\nnothing\n', 1],
    ['some cannot be asked', 'nothing\n10.1000/down\n', 3],
  ])('ends with the right code where %s', async (_, stdin, expected) => {
    const gateway = await fakeGateway(RECORDS);
    expect((await runCli(['bulk', '--from', 'lines'], { gateway, stdin })).code).toBe(expected);
  });

  test('writes JSON Lines for JSON Lines, and where the output is called so', async () => {
    const gateway = await fakeGateway(RECORDS);
    const { stdout } = await runCli(['bulk', '-f', 'agency'], { gateway, stdin: '{"doi":"10.1000/1"}\n' });
    expect(stdout).toBe('{"doi":"10.1000/1","agency":"Crossref","error":null}\n');
    const output = join(await folder(), 'out.jsonl');
    await runCli(['bulk', '-f', 'exists', '-o', output], { gateway, stdin: '10.1000/1\n' });
    expect(await readFile(output, 'utf8')).toBe('{"input":"10.1000/1","exists":true,"error":null}\n');
  });

  test('escapes formulas and puts a prefix before columns where that is asked for', async () => {
    const gateway = await fakeGateway(RECORDS);
    const args = ['bulk', '-f', 'exists', '--excel', '--prefix', 'now_', '-c', 'doi'];
    const { stdout } = await runCli(args, { gateway, stdin: 'doi,exists\n10.1000/1,=1+1\n' });
    expect(stdout).toBe("\uFEFFdoi,exists,now_exists,now_error\n10.1000/1,'=1+1,true,\n");
  });

  test('with --dedupe asks for each name once, and answers every row as without', async () => {
    const stdin = ['10.1000/1', '10.1000/A', 'nothing', '10.1000/a', '10.1000/1', ''].join('\n');
    const args = ['bulk', '-f', 'name,exists,problem,agency'];
    const plain = await runCli(args, { gateway: await fakeGateway(RECORDS), stdin });
    // Each row is a chunk of its own here, so that names come again while others are asked for.
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

  test('with fields that are computed asks nobody, and says nothing of a sample', async () => {
    const gateway = await fakeGateway(RECORDS, { isSample: true });
    const { stderr } = await runCli(['bulk', '-f', 'name,url'], { gateway, stdin: '10.1000/1\n' });
    expect(gateway.calls.resolve).toEqual([]);
    expect(stderr).toBe('1 line, 1 answered.\n');
  });

  test('says that a sample says nothing of names that are not in it', async () => {
    const gateway = await fakeGateway(RECORDS, { isSample: true });
    expect((await runCli(['bulk'], { gateway, stdin: '10.1000/1\n' })).stderr).toContain('might still exist');
  });

  test('shows progress on a terminal alone, and takes it away', async () => {
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

describe('what the caller has to mend', () => {
  test.each([
    ['a field that there is none of', ['-f', 'nope'], 'There is no field "nope". The fields are name,'],
    ['a field twice', ['-f', 'name,NAME'], 'given twice'],
    ['no field', ['-f', ','], 'No field'],
    ['a column that there is none of', ['-c', 'nope'], 'no column "nope"'],
    ['--resume without a file', ['--resume'], '--output'],
    ['several files', ['a.csv', 'b.csv'], 'Give exactly one file'],
    ['a file that is not there', ['/nowhere/works.csv'], '/nowhere/works.csv: there is no such file.'],
    ['a place that cannot be written', ['-o', '/nowhere/out.csv'], 'cannot be written'],
  ])('%s', async (_, args, message) => {
    const gateway = await fakeGateway();
    const { code, stderr, stdout } = await runCli(['bulk', ...args], {
      gateway,
      stdin: 'id,doi\n1,10.1000/1\n',
    });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  test('an output that is there is left alone', async () => {
    const output = join(await folder(), 'out.csv');
    await writeFile(output, 'precious');
    const gateway = await fakeGateway();
    for (const more of [[], ['--resume']]) {
      const { code } = await runCli(['bulk', '-o', output, ...more], { gateway, stdin: 'doi\n10.1000/1\n' });
      expect([code, await readFile(output, 'utf8')]).toEqual([2, 'precious']);
    }
  });

  test('a gateway that is not there: the rows so far are written, and nothing of the others', async () => {
    const output = join(await folder(), 'out.csv');
    const { send: ask, ...rest } = await fakeGateway(RECORDS);
    let asked = 0;
    const gateway: Gateway = {
      ...rest,
      send: (...question) => {
        asked += 1;
        return asked === 1
          ? ask(...question)
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

describe('--resume', () => {
  const INPUT =
    'id,doi,title\n1,10.1000/1,"two\nlines"\n2,10.1000/gone,é€😀\n3,"open\n\n4,10.1000/A,"a ""b"""\n5,10.1000/a,\n';
  const ARGS = ['bulk', '-f', 'name,exists,problem'];

  test('gives the file of a call that was not broken off', async () => {
    const output = join(await folder(), 'out.csv');
    const gateway = await fakeGateway(RECORDS);
    const args = [...ARGS, '--excel', '-o', output, '--resume'];
    const whole = await runCli(args, { gateway, stdin: INPUT });
    const bytes = await readFile(output);
    for (const length of [0, 7, 33, 60, 90, bytes.length - 1, bytes.length]) {
      await truncate(output, length);
      const { code, stderr } = await runCli(args, { gateway, stdin: INPUT });
      expect([length, code, stderr]).toEqual([length, whole.code, whole.stderr]);
      expect((await readFile(output)).equals(bytes)).toBe(true);
    }
  });

  test('asks for what is missing alone, with --dedupe not for what is there under another spelling', async () => {
    const output = join(await folder(), 'out.csv');
    const args = ['bulk', '-f', 'exists', '-o', output, '--resume', '--dedupe'];
    const stdin = '10.1000/1\n10.1000/A\n10.1000/a\n';
    await runCli(args, { gateway: await fakeGateway(RECORDS), stdin });
    const whole = await readFile(output);
    await truncate(output, whole.length - 3);
    const gateway = await fakeGateway(RECORDS);
    await runCli(args, { gateway, stdin });
    expect(await readFile(output)).toEqual(whole);
    expect(gateway.calls.resolve).toEqual([]);
  });

  test.each([
    ['another input', [], 'doi\n10.1000/2\n'],
    ['a shorter input', [], 'doi\n'],
    ['other fields', ['-f', 'name'], 'doi\n10.1000/1\n'],
    ['another format', ['--to', 'jsonl'], 'doi\n10.1000/1\n'],
    ['a prefix', ['--prefix', 'x'], 'doi\n10.1000/1\n'],
  ])('refuses %s, and cuts nothing', async (_, more, stdin) => {
    const output = join(await folder(), 'out');
    const gateway = await fakeGateway(RECORDS);
    const args = ['bulk', '-f', 'exists', '--from', 'csv', '--to', 'csv', '-o', output, '--resume'];
    await runCli(args, { gateway, stdin: 'doi\n10.1000/1\n' });
    const before = await readFile(output, 'utf8');
    const last = (name: string) =>
      more.includes(name) ? [] : args.slice(args.indexOf(name), args.indexOf(name) + 2);
    const others = [
      'bulk',
      ...last('-f'),
      '--from',
      'csv',
      ...last('--to'),
      '-o',
      output,
      '--resume',
      ...more,
    ];
    const { code, stderr } = await runCli(others, { gateway, stdin });
    expect([code, await readFile(output, 'utf8')]).toEqual([2, before]);
    expect(stderr).toContain('--output');
  });
});

describe('Ctrl-C', () => {
  /** Names that are asked for in chunks of their own, each of 1,000. */
  const STDIN = `doi\n${Array.from({ length: 3_500 }, (_, index) => `10.1000/${index}\n`).join('')}`;

  test('writes what was answered, and the same call goes on from there', async () => {
    const path = await folder();
    const [output, whole] = [join(path, 'broken.csv'), join(path, 'whole.csv')];
    const { send: ask, ...rest } = await fakeGateway(RECORDS);
    await runCli(['bulk', '-f', 'exists', '-o', whole], { gateway: { send: ask, ...rest }, stdin: STDIN });

    const controller = new AbortController();
    let asked = 0;
    const gateway: Gateway = {
      ...rest,
      send: (...question) => {
        asked += 1;
        if (asked === 2) controller.abort(new Interruption(2));
        return ask(...question);
      },
    };
    const args = ['bulk', '-f', 'exists', '-o', output, '--resume'];
    // A busy machine may need longer for the second chunk than the command waits for it.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const broken = await runCli(args, { gateway, stdin: STDIN, signal: controller.signal });
    vi.useRealTimers();
    expect(broken.code).toBe(130);
    expect(broken.stderr).toContain('To continue, repeat the call with --resume:');
    const lines = (await readFile(output, 'utf8')).split('\n').length - 2;
    expect(lines).toBe(2_000);

    expect((await runCli(args, { gateway: { send: ask, ...rest }, stdin: STDIN })).code).toBe(0);
    expect(await readFile(output)).toEqual(await readFile(whole));
  });

  test('does not wait for a name to be asked again, nor for input that does not come', async () => {
    const controller = new AbortController();
    const { send: ask, ...rest } = await fakeGateway(RECORDS);
    const gateway: Gateway = {
      ...rest,
      send: async (...question) => {
        const answer = await ask(...question);
        controller.abort(new Interruption(2));
        return answer as never;
      },
    };
    async function* stdin(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`10.1000/1\n10.1000/down\n10.1000/1\n${'10.1000/1\n'.repeat(997)}10.1000/1\n`);
      await new Promise(() => undefined);
    }
    const { code, stdout } = await runCli(['bulk', '-f', 'exists', '--from', 'lines'], {
      gateway,
      stdin: stdin(),
      signal: controller.signal,
    });
    // In order: what stands behind a name without an answer waits for it.
    expect([code, stdout]).toEqual([130, 'input,exists,error\n10.1000/1,true,\n']);
  });
});
