import { Writable } from 'node:stream';
import { parse } from '@retorquere/bibtex-parser';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import type { MetadataFormat } from '../../../src/works/metadata-format.ts';
import { urlValue } from '../../support/fake-directory.ts';
import { fakeGateway, folderWith, runCli } from './run-cli.ts';

const CSL = {
  type: 'article-journal',
  title: 'Toward a unified theory',
  author: [{ family: 'Carberry', given: 'Josiah' }],
  issued: { 'date-parts': [[2008, 8, 13]] },
  'container-title': 'Journal of Psychoceramics',
  volume: '5',
};
const RECORD = [urlValue('https://example.org/')];
const described = async (_: unknown, { kind, ...format }: MetadataFormat) =>
  kind === 'citation' ? `Carberry,\n J. (2008). ${JSON.stringify(format)}` : CSL;
const KNOWN = {
  records: { '10.5555/a': RECORD, '10.5555/b': RECORD, '10.5555/none': RECORD },
  metadata: { '10.5555/a': described, '10.5555/b': CSL },
};

describe('doi cite', () => {
  test('writes a citation on one line, in the given style and language', async () => {
    const gateway = await fakeGateway(KNOWN);
    expect(await runCli(['cite', 'https://doi.org/10.5555/a'], { gateway })).toMatchObject({
      code: 0,
      stdout: 'Carberry, J. (2008). {"style":"apa","locale":"en-US"}\n',
      stderr: '',
    });
    const args = ['cite', '10.5555/a', '--style', 'ieee', '--locale', 'de-DE'];
    expect((await runCli(args, { gateway })).stdout).toContain('{"style":"ieee","locale":"de-DE"}');
  });

  test('writes one file of BibTeX for the names of standard input, with each work once', async () => {
    const { code, stdout } = await runCli(['cite', '-', '10.5555/a', '--format', 'bibtex'], {
      gateway: await fakeGateway(KNOWN),
      stdin: '10.5555/a\n10.5555/b\n',
    });
    const { entries, errors } = parse(stdout);
    expect({ code, errors, titles: entries.map(({ fields }) => fields['title']) }).toEqual({
      code: 0,
      errors: [],
      titles: ['Toward a unified theory', 'Toward a unified theory'],
    });
  });

  test('writes RIS, and writes CSL JSON as one list', async () => {
    const gateway = await fakeGateway(KNOWN);
    const cite = async (format: string) =>
      (await runCli(['cite', '10.5555/a', '10.5555/b', '--format', format], { gateway })).stdout;
    expect((await cite('ris')).match(/^TY {2}- JOUR$/gm)).toHaveLength(2);
    expect(JSON.parse(await cite('csl'))).toMatchObject([CSL, CSL]);
  });

  test.each<[readonly string[], number, string]>([
    [['10.5555/absent'], 1, 'doi cite: 10.5555/absent: There is no such name.\n'],
    [['10.5555/none'], 1, 'doi cite: 10.5555/none: The agency has no metadata.\n'],
    [['10.1000/'], 1, 'doi cite: "10.1000/" has no suffix'],
    [['10.5555/failed', '10.1000/'], 3, 'doi cite: 10.5555/failed: The directory is slow. Try again.\n'],
  ])('for %j, writes the citations that it can write, and exits with %i', async (names, code, stderr) => {
    const metadata = { ...KNOWN.metadata, '10.5555/failed': new GatewayError('UPSTREAM_TIMEOUT') };
    const gateway = await fakeGateway({ records: { ...KNOWN.records, '10.5555/failed': RECORD }, metadata });
    const ended = await runCli(['cite', ...names, '10.5555/a'], { gateway });
    expect(ended).toMatchObject({ code, stdout: expect.stringContaining('Carberry, J. (2008)') });
    expect(ended.stderr).toContain(stderr);
  });

  test('exits with 3 for names that the sample lacks', async () => {
    const ended = await runCli(['cite', '10.5555/x'], {
      gateway: await fakeGateway(KNOWN, { isSample: true }),
    });
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toContain('doi cite --live');
  });

  test.each([
    [['cite']],
    [['cite', '10.5555/a', '--format', 'bibtex', '--style', 'apa']],
    [['cite', '10.5555/a', '--style', 'none']],
    [['cite', '10.5555/a', '--complete', 'refs.bib']],
    [['cite', '--complete', 'no/such/file.bib']],
  ])('refuses the arguments %j', async (args) => {
    expect(await runCli(args)).toMatchObject({ code: 2, stdout: '' });
  });
});

