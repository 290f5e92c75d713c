// `doi bulk --reference` in front of the fake searches of both agencies.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Interruption } from '../../../src/tools/cli/run-doi.ts';
import type { AgencyApisOptions } from '../../support/agencies/agency-apis.ts';
import { PUMPS } from '../../support/reference-list.ts';
import { folderWith, type Run } from './run-cli.ts';
import { createSearchingCli } from './searching-cli.ts';

const COLUMNS = 'author,year,title,journal';
const row = (year: number) => `Berger A,${year},${PUMPS.title[0]},${PUMPS['container-title'][0]}`;
const UNKNOWN = 'Marsh P,1977,A history of ferries on the northern lakes,Harbour Press';
const TABLE = `${COLUMNS}\n${row(2012)}\n${row(1987)}\n${UNKNOWN}\n,,,\na\n`;
const DIFFERENCE = 'year: “1987” in the reference, “2012” in the work';

async function stage(options: Partial<AgencyApisOptions> = {}) {
  const { apis, waits, run } = await createSearchingCli(options);
  const bulk = (args: readonly string[], stdin?: string, more?: Run) => run(['bulk', ...args], stdin, more);
  return { apis, waits, bulk };
}

test('each row gets its outcome, its DOI, the details that agree, and the details that differ', async () => {
  const { bulk } = await stage();
  const { code, stdout, stderr } = await bulk(['--reference', COLUMNS, '--from', 'csv'], TABLE);
  expect(stdout.split('\n')).toEqual([
    `${COLUMNS},outcome,doi,agrees,differs,candidates,error`,
    `${row(2012)},found,10.5555/pumps,title authors container year,,,`,
    `${row(1987)},differs,10.5555/pumps,title authors container,"${DIFFERENCE}",,`,
    `${UNKNOWN},not found,,,,,`,
    ',,,,,,,,,EMPTY',
    'a,,,,,,,,,TOO_FEW_COLUMNS',
    '',
  ]);
  expect(stderr).toBe(
    '5 lines, 1 found, 1 with differences, 1 not found (the works might exist), 1 empty, 1 unreadable.\n',
  );
  expect(code).toBe(1);
});

test('the fields of a found DOI follow, and are empty in a row without a DOI', async () => {
  const { bulk } = await stage();
  const lines = `${JSON.stringify({ who: ['Berger, A.'], year: 2012, what: PUMPS.title[0], in: PUMPS['container-title'][0] })}\n${JSON.stringify({ who: 'Marsh', what: 'A history of ferries on the northern lakes' })}\n`;
  const { code, stdout } = await bulk(
    ['--reference', 'who,year,what,in', '--fields', 'url,title', '--prefix', 'x-'],
    lines,
  );
  const [found, unknown] = stdout.split('\n').map((line) => line && JSON.parse(line));
  expect(found).toMatchObject({
    'x-outcome': 'found',
    'x-doi': PUMPS.DOI,
    'x-url': 'https://doi.org/10.5555/pumps',
    'x-title': PUMPS.title[0],
    'x-error': null,
  });
  expect(unknown).toMatchObject({
    'x-outcome': 'not found',
    'x-doi': null,
    'x-title': null,
    'x-error': null,
  });
  expect(code).toBe(0);
});

test('works that fit equally are candidates', async () => {
  const { bulk } = await stage({ searched: { crossref: [PUMPS, { ...PUMPS, DOI: '10.5555/copy' }] } });
  const { stdout } = await bulk(['--reference', COLUMNS, '--to', 'jsonl'], `${COLUMNS}\n${row(2012)}\n`);
  const written = JSON.parse(stdout);
  expect(written).toMatchObject({ outcome: 'several', doi: null });
  expect(written.candidates.toSorted()).toEqual(['10.5555/copy', '10.5555/pumps']);
});

