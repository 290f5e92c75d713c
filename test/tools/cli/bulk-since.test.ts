// `doi bulk --since` writes the changes between two results.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { urlValue } from '../../support/fake-directory.ts';
import { fakeGateway, folderWith, runCli } from './run-cli.ts';

const URL = [urlValue('https://example.org/')];
const RECORDS = { '10.1000/a': URL, '10.1000/b': URL };
const LATER = { '10.1000/a': URL, '10.1000/c': URL };

async function bulk(names: readonly string[], records: object, ...args: readonly string[]) {
  const gateway = await fakeGateway({ records: records as typeof RECORDS });
  const stdin = ['doi,note', ...names.map((name) => `${name},x`)].join('\n');
  return runCli(['bulk', '-f', 'exists,prefix', ...args], { gateway, stdin });
}

/** Runs the command twice. The second run has other records and other names. */
async function since(format: string, secondFormat: string, ...args: readonly string[]) {
  const first = await bulk(['10.1000/a', '10.1000/b', '10.1000/gone', 'rubbish'], RECORDS, '--to', format);
  const folder = await folderWith({ [`earlier.${format}`]: first.stdout });
  const earlier = join(folder, `earlier.${format}`);
  const names = ['10.1000/a', '10.1000/b', '10.1000/b', '10.1000/c', 'rubbish'];
  return { earlier, ...(await bulk(names, LATER, '--to', secondFormat, '--since', earlier, ...args)) };
}

describe('--since', () => {
  test.each(['csv', 'tsv', 'jsonl'])('writes the changes since a result in %s', async (format) => {
    const { stdout, stderr, code, earlier } = await since(format, 'csv');
    expect(stdout).toBe(
      'doi,note,exists,prefix,change,changedFields,error\n' +
        '10.1000/b,x,false,10.1000,changed,exists,\n'.repeat(2) +
        '10.1000/c,x,true,10.1000,new,,\n10.1000/gone,,,,gone,,\n',
    );
    expect(stderr).toContain(`Since ${earlier}: 2 changed (exists 2), 1 new, 1 gone.\n`);
    expect(code).toBe(1);
  });

  test('writes JSON Lines with a list of the fields', async () => {
    const { stdout } = await since('csv', 'jsonl');
    expect(stdout.split('\n').slice(1, 4)).toEqual([
      '{"doi":"10.1000/b","note":"x","exists":false,"prefix":"10.1000","change":"changed","changedFields":["exists"],"error":null}',
      '{"doi":"10.1000/c","note":"x","exists":true,"prefix":"10.1000","change":"new","changedFields":[],"error":null}',
      '{"doi":"10.1000/gone","note":"","exists":null,"prefix":null,"change":"gone","changedFields":[],"error":null}',
    ]);
  });

  test('reads JSON Lines and lines without a name', async () => {
    const stdin = '{"doi":"10.1000/a","n":1}\n{"n":2}\nrubbish\n';
    const gateway = await fakeGateway({ records: RECORDS });
    const args = ['bulk', '-f', 'exists,prefix', '--from', 'jsonl'];
    const { stdout: whole } = await runCli([...args, '-c', 'doi'], { gateway, stdin });
    const earlier = join(await folderWith({ 'earlier.jsonl': whole }), 'earlier.jsonl');
    const again = await runCli([...args, '-c', 'doi', '--since', earlier], { gateway, stdin });
    expect(again).toMatchObject({ stdout: '', code: 1 });
    const fewer = await runCli([...args, '-c', 'doi', '--since', earlier], {
      gateway,
      stdin: '{"doi":"10.1/x"}\n',
    });
    expect(fewer.stderr).toContain('0 changed, 1 new, 3 gone.');
  });

  test('reads a result without a header', async () => {
    const args = ['--no-header', '-c', '1', '--from', 'csv'];
    const first = await bulk(['10.1000/b'], RECORDS, ...args);
    const earlier = join(await folderWith({ 'earlier.csv': first.stdout }), 'earlier.csv');
    const { stdout } = await bulk(['10.1000/b'], LATER, ...args, '--since', earlier);
    expect(stdout).toBe('10.1000/b,x,false,10.1000,changed,exists,\n');
  });

  test('ignores the apostrophes of --excel', async () => {
    const first = await bulk(['=1', '10.1000/a'], RECORDS, '--excel');
    const earlier = join(await folderWith({ 'earlier.csv': first.stdout }), 'earlier.csv');
    const { stderr } = await bulk(['=1', '10.1000/a'], RECORDS, '--since', earlier);
    expect(stderr).toContain('0 changed, 0 new, 0 gone.');
  });

  test('writes a failed look-up as unknown, never as changed', async () => {
    const failing = { '10.1000/a': new GatewayError('UPSTREAM_UNAVAILABLE') };
    const first = await bulk(['10.1000/a'], RECORDS);
    const earlier = join(await folderWith({ 'earlier.csv': first.stdout }), 'earlier.csv');
    const { stdout, stderr, code } = await bulk(['10.1000/a'], failing, '--since', earlier);
    expect(stdout).toContain('10.1000/a,x,,10.1000,unknown,,UPSTREAM_UNAVAILABLE');
    expect(stderr).toContain('0 changed, 0 new, 0 gone, 1 unknown.');
    expect(code).toBe(3);
  });

  test('compares an input of several rows with its last row without a failure', async () => {
    const rows = ['true,10.1000,', 'false,10.1000,', ',10.1000,UPSTREAM_UNAVAILABLE'];
    const text = ['doi,note,exists,prefix,error', ...rows.map((row) => `10.1000/b,x,${row}`), ''].join('\n');
    const earlier = join(await folderWith({ 'earlier.csv': text }), 'earlier.csv');
    const { stderr } = await bulk(['10.1000/b'], LATER, '--since', earlier);
    expect(stderr).toContain('0 changed, 0 new, 0 gone.');
  });

  test.each([
    ['is missing', null, 'the file of --since'],
    ['is a list of names', '10.1000/a\n10.1000/b\n', 'not a result of the same call: it has no column'],
    ['has other fields', 'doi,note,exists,error\n', 'it has no column "prefix". Give --fields'],
    ['has other columns', 'name,exists,prefix,error\n', 'it has no column "doi"'],
    ['has only changes', 'doi,exists,prefix,change,changedFields,error\n', 'this file has only changes'],
    ['ends in a row', 'doi,note,exists,prefix,error\n10.1000/a,x,tr', 'line 2 cannot be read'],
    ['is compressed', Buffer.from('1f8b0800', 'hex'), 'compressed with gzip. Unpack it first.'],
  ])('refuses a file that %s, and creates no output', async (_, content, message) => {
    const folder = await folderWith(content === null ? {} : { 'earlier.csv': content });
    const [earlier, output] = [join(folder, 'earlier.csv'), join(folder, 'out.csv')];
    const { code, stderr } = await bulk(['10.1000/a'], RECORDS, '--since', earlier, '-o', output);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).toContain(earlier);
    await expect(readFile(output)).rejects.toThrow('ENOENT');
  });

  test('is refused together with --resume', async () => {
    const folder = await folderWith({});
    await writeFile(join(folder, 'out.csv'), '');
    const args = ['--since', 'earlier.csv', '--resume', '-o', join(folder, 'out.csv')];
    const { code, stderr } = await bulk(['10.1000/a'], RECORDS, ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('do not go together')]);
  });
});
