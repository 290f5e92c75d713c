// `doi check --updates` reports retracted works, and never "none recorded" for a failure.

import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { NOW, urlValue } from '../../support/fake-directory.ts';
import { workHistory } from '../../support/work-histories.ts';
import { fakeGateway, folderWith, jsonLines, runCli } from './run-cli.ts';

const HISTORIES = {
  '10.5555/retracted': workHistory('RETRACTED', 'RETRACTION'),
  '10.5555/withdrawn': workHistory('WITHDRAWN', 'WITHDRAWAL'),
  '10.5555/removed': workHistory('REMOVED', 'REMOVAL'),
  '10.5555/partly': workHistory('PARTLY_RETRACTED', 'PARTIAL_RETRACTION'),
  '10.5555/unclear': workHistory('CONTRADICTORY', 'RETRACTION', 'CORRECTION'),
  '10.5555/concern': workHistory('CONCERN', 'EXPRESSION_OF_CONCERN'),
  '10.5555/corrected': workHistory('CORRECTED', 'ERRATUM'),
  '10.5555/none': workHistory('NONE_RECORDED'),
  '10.5555/alias': workHistory('NOT_REPORTED'),
};
const NAMES = Object.keys(HISTORIES);
const RECORDS = Object.fromEntries(NAMES.map((name) => [name, [urlValue('https://example.org/')]]));
const METADATA = Object.fromEntries(NAMES.map((name) => [name, { title: name }]));
const gatewayOf = (more: object = {}) =>
  fakeGateway({ records: RECORDS, metadata: METADATA, histories: HISTORIES, ...more });

const check = async (names: readonly string[], args: readonly string[] = [], more: object = {}) =>
  runCli(['check', '--updates', ...args], { gateway: await gatewayOf(more), stdin: names.join('\n') });

const NOTICE = '2020-05-06, notice https://doi.org/10.5555/n, publisher';

const OTHER_WORK = {
  title: 'Housing prices in small island states',
  author: [{ family: 'Okafor', given: 'Noor' }],
};

