// `doi bulk` reads real files with their delimiters, encodings and extensions.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { urlValue } from '../../support/fake-directory.ts';
import { fakeGateway, folderWith, runCli } from './run-cli.ts';

const RECORDS = { records: { '10.1000/1': [urlValue('https://example.org/')] } };
const bulk = async (stdin: string | Buffer, ...args: readonly string[]) =>
  runCli(['bulk', '-f', 'exists', ...args], {
    gateway: await fakeGateway(RECORDS),
    stdin: [Buffer.from(stdin as string)],
  });

describe('the byte order mark', () => {
  const MARK = '\uFEFF';
  const TABLE = 'doi,title\n10.1000/1,Zürich\n';
  const RESULT = 'doi,title,exists,error\n10.1000/1,Zürich,true,\n';

  test.each([
    ['of the input stays', MARK + TABLE, [], MARK + RESULT],
    ['is not added if the input has none', TABLE, [], RESULT],
    ['is added for Excel', TABLE, ['--excel'], MARK + RESULT],
    ['of the input is written only once for Excel', MARK + TABLE, ['--excel'], MARK + RESULT],
    ['is not part of TSV cells', MARK + TABLE, ['--to', 'tsv'], MARK + RESULT.replaceAll(',', '\t')],
    [
      'of a file without a header stays',
      `${MARK}10.1000/1,a\n`,
      ['--no-header', '-c', '1', '--from', 'csv'],
      `${MARK}10.1000/1,a,true,\n`,
    ],
    [
      'is not part of JSON Lines (RFC 8259)',
      MARK + TABLE,
      ['--to', 'jsonl'],
      '{"doi":"10.1000/1","title":"Zürich","exists":true,"error":null}\n',
    ],
  ])('%s', async (_, stdin, args, expected) => {
    const { stdout, code } = await bulk(stdin, ...args);
    expect([stdout, code]).toEqual([expected, 0]);
  });

  test.each([
    ['with a header', '', MARK + RESULT],
    ['without a header', '--no-header', `${MARK}10.1000/1,Zürich,true,\n10.1000/1,Bern,true,\n`],
  ])('of a file %s does not prevent --resume after a stop at any byte', async (_, option, expected) => {
    const text = option === '' ? MARK + TABLE : `${MARK}10.1000/1,Zürich\n10.1000/1,Bern\n`;
    const args = option === '' ? [] : [option, '-c', '1', '--from', 'csv'];
    const bytes = Buffer.from(expected);
    for (let end = 0; end <= bytes.length; end += 1) {
      const folder = await folderWith({});
      const output = join(folder, 'out.csv');
      await writeFile(output, bytes.subarray(0, end));
      const { code } = await bulk(text, ...args, '-o', output, '--resume');
      expect([end, code, await readFile(output, 'utf8')]).toEqual([end, 0, expected]);
    }
  });
});

describe('a file whose lines end with a carriage return', () => {
  test.each([
    [
      'CSV',
      'doi,title\r10.1000/1,"a, b"\r10.1000/2,c\r',
      'doi,title,exists,error\n10.1000/1,"a, b",true,\n10.1000/2,c,false,\n',
    ],
    [
      'with blank lines',
      'doi,title\r\r10.1000/1,a\r\r10.1000/2,c',
      'doi,title,exists,error\n10.1000/1,a,true,\n10.1000/2,c,false,\n',
    ],
    ['names', '10.1000/1\r10.1000/2\r', 'input,exists,error\n10.1000/1,true,\n10.1000/2,false,\n'],
  ])('is read line by line, in pieces of any length: %s', async (_, text, expected) => {
    for (const length of [1, 2, 7, 1_000]) {
      const bytes = Buffer.from(text);
      const stdin = Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) =>
        bytes.subarray(at * length, (at + 1) * length),
      );
      const { stdout, code } = await runCli(['bulk', '-f', 'exists'], {
        gateway: await fakeGateway(RECORDS),
        stdin,
      });
      expect([stdout, code]).toEqual([expected, 0]);
    }
  });
});

