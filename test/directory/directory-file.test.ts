// The files of the embedded directory, and the message about an invalid line.

import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DirectoryFileError, loadAgencies, loadRecords } from '../../src/directory/directory-file.ts';
import { createEmbeddedDirectory } from '../../src/directory/embedded.ts';
import { wireValue } from '../handle/wire.ts';
import { testTable } from '../support/test-table.ts';
import { handleName } from '../upstream/proxy-under-test.ts';

/** The open files of this process, on Linux. */
const OPEN_FILES = '/proc/self/fd';

/** The path of a file with this content, which is removed after the test. */
async function fileOf(content: string | Buffer): Promise<string> {
  const file = join(await emptyFolder(), 'directory');
  await writeFile(file, content);
  return file;
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'doi-gateway-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function openFiles(): string[] {
  return readdirSync(OPEN_FILES).flatMap((descriptor) => {
    try {
      return [readlinkSync(`${OPEN_FILES}/${descriptor}`)];
    } catch {
      return []; // the file that lists the open files
    }
  });
}

function line(handle: string, values: readonly unknown[] = [wireValue()]): string {
  return JSON.stringify({ handle, values });
}

async function handlesIn(content: string | Buffer): Promise<string[]> {
  return Array.from((await loadRecords(await fileOf(content))).values(), ({ handle }) => handle);
}

async function messageOf(loading: Promise<unknown>): Promise<string> {
  const outcome = await loading.catch((error: unknown) => error);
  if (outcome instanceof DirectoryFileError) return outcome.message;
  throw new Error('no DirectoryFileError', { cause: outcome });
}

describe('records', () => {
  test('have canonical names, and the spelling of the file', async () => {
    const records = await loadRecords(await fileOf(`${line('10.5555/AbC')}\n${line('0.NA/10.5555', [])}\n`));
    expect(Array.from(records, ([name, { handle, values }]) => [name, handle, values.length])).toEqual([
      ['10.5555/abc', '10.5555/AbC', 1],
      ['0.na/10.5555', '0.NA/10.5555', 0],
    ]);
  });

  testTable([
    ['no line end after the last', `${line('a/1')}\n${line('a/2')}`],
    ['CR LF', `${line('a/1')}\r\n${line('a/2')}\r\n`],
    ['blank lines', `\n${line('a/1')}\n\n \t\n${line('a/2')}\n\n`],
    ['white space around them', `  ${line('a/1')}\t\n ${line('a/2')} `],
    ['a carriage return within a line', `${line('a/1').replace(',', ',\r')}\n${line('a/2')}`],
    ['a byte order mark at the start', `\ufeff${line('a/1')}\n${line('a/2')}`],
    ['a blank line after the byte order mark', `\ufeff\n${line('a/1')}\n${line('a/2')}`],
  ])('may have blank lines, other line ends and a byte order mark', async (_, content) => {
    expect(await handlesIn(content)).toEqual(['a/1', 'a/2']);
  });

  test('may be an empty list', async () => {
    expect(await handlesIn('')).toEqual([]);
    expect(await handlesIn('\ufeff')).toEqual([]);
  });

  test('may contain line separators of Unicode', async () => {
    const type = 'a\u2028b\u2029c\u0085d';
    const [record] = (await loadRecords(await fileOf(line('a/1', [wireValue({ type })])))).values();
    expect(record?.values[0]?.type).toBe(type);
  });

  test('with names that differ in more than Basic Latin case are different', async () => {
    const names = ['a/\u00e9', 'a/\u00c9', 'a/e\u0301', 'a/k', 'a/\u212a', 'a/1', 'a/1/'];
    expect(await handlesIn(names.map((name) => line(name)).join('\n'))).toEqual(names);
  });
});

describe('an invalid line is reported with file, line and reason', () => {
  testTable([
    ['no JSON', 'hello', 'not JSON'],
    ['a record cut off', line('a/1').slice(0, -1), 'not JSON'],
    ['a record over two lines', line('a/1').replace(',', ',\n'), 'not JSON'],
    ['an array', `[${line('a/1')}]`, 'not an object'],
    ['no handle', '{"values":[]}', 'handle'],
    ['no values', '{"handle":"a/1"}', 'values'],
    ['a bad value', line('a/1', [wireValue(), wireValue({ index: 'x' })]), 'value 1'],
    [
      'data that is not of its format',
      line('a/1', [wireValue({ data: { format: 'hex', value: 'x' } })]),
      'hexadecimal',
    ],
    ['a number too large', line('a/1').replace('86400', '1e400'), 'number'],
    ['__proto__', '{"__proto__":{},"handle":"a/1","values":[]}', '__proto__'],
    ['the same handle', line('ok/1'), 'twice'],
    ['the same handle in another case', line('OK/1'), 'twice'],
  ])('for each fault', async (_, bad, reason) => {
    const file = await fileOf(`${line('ok/1')}\n\n${bad}\n${line('ok/2')}\n`);
    const message = await messageOf(loadRecords(file));
    expect(message).toContain(`${file}:3: `);
    expect(message.slice(file.length)).toContain(reason);
  });

  test('for a duplicate handle, in its second spelling', async () => {
    const message = await messageOf(loadRecords(await fileOf(`${line('10.1000/x')}\n${line('10.1000/X')}`)));
    expect(message).toContain('10.1000/X');
  });

  test('for bytes that are not UTF-8', async () => {
    const file = await fileOf(Buffer.from(`${line('ok/1')}\n${line('a/\u00e9')}\n`, 'latin1'));
    expect(await messageOf(loadRecords(file))).toContain(`${file}:2: `);
  });
});

