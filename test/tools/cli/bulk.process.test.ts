// `doi bulk` as a process: Ctrl-C while standard input stays open.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';

test('Ctrl-C ends `doi bulk` with status 130 after it has written the finished rows', async () => {
  const command = join(inject('compiledGateway'), '..', 'tools', 'cli', 'doi.js');
  const child = spawn(process.execPath, [command, 'bulk', '--from', 'lines', '--fields', 'prefix'], {
    env: { PATH: process.env['PATH'] },
    stdio: 'pipe',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close');
  let [stdout, stderr] = ['', ''];
  child.stderr.on('data', (piece) => {
    stderr += piece;
  });
  // The process gets a chunk, and a row of the next chunk. Standard input stays open.
  child.stdin.write('10.1000/1\n'.repeat(1_001));
  const expected = `input,prefix,error\n${'10.1000/1,10.1000,\n'.repeat(1_000)}`;
  child.stdout.on('data', (piece) => {
    stdout += piece;
    if (stdout.length === expected.length) child.kill('SIGINT');
  });
  expect(await ended).toEqual([130, null]);
  expect(stdout).toBe(expected);
  expect(stderr).toBe('1,000 lines, 1,000 answered.\n');
});
