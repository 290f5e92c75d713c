import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, jsonLines, runCli } from './run-cli.ts';

describe('doi find', () => {
  test('writes file, line and column of each name, also from standard input', async () => {
    const text = 'See doi:10.1000/182.\r\n\r\n<a href="https://doi.org/10.1000/456%23789">x</a>\n';
    const folder = await folderWith({ 'a.txt': text });
    const file = join(folder, 'a.txt');
    expect(await runCli(['find', file])).toMatchObject({
      code: 0,
      stdout: `${file}:1:5: 10.1000/182\n${file}:3:10: 10.1000/456#789\n`,
      stderr: '',
    });
    expect((await runCli(['find'], { stdin: text })).stdout).toBe(
      '-:1:5: 10.1000/182\n-:3:10: 10.1000/456#789\n',
    );
  });

  test('counts lines that end with a carriage return', async () => {
    const text = 'See doi:10.1000/182.\r\r<i>10.1000/183</i>\r10.1000/184\r';
    const expected = '-:1:5: 10.1000/182\n-:3:4: 10.1000/183\n-:4:1: 10.1000/184\n';
    expect((await runCli(['find'], { stdin: text })).stdout).toBe(expected);
    for (let at = 0; at < text.length; at += 1) {
      const stdin = [Buffer.from(text.slice(0, at)), Buffer.from(text.slice(at))];
      expect((await runCli(['find'], { stdin })).stdout).toBe(expected);
    }
    expect((await runCli(['find'], { stdin: 'a\nb\rc\r\n10.1000/1' })).stdout).toBe('-:3:1: 10.1000/1\n');
  });

  test('reads several files in their order, and standard input for -', async () => {
    const folder = await folderWith({ a: '10.1000/1', b: 'none' });
    const { stdout } = await runCli(['find', join(folder, 'b'), '-', join(folder, 'a'), '--names'], {
      stdin: '10.1000/2',
    });
    expect(stdout).toBe('10.1000/2\n10.1000/1\n');
  });

  test('joins a name that a line break divides, and marks it as repaired', async () => {
    const { stdout } = await runCli(['find', '--json'], {
      stdin: 'x\nhttps://doi.org/10.1103/\nPhysRevLett.118.140402 doi:10.1000/182',
    });
    expect(jsonLines(stdout)).toEqual([
      {
        ...{ file: '-', line: 2, column: 1, name: '10.1103/PhysRevLett.118.140402' },
        ...{ text: 'https://doi.org/10.1103/\nPhysRevLett.118.140402', form: 'URL', repaired: true },
      },
      {
        file: '-',
        line: 3,
        column: 24,
        name: '10.1000/182',
        text: 'doi:10.1000/182',
        form: 'URI',
        repaired: false,
      },
    ]);
  });

  test('ignores a byte order mark, also in columns', async () => {
    expect((await runCli(['find'], { stdin: '\uFEFF10.1000/182' })).stdout).toBe('-:1:1: 10.1000/182\n');
  });

  test('finds a name even if its bytes arrive one by one', async () => {
    const bytes = Buffer.from('é 10.1000/é182 ü');
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect((await runCli(['find'], { stdin: pieces })).stdout).toBe('-:1:3: 10.1000/é182\n');
  });

  test('counts lines in pieces without a name', async () => {
    const prose = Buffer.from('Nothing to be found here.\n'.repeat(2_000));
    const stdin = [...Array.from({ length: 20 }, () => prose), Buffer.from('  doi:10.1000/182')];
    expect((await runCli(['find'], { stdin })).stdout).toBe('-:40001:3: 10.1000/182\n');
  });

  test.each([
    ['little-endian', Buffer.from('\uFEFF10.1000/182', 'utf16le'), 'the file is UTF-16'],
    ['big-endian', Buffer.from('\uFEFF10.1000/182', 'utf16le').swap16(), 'the file is UTF-16'],
    ['without a mark', Buffer.from('10.1000/182', 'utf16le'), 'the file looks like UTF-16'],
    ['a PDF', Buffer.from('%PDF-1.7\n10.1000/182'), 'this is a PDF'],
    ['an archive', Buffer.from('PK\u0003\u000410.1000/182'), 'this is a ZIP archive'],
    ['a file with NUL bytes', Buffer.from('ab\0\0\0\u000110.1000/182'), 'the file is not text'],
  ])('refuses a file that is not UTF-8 text: %s', async (_, content, reason) => {
    const folder = await folderWith({ 'a.bin': content });
    const { code, stdout, stderr } = await runCli(['find', join(folder, 'a.bin')]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`a.bin: ${reason}`);
  });

  test('names the unreadable files, and reads the other files', async () => {
    const folder = await folderWith({ a: '10.1000/1' });
    const { code, stdout, stderr } = await runCli(['find', join(folder, 'none'), join(folder, 'a')]);
    expect(code).toBe(2);
    expect(stdout).toBe(`${join(folder, 'a')}:1:1: 10.1000/1\n`);
    expect(stderr).toContain(`${join(folder, 'none')}: there is no such file.\n`);
  });

  test('exits with 1 if there is no name, as grep does', async () => {
    expect(await runCli(['find'], { stdin: 'none' })).toMatchObject({ code: 1, stdout: '', stderr: '' });
  });

  test('escapes control characters in JSON', async () => {
    const { stdout } = await runCli(['find', '--json'], {
      stdin: 'doi:10.1000/a\u{202E}b <10.1000/x\u001B[31m> 10.1000/\u0085',
    });
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/);
  });

  test('reads a file with control characters in its name, and escapes them', async () => {
    const folder = await folderWith({ 'a\u001B[2Jb': '10.1000/1' });
    const { stdout } = await runCli(['find', join(folder, 'a\u001B[2Jb')]);
    expect(stdout).toBe(`${folder}/a\\u001B[2Jb:1:1: 10.1000/1\n`);
  });
});