test.skipIf(!existsSync(OPEN_FILES))('a file with an invalid line is closed', async () => {
  const file = await fileOf('hello\n'.repeat(20_000));
  await messageOf(loadRecords(file));
  expect(openFiles()).not.toContain(file);
});

describe('an unreadable file is reported', () => {
  test('if the file is missing', async () => {
    const file = join(await emptyFolder(), 'nowhere');
    expect(await messageOf(loadRecords(file))).toContain(`${file}: cannot be read (ENOENT)`);
    expect(await messageOf(loadAgencies(file))).toContain(`${file}: cannot be read (ENOENT)`);
  });

  test('if the path is a folder', async () => {
    const folder = await emptyFolder();
    expect(await messageOf(loadAgencies(folder))).toContain(`${folder}: cannot be read (EISDIR)`);
    expect(await messageOf(loadRecords(folder))).toContain(`${folder}: cannot be read (EISDIR)`);
  });
});

describe('agencies', () => {
  test('are labels of prefixes', async () => {
    const agencies = await loadAgencies(
      await fileOf('\ufeff{"10.1002":"Crossref","10.978.8898392":"mEDRA","10.1":"Größe"}\n'),
    );
    expect(Array.from(agencies)).toEqual([
      ['10.1002', 'Crossref'],
      ['10.978.8898392', 'mEDRA'],
      ['10.1', 'Größe'],
    ]);
    expect((await loadAgencies(await fileOf('{}'))).size).toBe(0);
  });

  testTable([
    ['no JSON', 'hello', 'not JSON'],
    ['nothing', '', 'not JSON'],
    ['an array', '["10.1002"]', 'not an object'],
    ['a label that is a number', '{"10.1":"A","10.1002":5}', '10.1002'],
    ['a label that is null', '{"10.1002":null}', '10.1002'],
    ['a label with an unpaired surrogate', String.raw`{"10.1002":"\ud800"}`, 'surrogate'],
    ['__proto__', '{"__proto__":"Crossref"}', '__proto__'],
    ['a prefix without its directory indicator', '{"1002":"Crossref"}', '"1002"'],
    ['another directory indicator', '{"11.1002":"Crossref"}', '"11.1002"'],
    ['a prefix with letters', '{"10.10o2":"Crossref"}', '"10.10o2"'],
    ['a prefix with an end that is a stop', '{"10.1002.":"Crossref"}', '"10.1002."'],
    ['a name in place of a prefix', '{"10.1002/x":"Crossref"}', '"10.1002/x"'],
    ['a prefix in other digits', '{"10.１００２":"Crossref"}', '"10.１００２"'],
    ['an empty prefix', '{"":"Crossref"}', '""'],
  ])('in an invalid file are rejected with file and reason', async (_, content, reason) => {
    const file = await fileOf(content);
    const message = await messageOf(loadAgencies(file));
    expect(message).toContain(`${file}: `);
    expect(message.slice(file.length)).toContain(reason);
  });
});

describe('the embedded directory', () => {
  test('does not start with an invalid file, and names the file', async () => {
    const good = { recordsFile: await fileOf(line('a/1')), agenciesFile: await fileOf('{}') };
    const bad = await fileOf('hello');
    expect(await messageOf(createEmbeddedDirectory({ ...good, recordsFile: bad }))).toContain(`${bad}:1: `);
    expect(await messageOf(createEmbeddedDirectory({ ...good, agenciesFile: bad }))).toContain(`${bad}: `);
    expect(await messageOf(createEmbeddedDirectory({ recordsFile: bad, agenciesFile: bad }))).toContain(bad);
  });

  test('is available after it is loaded', async () => {
    const directory = await createEmbeddedDirectory({
      recordsFile: await fileOf(line('10.5555/a')),
      agenciesFile: await fileOf('{}'),
    });
    expect(directory.status()).toEqual({ available: true, reached: true });
  });

  test('reports the number of records, and says for an absent name how to use the live system', async () => {
    const recordsFile = await fileOf(`${line('a/1')}\n${line('a/2', [])}\n`);
    const directory = await createEmbeddedDirectory({ recordsFile, agenciesFile: await fileOf('{}') });
    expect(directory.description).toMatchObject({ kind: 'EMBEDDED', baseUrls: [], records: 2 });
    expect(directory.description.description).toContain('2 records');
    const messageFor = async (name: string) => (await directory.resolve(handleName(name))).message;
    expect(await messageFor('a/3')).toContain('DOI_DIRECTORY_URL=https://doi.org');
    expect(await messageFor('a/1')).toBeNull();
    expect(await messageFor('a/2')).toBeNull();
  });
});