describe('the delimiter', () => {
  test.each([
    ['of a header', 'id|doi\n1|10.1000/1\n', [], 'id|doi|exists|error\n1|10.1000/1|true|\n'],
    [
      'of a first line with sep=',
      'sep=;\r\nid;doi,x\r\n1;10.1000/1\r\n',
      ['-c', '2'],
      'id;doi,x;exists;error\n1;10.1000/1;true;\n',
    ],
    [
      'of a first line with a tab',
      'sep=\t\nid\tdoi\n1\t10.1000/1\n',
      [],
      'id,doi,exists,error\n1,10.1000/1,true,\n',
    ],
    [
      'of the first line of a file without a header',
      'sep=|\n1|10.1000/1\n',
      ['--from', 'csv', '--no-header', '-c', '2'],
      '1|10.1000/1|true|\n',
    ],
    [
      'of an option',
      'id:doi\n1:10.1000/1\n"a\nb":10.1000/1\n',
      ['-d', ':'],
      'id:doi:exists:error\n1:10.1000/1:true:\n"a\nb":10.1000/1:true:\n',
    ],
    [
      'of an option with the value tab',
      'id\tdoi\n1\t10.1000/1\n',
      ['-d', 'tab'],
      'id,doi,exists,error\n1,10.1000/1,true,\n',
    ],
  ])('%s', async (_, stdin, args, expected) => {
    const { stdout, code } = await bulk(stdin, ...args);
    expect([stdout, code]).toEqual([expected, 0]);
  });

  test('must be a single character', async () => {
    const { code, stderr } = await bulk('doi\n', '-d', 'ab');
    expect([code, stderr]).toEqual([2, 'doi: --delimiter must be one character such as ; or |, or "tab".\n']);
  });
});

describe('the encoding', () => {
  const latin = Buffer.from('título,doi\ncaf\xe9 \x80,10.1000/1\nx,10.1000/\xe9\n', 'latin1');

  test('a row that is not UTF-8 is read as Windows-1252 if its name is ASCII, with a message', async () => {
    const { stdout, stderr, code } = await bulk(latin);
    expect(stdout).toBe(
      'título,doi,exists,error\ncafé €,10.1000/1,true,\n"x,10.1000/\uFFFD",,,INVALID_UTF8\n',
    );
    expect(stderr).toContain(
      '1 line is not UTF-8 and read as Windows-1252. If this is wrong, give --encoding.\n',
    );
    expect(code).toBe(1);
  });

  test('of the option --encoding applies to all rows', async () => {
    const ansi = await bulk(latin, '--encoding', 'windows-1252');
    expect(ansi.stdout).toContain('\nx,10.1000/é,false,\n');
    expect(ansi.stderr).not.toContain('UTF-8');
    const strict = await bulk(latin, '--encoding', 'utf-8', '-c', '2');
    expect(strict.stdout.match(/INVALID_UTF8/g)).toHaveLength(2);
  });
});

describe('the extension', () => {
  const write = async (name: string, ...more: readonly string[]) => {
    const output = join(await folderWith({}), name);
    const ended = await bulk('id,doi\n"a,b",10.1000/1\n', '-o', output, ...more);
    return { ...ended, text: await readFile(output, 'utf8').catch(() => null) };
  };

  test('.tsv of the output file means TSV', async () => {
    const { text, stderr } = await write('out.tsv');
    expect(text).toBe('id\tdoi\texists\terror\na,b\t10.1000/1\ttrue\t\n');
    expect(stderr).toBe('1 line, 1 found.\n');
  });

  test('of another format for the output is refused without --to', async () => {
    const refused = await write('out.xlsx');
    expect([refused.code, refused.text]).toEqual([2, null]);
    expect(refused.stderr).toContain(
      'doi bulk cannot write the format .xlsx. Name the file .csv, .tsv or .jsonl',
    );
    expect((await write('out.dat', '--to', 'tsv')).text).toContain('a,b\t10.1000/1\ttrue');
  });

  test.each(['refs.bib', 'refs.ris', 'refs.json'])(
    '%s of the input file is refused, and the message names doi find',
    async (name) => {
      const input = join(await folderWith({ [name]: '{}' }), name);
      const { code, stderr } = await runCli(['bulk', input], { gateway: await fakeGateway() });
      expect(code).toBe(2);
      expect(stderr).toContain(`doi find --names ${input} | doi bulk`);
    },
  );
});