describe('doi check --updates', () => {
  test('looks up the updates of many works in few requests, and writes the updates in the order of the text', async () => {
    const names = Array.from({ length: 120 }, (_, at) => `10.5555/many.${at}`);
    const records = Object.fromEntries(names.map((name) => [name, [urlValue('https://example.org/')]]));
    const metadata = Object.fromEntries(names.map((name) => [name, { title: name }]));
    const histories = Object.fromEntries(names.map((name) => [name, workHistory('NONE_RECORDED')]));
    const gateway = await gatewayOf({ records, metadata, histories });
    const lists: number[] = [];
    const send: typeof gateway.send = (query, variables, signal) => {
      if (query.includes('updates')) lists.push((variables['names'] as readonly string[]).length);
      return gateway.send(query, variables, signal);
    };
    const { stdout } = await runCli(['check', '--updates', '--json'], {
      gateway: { ...gateway, send },
      stdin: ['10.5555/absent', ...names].join('\n'),
    });
    expect(lists).toEqual([50, 50, 20]);
    const written = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).name);
    expect(written).toEqual(['10.5555/absent', ...names]);
  });

  test('writes the updates of each work', async () => {
    const { stdout, stderr } = await check(NAMES);
    expect(stdout.replaceAll(/^-:\d+:1: /gm, '')).toBe(
      [
        `RETRACTED: 10.5555/retracted (${NOTICE})`,
        `WITHDRAWN: 10.5555/withdrawn (${NOTICE})`,
        `REMOVED: 10.5555/removed (${NOTICE})`,
        `PARTLY RETRACTED: 10.5555/partly (${NOTICE})`,
        `CONTRADICTORY: 10.5555/unclear (retraction ${NOTICE}; correction ${NOTICE})`,
        `found: 10.5555/concern (CONCERN ${NOTICE})`,
        `found: 10.5555/corrected (CORRECTED ${NOTICE})`,
        'found: 10.5555/none (updates: none recorded by Crossref)',
        'found: 10.5555/alias (updates: reported for another DOI)',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe(
      '9 references: 9 found, 0 absent, 0 cannot tell; 1 retracted, 1 withdrawn, 1 removed, 1 partly retracted, 1 contradictory, 1 concern, 1 corrected\n',
    );
  });

  test.each(NAMES.slice(0, 5))('exits with 1 for %s, unless --accept lists the name', async (name) => {
    expect((await check([name])).code).toBe(1);
    const folder = await folderWith({
      accepted: `# known\n\nhttps://doi.org/${name.toUpperCase()} # cited as an example\n`,
    });
    const { code, stdout } = await check([name], ['--accept', `${folder}/accepted`]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^-:1:1: found: .*; accepted\)\n$/);
    expect((await check([name], ['--accept', `${folder}/accepted`, '--quiet'])).stdout).toBe('');
  });

  test.each([
    ['10.5555/concern', 0, 1],
    ['10.5555/corrected', 0, 0],
    ['10.5555/none', 0, 0],
    ['10.5555/alias', 0, 0],
  ])('exits with the code for %s: %i, or %i with --strict', async (name, code, strict) => {
    expect((await check([name])).code).toBe(code);
    expect((await check([name], ['--strict'])).code).toBe(strict);
  });

  test('writes and annotates concerns and corrections, even with --quiet', async () => {
    expect((await check(NAMES, ['--quiet'])).stdout.match(/10\.5555\/\w{2,}/g)).toEqual(NAMES.slice(0, 7));
    const { stdout } = await check(NAMES, ['--format', 'github']);
    expect(stdout.match(/^::\w+/gm)).toEqual([...Array(5).fill('::error'), '::warning', '::warning']);
  });

  test('writes all fields in JSON', async () => {
    const { stdout } = await check(['10.5555/retracted', '10.5555/none', '10.5555/absent'], ['--json']);
    const [retracted, none, absent] = jsonLines(stdout);
    expect(retracted).toMatchObject({
      updates: {
        outcome: 'RETRACTED',
        source: 'Crossref',
        notices: [
          {
            kind: 'RETRACTION',
            date: '2020-05-06',
            url: 'https://doi.org/10.5555/n',
            sources: ['publisher'],
          },
        ],
      },
      accepted: false,
    });
    expect(none?.['updates']).toEqual({ outcome: 'NONE_RECORDED', source: 'Crossref', notices: [] });
    expect(absent?.['updates']).toBeNull();
  });

  test.each([
    ['the agency fails', { metadata: { '10.5555/none': new GatewayError('UPSTREAM_TIMEOUT') } }],
    ['metadata is off', { metadata: undefined }],
    [
      'the API of the agency is off',
      { histories: {}, agencies: { '10.5555/none': { status: 'FOUND', agency: 'Crossref' } } },
    ],
  ])('exits with 3 if %s, and never writes "none recorded"', async (_, more) => {
    for (const args of [[], ['--json'], ['--quiet']]) {
      const { code, stdout, stderr } = await check(['10.5555/none'], args, more);
      expect(code).toBe(3);
      expect(stdout + stderr).not.toMatch(/none recorded|NONE_RECORDED/);
      expect(stdout).toMatch(/updates unknown: \w|"updates":\{"outcome":null,"reason":"\w/);
      expect(stderr).toContain('The updates of 1 reference could not be looked up. ');
    }
  });

  test('writes with --titles that a retracted work does not fit', async () => {
    const metadata = { ...METADATA, '10.5555/retracted': OTHER_WORK };
    const text = ['Ito, Y. (1987). Coral bleaching and the early Universe. Nature, 3. doi:10.5555/retracted'];
    const { code, stdout } = await check(text, ['--titles'], { metadata });
    expect(code).toBe(1);
    expect(stdout).toContain(
      'does not fit: 10.5555/retracted (it is “Housing prices in small island states”; RETRACTED 2020',
    );
  });
});

describe('a published preprint', () => {
  const PREPRINT = '10.5555/preprint';
  const published = {
    kind: 'IS_PREPRINT_OF',
    type: 'is-preprint-of',
    identifier: '10.1038/Article',
    identifierType: 'doi',
    assertedBy: 'subject',
  } as const;
  const checkPreprint = async (...args: readonly string[]) => {
    const records = { ...RECORDS, [PREPRINT]: [urlValue('https://example.org/')] };
    const metadata = { ...METADATA, [PREPRINT]: { title: 'A preprint' } };
    const histories = {
      ...HISTORIES,
      [PREPRINT]: { ...workHistory('NONE_RECORDED'), relations: [published] },
    };
    return check([PREPRINT, '10.5555/none'], args, { records, metadata, histories });
  };

  test('has its published version in its line, the summary and an annotation, even with --quiet', async () => {
    const remark =
      'found: 10.5555/preprint (updates: none recorded by Crossref; preprint; published as 10.1038/Article)';
    const { code, stdout, stderr } = await checkPreprint();
    expect(stdout).toContain(`${remark}\n`);
    expect(stderr).toMatch(/; 1 published preprint$/m);
    expect(code).toBe(0);
    expect((await checkPreprint('--quiet')).stdout).toBe(`-:1:1: ${remark}\n`);
    expect((await checkPreprint('--format', 'github')).stdout).toMatch(
      /^::warning file=-,line=1,.*published as/,
    );
  });

  test('has its published version in JSON and in the lock file', async () => {
    const lock = `${await folderWith({})}/lock`;
    const first = await checkPreprint('--json', '--lock', lock);
    const lines = first.stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).publishedAs)).toEqual(['10.1038/Article', null]);
    const stored = (await readFile(lock, 'utf8')).trim().split('\n');
    expect(stored.map((line) => JSON.parse(line).updates.publishedAs)).toEqual([
      undefined,
      '10.1038/Article',
    ]);
    expect((await checkPreprint('--json', '--lock', lock)).stdout).toBe(first.stdout);
  });

  test('is not written with --quiet if --accept lists it', async () => {
    const folder = await folderWith({ accepted: PREPRINT });
    expect((await checkPreprint('--quiet', '--accept', `${folder}/accepted`)).stdout).toBe('');
  });
});