test('a failed search counts as failed, never as not found, and --resume repeats only this search', async () => {
  let isDown = true;
  const { apis, bulk } = await stage({
    misbehaves: ({ words = '' }) => (isDown && words.includes('ferries') ? 'SAYS_503' : null),
  });
  const folder = await folderWith({});
  const [input, output] = [join(folder, 'in.csv'), join(folder, 'out.csv')];
  await writeFile(input, `${COLUMNS}\n${row(2012)}\n${UNKNOWN}\n`);
  const args = ['--reference', COLUMNS, input, '--output', output];
  const first = await bulk(args);
  expect(first.code).toBe(3);
  expect(await readFile(output, 'utf8')).toMatch(/Harbour Press,failed,,,,,[A-Z_]+\n$/);
  expect(first.stderr).toContain('2 lines, 1 found, 1 failed (');
  isDown = false;
  const before = apis.calls.length;
  const second = await bulk([...args, '--resume']);
  expect(second.stderr).toContain('2 lines, 1 found, 1 not found (the works might exist).');
  expect(await readFile(output, 'utf8')).toMatch(/Harbour Press,not found,,,,,\n$/);
  expect(apis.calls.slice(before).every(({ words = '' }) => words.includes('ferries'))).toBe(true);
});

test('a row whose search exceeds the deadline is searched again, at the rate of the agencies', async () => {
  const { apis, waits, bulk } = await stage();
  const rows = Array.from({ length: 201 }, (_, at) => `${row(2012)} ${at}`);
  const { code, stdout } = await bulk(['--reference', COLUMNS], `${COLUMNS}\n${rows.join('\n')}\n`);
  expect(stdout.match(/,10\.5555\/pumps,/g)).toHaveLength(201);
  expect(code).toBe(0);
  expect(waits.length).toBeGreaterThan(0);
  expect(apis.breaches).toEqual([]);
});

test('after Ctrl-C, rows without a search result are not written, and --resume searches for them', async () => {
  const { bulk } = await stage();
  const folder = await folderWith({});
  const [input, output] = [join(folder, 'in.csv'), join(folder, 'out.csv')];
  const rows = Array.from({ length: 100 }, (_, at) => `${row(2012)} ${at}`);
  await writeFile(input, `${COLUMNS}\n${rows.join('\n')}\n`);
  const args = ['--reference', COLUMNS, input, '--output', output];
  const controller = new AbortController();
  const wait = async (): Promise<void> => {
    controller.abort(new Interruption(2));
    controller.signal.throwIfAborted();
  };
  expect(await bulk(args, '', { signal: controller.signal, wait })).toMatchObject({ code: 130 });
  const written = (await readFile(output, 'utf8')).split('\n').slice(1, -1);
  expect(written.length).toBeGreaterThan(0);
  expect(written.length).toBeLessThan(100);
  expect(written.filter((line) => !line.includes(',10.5555/pumps,'))).toEqual([]);
  expect(await bulk([...args, '--resume'])).toMatchObject({ code: 0 });
  expect((await readFile(output, 'utf8')).match(/,10\.5555\/pumps,/g)).toHaveLength(100);
});

test('a reference that is too long fails without a request', async () => {
  const { apis, bulk } = await stage();
  const { code, stdout } = await bulk(['--reference', 'a'], `a,b\n${'word '.repeat(2_001)},b\n`);
  expect([code, apis.calls.length]).toEqual([3, 0]);
  expect(stdout).toContain(',failed,,,,,LIMIT_EXCEEDED\n');
});

test.each([
  [['--dedupe'], '--reference and --dedupe do not go together'],
  [['--column', 'year'], '--reference and --column do not go together'],
])('%s is refused together with --reference', async (args, message) => {
  const { bulk } = await stage();
  expect(await bulk(['--reference', COLUMNS, ...args], TABLE)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(message),
  });
});

test('the error names a column that the file does not have', async () => {
  const { bulk } = await stage();
  expect(await bulk(['--reference', 'author,titel'], TABLE)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The file has no column "titel".'),
  });
});
