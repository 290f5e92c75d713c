// How `doi bulk` ends when it cannot go on, and how it goes on then: nothing is lost, and what failed is repeated.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import type { Gateway } from '../../../src/tools/cli/command.ts';
import { Interruption } from '../../../src/tools/cli/run-doi.ts';
import type { SendOperation } from '../../../src/tools/gateway-client/send-operation.ts';
import { type FakeDirectoryOptions, urlValue } from '../../support/fake-directory.ts';
import { fakeGateway, folderWith, runCli } from './run-cli.ts';

const FOUND = [urlValue('https://example.org/')];
const DOWN = new GatewayError('UPSTREAM_BAD_RESPONSE');
const NAMES = ['10.1000/1', '10.1000/2', '10.1000/3', '10.1000/4', '10.1000/5'];
const INPUT = `doi\n${NAMES.map((name) => `${name}\n`).join('')}`;

const records = (...down: readonly string[]): FakeDirectoryOptions => ({
  records: Object.fromEntries(NAMES.map((name) => [name, down.includes(name) ? DOWN : FOUND])),
});
const row = (name: string, isDown = false): string =>
  `${name},${isDown ? ',UPSTREAM_BAD_RESPONSE' : 'true,'}\n`;

async function withFailures(...down: readonly string[]) {
  const folder = await folderWith({ 'in.csv': INPUT });
  const output = join(folder, 'out.csv');
  const args = ['bulk', join(folder, 'in.csv'), '-f', 'exists', '-o', output];
  await runCli(args, { gateway: await fakeGateway(records(...down)) });
  return { folder, output, args: [...args, '--resume'] };
}

/** A gateway whose operations end as `ask` says. */
async function askingBy(
  ask: (here: SendOperation) => SendOperation,
  options: FakeDirectoryOptions = records(),
): Promise<Gateway> {
  const gateway = await fakeGateway(options);
  return { ...gateway, send: ask(gateway.send) };
}

const outage: SendOperation = async () => ({
  data: null,
  errors: [{ message: 'down', extensions: { code: 'UPSTREAM_UNAVAILABLE', retryable: true } }],
});

describe('two batches in a row without any response', () => {
  const many = `id,doi\n${Array.from({ length: 2_500 }, (_, n) => `${n},10.1000/${n}\n`).join('')}`;

  test('stop the run, which says how to go on', async () => {
    const folder = await folderWith({ "it's.csv": many });
    const output = join(folder, 'out.csv');
    const input = join(folder, "it's.csv");
    const args = ['bulk', input, '-f', 'exists', '-o', output];
    let operations = 0;
    const gateway = await askingBy((here) => (...operation) => {
      operations += 1;
      return operations === 1 ? here(...operation) : outage(...operation);
    });
    const { code, stderr } = await runCli(args, { gateway });
    expect(code).toBe(3);
    expect(stderr).toContain('1,000 lines, 5 found, 995 absent.\n');
    const quoted = input.replace("'", String.raw`'\''`);
    expect(stderr).toContain(
      `Stopped: two consecutive batches got no response. To continue, repeat the call with --resume:\n  doi bulk '${quoted}' --fields exists --output ${output} --resume\n`,
    );
    expect((await readFile(output, 'utf8')).split('\n')).toHaveLength(1_002);
    const again = await runCli([...args, '--resume'], { gateway: await fakeGateway(records()) });
    expect(again.stderr).toContain('2,500 lines, 5 found, 2,495 absent.\n');
  });

  test('but one of them does not: its rows say why', async () => {
    const gateway = await askingBy(() => outage);
    const { code, stdout } = await runCli(['bulk', '-f', 'name,prefix,exists'], {
      gateway,
      stdin: 'doi\n10.1000/1\nnothing\n',
    });
    expect(code).toBe(3);
    // What is computed is there all the same.
    expect(stdout).toBe(
      'doi,name,prefix,exists,error\n10.1000/1,10.1000/1,10.1000,,UPSTREAM_UNAVAILABLE\nnothing,,,,INVALID_DOI\n',
    );
  });
});