describe('the lock file', () => {
  const DAY_MS = 86_400_000;
  const run = async (folder: string, now: number, more: object = {}, args: readonly string[] = []) =>
    runCli(['check', '--updates', '--lock', `${folder}/lock`, ...args], {
      gateway: await gatewayOf(more),
      stdin: '10.5555/retracted',
      now: () => now,
    });

  test('keeps the updates of a work, and replaces their look-up until --max-age', async () => {
    const folder = await folderWith({});
    expect((await run(folder, NOW)).code).toBe(1);
    expect(JSON.parse(await readFile(`${folder}/lock`, 'utf8'))).toMatchObject({
      name: '10.5555/retracted',
      updates: { asked: '2026-11-20T12:00:00Z', outcome: 'RETRACTED', source: 'Crossref' },
    });
    const corrected = { histories: { '10.5555/retracted': workHistory('CORRECTED', 'ERRATUM') } };
    expect((await run(folder, NOW + DAY_MS, corrected)).stdout).toContain('RETRACTED');
    const kept = JSON.parse((await run(folder, NOW + DAY_MS, corrected, ['--json'])).stdout);
    expect(Object.keys(kept.updates)).toEqual(['outcome', 'source', 'notices']);
    expect((await run(folder, NOW + 40 * DAY_MS, corrected)).stdout).toContain('CORRECTED');
  });

  test('keeps no failure, and gives an expired result during an outage', async () => {
    const folder = await folderWith({});
    const failing = { metadata: { '10.5555/retracted': new GatewayError('UPSTREAM_TIMEOUT') } };
    expect((await run(folder, NOW, failing)).code).toBe(3);
    expect(await readFile(`${folder}/lock`, 'utf8')).not.toContain('updates');
    await run(folder, NOW);
    const { code, stderr } = await run(folder, NOW + 40 * DAY_MS, failing);
    expect(code).toBe(1);
    expect(stderr).toContain('The updates of 1 reference are from an older look-up. The directory is slow.');
  });
});

describe('--accept', () => {
  test.each([
    [['--accept', 'x'], 'needs --updates'],
    [['--updates', '--accept', 'no/such/file'], 'ENOENT'],
  ])('refuses %j', async (args, words) => {
    const ended = await runCli(['check', ...args]);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });

  test('names the line that is not a DOI name', async () => {
    const folder = await folderWith({ accepted: '10.1000/456#789\n10.1000/\n' });
    const ended = await runCli(['check', '--updates', '--accept', `${folder}/accepted`]);
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('accepted:2: "10.1000/" has no suffix'),
    });
  });
});