const FILE = `% Encoding: UTF-8
@string{jp = "Journal of Psychoceramics"}
@article{carberry,
  title   = {Toward a {Unified} Theory},
  year    = 2009, % to be checked
  journal = jp,
  doi     = {10.5555/a},
}
@misc{other, title = {No DOI}}
`;

describe('doi cite --complete', () => {
  test('adds missing fields in the style of the entry, keeps all other text, and lists differences', async () => {
    const folder = await folderWith({ 'refs.bib': FILE });
    const path = `${folder}/refs.bib`;
    const gateway = await fakeGateway(KNOWN);
    const { code, stdout, stderr } = await runCli(['cite', '--complete', path], { gateway });
    const added = [
      ['author ', '{Carberry, Josiah}'],
      ['month  ', 'aug'],
      ['day    ', '{13}'],
      ['volume ', '{5}'],
      ['url    ', '{https://doi.org/10.5555/a}'],
    ].map(([field, value]) => `,\n  ${field} = ${value}`);
    expect(stdout).toBe(FILE.replace('{10.5555/a}', `{10.5555/a}${added.join('')}`));
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: [
        `${path}:3: carberry: year is 2009, but the agency has {2008}`,
        '2 entries: 1 completed with 5 fields, 1 without a DOI; 1 difference',
        '',
      ].join('\n'),
    });
  });

  test('reads standard input, and leaves an entry unchanged if its look-up fails', async () => {
    const metadata = { '10.5555/a': new GatewayError('UPSTREAM_TIMEOUT') };
    const gateway = await fakeGateway({ ...KNOWN, metadata });
    const ended = await runCli(['cite', '--complete', '-'], { gateway, stdin: FILE });
    expect(ended).toMatchObject({ code: 3, stdout: FILE });
    expect(ended.stderr).toContain('-:3: carberry: 10.5555/a: The directory is slow. Try again.\n');
  });

  test('opens no gateway for a file without DOIs', async () => {
    const stdin = '@misc{a, title = {b}}';
    expect(await runCli(['cite', '--complete', '-'], { stdin })).toMatchObject({ code: 0, stdout: stdin });
  });

  test('refuses an empty file, because the shell may have emptied the file for the output', async () => {
    const ended = await runCli(['cite', '--complete', '-'], { stdin: '' });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('another file') });
  });

  const latin1File = '@misc{a, title = {Über \x80 caf\xE9}, doi = {10.5555/a}\n}\n';
  const completeLatin1 = async (family: string) => {
    const written: Buffer[] = [];
    const stdout = new Writable({
      write: (piece: Buffer, _, done) => {
        written.push(piece);
        done();
      },
    });
    const gateway = await fakeGateway({
      ...KNOWN,
      metadata: { '10.5555/a': { ...CSL, author: [{ family, given: 'A' }] } },
    });
    const stdin = [Buffer.from(latin1File, 'latin1')];
    const { stderr } = await runCli(['cite', '--complete', '-'], { gateway, stdin, stdout });
    return { bytes: Buffer.concat(written), stderr };
  };

  test('reads a file in Windows-1252, and writes the same encoding', async () => {
    const { bytes, stderr } = await completeLatin1('Šéfcík');
    expect(bytes.toString('latin1')).toContain('title = {Über \x80 caf\xE9}');
    expect(bytes.toString('latin1')).toContain('author = {\x8A\xE9fc\xEDk, A}');
    expect(stderr).toContain('title is {Über € café}, but');
  });

  test('writes UTF-8, with a message, if the added fields have characters outside Windows-1252', async () => {
    const { bytes, stderr } = await completeLatin1('Šéfčík');
    expect(bytes.toString()).toContain('title = {Über € café}');
    expect(bytes.toString()).toContain('author = {Šéfčík, A}');
    expect(stderr).toContain('The result is UTF-8');
  });

  test('refuses a file in UTF-16', async () => {
    const ended = await runCli(['cite', '--complete', '-'], {
      stdin: [Buffer.from(`\uFEFF${FILE}`, 'utf16le')],
    });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('iconv');
  });
});
