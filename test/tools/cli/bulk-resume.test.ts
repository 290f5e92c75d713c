// `doi bulk --resume` continues a stopped run and repeats failed rows. A whole run would have the same output.

import { readdir, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { Interruption } from '../../../src/tools/cli/run-doi.ts';
import { type FakeDirectoryOptions, urlValue } from '../../support/fake-directory.ts';
import { fakeGateway, folderWith, outage, runCli } from './run-cli.ts';

const FOUND = [urlValue('https://example.org/')];
const DOWN = new GatewayError('UPSTREAM_BAD_RESPONSE');
const NAMES = ['10.1000/1', '10.1000/2', '10.1000/3', '10.1000/4', '10.1000/5'];

const gatewayWithout = (...down: readonly string[]) =>
  fakeGateway({
    records: Object.fromEntries(NAMES.map((name) => [name, down.includes(name) ? DOWN : FOUND])),
  });

describe('failed rows', () => {
  const outputWithout = (...down: readonly string[]): string => {
    const rows = NAMES.map((name) => `${name},${down.includes(name) ? ',UPSTREAM_BAD_RESPONSE' : 'true,'}\n`);
    return `doi,exists,error\n${rows.join('')}`;
  };

  /** The folder, the output and the next call after a run in which these names have failed. */
  async function failedRun(...down: readonly string[]) {
    const folder = await folderWith({ 'in.csv': `doi\n${NAMES.map((name) => `${name}\n`).join('')}` });
    const output = join(folder, 'out.csv');
    const args = ['bulk', join(folder, 'in.csv'), '-f', 'exists', '-o', output];
    await runCli(args, { gateway: await gatewayWithout(...down) });
    return { folder, output, args: [...args, '--resume'] };
  }

  test('are looked up again, and other rows are not', async () => {
    const { folder, output, args } = await failedRun('10.1000/2', '10.1000/4');
    expect(await readFile(output, 'utf8')).toBe(outputWithout('10.1000/2', '10.1000/4'));
    const gateway = await gatewayWithout('10.1000/4');
    const { code, stderr } = await runCli(args, { gateway });
    expect(gateway.calls.resolve.map(({ name }) => name)).toEqual(['10.1000/2', '10.1000/4']);
    expect(await readFile(output, 'utf8')).toBe(outputWithout('10.1000/4'));
    expect([code, stderr]).toEqual([3, '5 lines, 4 found, 1 failed (UPSTREAM_BAD_RESPONSE 1).\n']);
    expect((await readdir(folder)).sort()).toEqual(['in.csv', 'out.csv']);
  });

  test('are looked up again also with --dedupe', async () => {
    const { output, args } = await failedRun('10.1000/2');
    await runCli([...args, '--dedupe'], { gateway: await gatewayWithout() });
    expect(await readFile(output, 'utf8')).toBe(outputWithout());
  });

  test('stay in the output after an interruption', async () => {
    const { folder, output, args } = await failedRun('10.1000/2', '10.1000/4');
    const before = await readFile(output, 'utf8');
    const controller = new AbortController();
    const gateway = {
      ...(await gatewayWithout()),
      send: (async (...operation) => {
        controller.abort(new Interruption(2));
        return outage(...operation);
      }) as typeof outage,
    };
    const { code, stderr } = await runCli(args, { gateway, signal: controller.signal });
    expect(code).toBe(130);
    expect(stderr).toContain('Finishing; press Ctrl-C again to stop now.\n');
    expect(await readFile(output, 'utf8')).toBe(before);
    expect((await readdir(folder)).sort()).toEqual(['in.csv', 'out.csv']);
  });
});

const RECORDS: FakeDirectoryOptions = { records: { '10.1000/1': FOUND, '10.1000/a': FOUND } };

describe('a partial output', () => {
  test('is completed to the output of a whole run', async () => {
    const output = join(await folderWith({}), 'out.csv');
    const gateway = await fakeGateway(RECORDS);
    const stdin =
      'id,doi,title\n1,10.1000/1,"two\nlines"\n2,10.1000/gone,é€😀\n3,"open\n\n4,10.1000/A,"a ""b"""\n5,10.1000/a,\n';
    const args = ['bulk', '-f', 'name,exists,problem', '--excel', '-o', output, '--resume'];
    const whole = await runCli(args, { gateway, stdin });
    const bytes = await readFile(output);
    for (const length of [0, 7, 33, 60, 90, bytes.length - 1, bytes.length]) {
      await truncate(output, length);
      const { code, stderr } = await runCli(args, { gateway, stdin });
      expect([length, code, stderr]).toEqual([length, whole.code, whole.stderr]);
      expect((await readFile(output)).equals(bytes)).toBe(true);
    }
  });

  test('needs, with --dedupe, no look-up of a name that it has in another spelling', async () => {
    const output = join(await folderWith({}), 'out.csv');
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
    ['another input', {}, 'doi\n10.1000/2\n'],
    ['a shorter input', {}, 'doi\n'],
    ['other fields', { fields: 'name' }, 'doi\n10.1000/1\n'],
    ['another format', { to: 'jsonl' }, 'doi\n10.1000/1\n'],
    ['a prefix', { prefix: 'x' }, 'doi\n10.1000/1\n'],
  ])('is refused if the next call has %s, and stays unchanged', async (_, changes, stdin) => {
    const output = join(await folderWith({}), 'out');
    const gateway = await fakeGateway(RECORDS);
    const bulk = (options: object, input: string) => {
      const given = Object.entries({ fields: 'exists', from: 'csv', to: 'csv', output, ...options });
      const args = given.flatMap(([name, value]) => [`--${name}`, value]);
      return runCli(['bulk', ...args, '--resume'], { gateway, stdin: input });
    };
    await bulk({}, 'doi\n10.1000/1\n');
    const before = await readFile(output, 'utf8');
    const { code, stderr } = await bulk(changes, stdin);
    expect([code, await readFile(output, 'utf8')]).toEqual([2, before]);
    expect(stderr).toContain('--output');
  });
});

describe('Ctrl-C', () => {
  test('writes the finished chunks, and the same call continues from there', async () => {
    // A chunk has 1,000 names.
    const stdin = `doi\n${Array.from({ length: 3_500 }, (_, index) => `10.1000/${index}\n`).join('')}`;
    const path = await folderWith({});
    const [output, whole] = [join(path, 'broken.csv'), join(path, 'whole.csv')];
    const gateway = await fakeGateway(RECORDS);
    await runCli(['bulk', '-f', 'exists', '-o', whole], { gateway, stdin });

    const controller = new AbortController();
    let operations = 0;
    const send: typeof gateway.send = (...operation) => {
      operations += 1;
      if (operations === 2) controller.abort(new Interruption(2));
      return gateway.send(...operation);
    };
    const args = ['bulk', '-f', 'exists', '-o', output, '--resume'];
    // A busy machine may need longer for the second chunk than the command waits for it.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const stopped = await runCli(args, {
      gateway: { ...gateway, send },
      stdin,
      signal: controller.signal,
    });
    vi.useRealTimers();
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toContain('To continue, repeat the call with --resume:');
    expect((await readFile(output, 'utf8')).split('\n')).toHaveLength(2_000 + 2);

    expect((await runCli(args, { gateway, stdin })).code).toBe(0);
    expect(await readFile(output)).toEqual(await readFile(whole));
  });

  test('does not wait for a retry or for input that does not arrive', async () => {
    const controller = new AbortController();
    const gateway = await fakeGateway({
      records: { ...RECORDS.records, '10.1000/down': new GatewayError('UPSTREAM_TIMEOUT') },
    });
    const send: typeof gateway.send = async (...operation) => {
      const result = await gateway.send(...operation);
      controller.abort(new Interruption(2));
      return result as never;
    };
    async function* stdin(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`10.1000/1\n10.1000/down\n10.1000/1\n${'10.1000/1\n'.repeat(997)}10.1000/1\n`);
      await new Promise(() => undefined);
    }
    const { code, stdout } = await runCli(['bulk', '-f', 'exists', '--from', 'lines'], {
      gateway: { ...gateway, send },
      stdin: stdin(),
      signal: controller.signal,
    });
    // Rows are written in order: the rows after a name without a result are not written.
    expect([code, stdout]).toEqual([130, 'input,exists,error\n10.1000/1,true,\n']);
  });
});
