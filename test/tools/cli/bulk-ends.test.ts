// The end of `doi bulk` without a response, with empty cells, and with a sample.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { urlValue } from '../../support/fake-directory.ts';
import { fakeGateway, folderWith, outage, runCli } from './run-cli.ts';

const FOUND = [urlValue('https://example.org/')];
const NAMES = ['10.1000/1', '10.1000/2', '10.1000/3', '10.1000/4', '10.1000/5'];
const RECORDS = { records: Object.fromEntries(NAMES.map((name) => [name, FOUND])) };

describe('batches without any response', () => {
  const many = `id,doi\n${Array.from({ length: 2_500 }, (_, n) => `${n},10.1000/${n}\n`).join('')}`;

  test('stop the run after two batches in a row, and the message shows how to continue the run', async () => {
    const folder = await folderWith({ "it's.csv": many });
    const output = join(folder, 'out.csv');
    const input = join(folder, "it's.csv");
    const args = ['bulk', input, '-f', 'exists', '-o', output];
    let operations = 0;
    const up = await fakeGateway(RECORDS);
    const send: typeof up.send = (...operation) => {
      operations += 1;
      return operations === 1 ? up.send(...operation) : outage(...operation);
    };
    const gateway = { ...up, send };
    const { code, stderr } = await runCli(args, { gateway });
    expect(code).toBe(3);
    expect(stderr).toContain('1,000 lines, 5 found, 995 absent.\n');
    const quoted = input.replace("'", String.raw`'\''`);
    expect(stderr).toContain(
      `Stopped: two consecutive batches got no response. To continue, repeat the call with --resume:\n  doi bulk '${quoted}' --fields exists --output ${output} --resume\n`,
    );
    expect((await readFile(output, 'utf8')).split('\n')).toHaveLength(1_002);
    const again = await runCli([...args, '--resume'], { gateway: await fakeGateway(RECORDS) });
    expect(again.stderr).toContain('2,500 lines, 5 found, 2,495 absent.\n');
  });

  test('do not stop a run of a single batch, and its rows have the reason', async () => {
    const gateway = { ...(await fakeGateway()), send: outage };
    const { code, stdout } = await runCli(['bulk', '-f', 'name,prefix,exists'], {
      gateway,
      stdin: 'doi\n10.1000/1\nnothing\n',
    });
    expect(code).toBe(3);
    // Computed fields need no response.
    expect(stdout).toBe(
      'doi,name,prefix,exists,error\n10.1000/1,10.1000/1,10.1000,,UPSTREAM_UNAVAILABLE\nnothing,,,,INVALID_DOI\n',
    );
  });
});

describe('a cell without a name', () => {
  test('is counted separately, and does not change the exit code', async () => {
    const { code, stdout, stderr } = await runCli(['bulk', '-f', 'exists'], {
      gateway: await fakeGateway(RECORDS),
      stdin: 'id,doi\n1,10.1000/1\n2,\n3,"  "\n',
    });
    expect(stdout).toBe('id,doi,exists,error\n1,10.1000/1,true,\n2,,,EMPTY\n3,  ,,EMPTY\n');
    expect([code, stderr]).toEqual([0, '3 lines, 1 found, 2 empty.\n']);
  });
});

describe('with a sample as the directory', () => {
  test('a name that the sample lacks is neither found nor absent, and the exit code is 3', async () => {
    const gateway = await fakeGateway(RECORDS, { isSample: true });
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