describe('--resume', () => {
  test('repeats the rows that failed, and those alone', async () => {
    const { folder, output, args } = await withFailures('10.1000/2', '10.1000/4');
    const expected = (...down: readonly string[]) =>
      `doi,exists,error\n${NAMES.map((name) => row(name, down.includes(name))).join('')}`;
    expect(await readFile(output, 'utf8')).toBe(expected('10.1000/2', '10.1000/4'));
    const gateway = await fakeGateway(records('10.1000/4'));
    const { code, stderr } = await runCli(args, { gateway });
    expect(gateway.calls.resolve.map(({ name }) => name)).toEqual(['10.1000/2', '10.1000/4']);
    expect(await readFile(output, 'utf8')).toBe(expected('10.1000/4'));
    expect([code, stderr]).toEqual([3, '5 lines, 4 found, 1 failed (UPSTREAM_BAD_RESPONSE 1).\n']);
    expect((await readdir(folder)).sort()).toEqual(['in.csv', 'out.csv']);
  });

  test('with --dedupe, too', async () => {
    const { output, args } = await withFailures('10.1000/2');
    await runCli([...args, '--dedupe'], { gateway: await fakeGateway(records()) });
    expect(await readFile(output, 'utf8')).toBe(
      `doi,exists,error\n${NAMES.map((name) => row(name)).join('')}`,
    );
  });

  test('that is interrupted keeps every row of the file', async () => {
    const { folder, output, args } = await withFailures('10.1000/2', '10.1000/4');
    const before = await readFile(output, 'utf8');
    const controller = new AbortController();
    const gateway = await askingBy(() => async (...operation) => {
      controller.abort(new Interruption(2));
      return outage(...operation);
    });
    const { code, stderr } = await runCli(args, { gateway, signal: controller.signal });
    expect(code).toBe(130);
    expect(stderr).toContain('Finishing; press Ctrl-C again to stop now.\n');
    expect(await readFile(output, 'utf8')).toBe(before);
    expect((await readdir(folder)).sort()).toEqual(['in.csv', 'out.csv']);
  });

  test('of a file that is not of this input leaves it as it is', async () => {
    const { folder, output, args } = await withFailures('10.1000/2');
    const before = await readFile(output, 'utf8');
    const stdin = INPUT.replace('10.1000/5', '10.1000/6');
    const withoutFile = args.filter((word) => !word.endsWith('in.csv'));
    const { code } = await runCli(withoutFile, { gateway: await fakeGateway(records()), stdin });
    expect([code, await readFile(output, 'utf8')]).toEqual([2, before]);
    expect((await readdir(folder)).sort()).toEqual(['in.csv', 'out.csv']);
  });
});

describe('a cell without a name', () => {
  test('is counted apart, and does not change the exit code', async () => {
    const { code, stdout, stderr } = await runCli(['bulk', '-f', 'exists'], {
      gateway: await fakeGateway(records()),
      stdin: 'id,doi\n1,10.1000/1\n2,\n3,"  "\n',
    });
    expect(stdout).toBe('id,doi,exists,error\n1,10.1000/1,true,\n2,,,EMPTY\n3,  ,,EMPTY\n');
    expect([code, stderr]).toEqual([0, '3 lines, 1 found, 2 empty.\n']);
  });
});

describe('on a sample', () => {
  test('a name that is not there is neither found nor absent: exit code 3', async () => {
    const gateway = await fakeGateway(records(), { isSample: true });
    const { code, stdout, stderr } = await runCli(['bulk', '-f', 'name,exists,target'], {
      gateway,
      stdin: '10.1000/1\n10.1000/gone\n',
    });
    expect(stdout).toBe(
      'input,name,exists,target,error\n10.1000/1,10.1000/1,true,https://example.org/,\n10.1000/gone,10.1000/gone,,,NOT_IN_SAMPLE\n',
    );
    expect(code).toBe(3);
    expect(stderr).toContain('2 lines, 1 found, 1 not in the sample (they might exist).\n');
  });
});
