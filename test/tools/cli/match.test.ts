// `doi match` in front of the fake searches of both agencies.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgencyApisOptions } from '../../support/agencies/agency-apis.ts';
import { PUMPS } from '../../support/reference-list.ts';
import { readReferences, readReferenceWorks } from '../../support/reference-vectors.ts';
import { CONTACT } from '../../upstream/agencies/agency-gateway.ts';
import { fakeGateway, folderWith, jsonLines, runCli } from './run-cli.ts';
import { createSearchingCli } from './searching-cli.ts';

const FOUND =
  'Berger A. Reliability of hydraulic pumps in alpine villages. Journal of Mountain Engineering. 2012;57:978-991.';
const DIFFERS = FOUND.replace('2012', '1987');
const UNKNOWN = 'Marsh P. A history of ferries on the northern lakes. Harbour Press; 1977.';

async function stage(options: Partial<AgencyApisOptions> = {}, env?: Readonly<Record<string, string>>) {
  const { apis, waits, run } = await createSearchingCli(options, env);
  const match = (args: readonly string[], stdin?: string) => run(['match', ...args], stdin);
  return { apis, match, waits };
}

test('each reference gets its DOI and the details that agree or differ, and the summary explains “not found”', async () => {
  const { match } = await stage();
  const { code, stdout, stderr } = await match([], `1. ${FOUND}\n2. ${DIFFERS}\n3. ${UNKNOWN}\n`);
  expect(stdout).toBe(
    [
      '-:1: found: https://doi.org/10.5555/pumps',
      `    ${FOUND}`,
      '    agrees: title, authors, container, year, volume, page',
      '-:2: differs: https://doi.org/10.5555/pumps',
      `    ${DIFFERS}`,
      '    agrees: title, authors, container, volume, page',
      '    differs: year: “1987” in the reference, “2012” in the work',
      '-:3: not found: not at Crossref and DataCite, but the work can exist',
      `    ${UNKNOWN}`,
      '',
    ].join('\n'),
  );
  expect([code, stderr]).toEqual([
    1,
    [
      '3 references, numbered, in -',
      '3 references: 1 found, 1 differs, 0 several, 1 not found, 0 cannot tell',
      'Not found does not mean that there is no such work: the agencies do not have all books, reports and theses.',
      '',
    ].join('\n'),
  ]);
});

test('works that fit equally are listed', async () => {
  const { match } = await stage({ searched: { crossref: [PUMPS, { ...PUMPS, DOI: '10.5555/copy' }] } });
  const { code, stdout } = await match(['-'], FOUND);
  expect(code).toBe(1);
  expect(stdout).toContain('-:1: several: these works fit equally\n');
  for (const name of ['pumps', 'copy'])
    expect(stdout).toContain(
      `    candidate: https://doi.org/10.5555/${name} “${PUMPS.title[0]}”, Ada Berger, 2012\n`,
    );
});

test('if all references are found, the exit code is 0, and --quiet writes nothing', async () => {
  const { match } = await stage();
  expect(await match(['--quiet'], FOUND)).toMatchObject({ code: 0, stdout: '' });
  expect(await match([], '\n')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('0 references'),
  });
});

describe('a failed search', () => {
  test('counts as “cannot tell” with its reason, and the exit code is 3', async () => {
    const { match } = await stage({
      misbehaves: ({ words = '' }) => (words.includes('ferries') ? 'SAYS_503' : null),
    });
    const { code, stdout, stderr } = await match(['--format', 'json'], `${FOUND}\n${UNKNOWN}\n`);
    const [found, failed] = jsonLines(stdout);
    expect(found).toMatchObject({ outcome: 'found', doi: '10.5555/pumps', reason: null });
    expect(failed).toMatchObject({ outcome: 'unknown', doi: null, sources: [], reason: expect.any(String) });
    expect(code).toBe(3);
    expect(stderr).toContain('1 found, 0 differs, 0 several, 0 not found, 1 cannot tell');
  });

  test('has a message if the gateway does not search', async () => {
    const { match } = await stage({}, { ...CONTACT, MATCHING: 'no' });
    const { code, stdout, stderr } = await match([], FOUND);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('This gateway does not search for references.');
    expect(stderr).toContain('doi match --live');
  });

  test('is reported for a text that is too long, which causes no search', async () => {
    const { match, apis } = await stage();
    const { code, stdout } = await match(
      ['--format', 'json'],
      `1. ${FOUND}\n2. ${'long word '.repeat(100_000)}`,
    );
    expect(code).toBe(3);
    expect(jsonLines(stdout).map(({ outcome }) => outcome)).toEqual(['found', 'unknown']);
    expect(stdout.length).toBeLessThan(30_000);
    expect(apis.calls).toHaveLength(1);
  });
});

test('if busy agencies refuse searches, the searches are repeated until all references have a result', async () => {
  const references = readReferences()
    .filter(({ doi }) => doi !== null)
    .slice(0, 150)
    .map(({ text }, at) => `[${at + 1}] ${text}`);
  const crossref = readReferenceWorks() as unknown as readonly Readonly<Record<string, unknown>>[];
  const { apis, match, waits } = await stage({ searched: { crossref } });
  const { code, stdout, stderr } = await match(['--format', 'csv'], references.join('\n'));
  expect(stderr).toContain(' 0 cannot tell\n');
  expect(stderr).toMatch(
    /doi match: \d+ of 150 references done; the agencies are busy; next try in \d+ s\.\n/,
  );
  expect(code).toBe(1);
  expect(stdout.split('\n')).toHaveLength(references.length + 2);
  expect(waits.length).toBeGreaterThan(0);
  expect(apis.breaches).toEqual([]);
});

describe('--format', () => {
  test('json has the evidence and the candidates', async () => {
    const { match } = await stage();
    const [one] = jsonLines((await match(['-f', 'json'], DIFFERS)).stdout);
    expect(one).toMatchObject({
      file: '-',
      line: 1,
      reference: DIFFERS,
      outcome: 'differs',
      sources: ['Crossref'],
    });
    expect(one?.['evidence']).toContainEqual({
      ...{ detail: 'YEAR', verdict: 'DIFFERS', inReference: '1987', inWork: '2012' },
    });
  });

  test('github annotates the references that a reader should look at', async () => {
    const { match } = await stage();
    const { stdout } = await match(['-f', 'github'], `${FOUND}\n\n${DIFFERS}\n\n${UNKNOWN}`);
    const [differs = '', notFound = '', ...others] = stdout.trimEnd().split('\n');
    expect(others).toEqual([]);
    expect(differs).toContain(
      '::error file=-,line=3,title=Reference::differs: https://doi.org/10.5555/pumps; ',
    );
    expect(notFound).toContain('::warning file=-,line=5,title=Reference::not found: ');
    expect(notFound).toContain('the work can exist');
  });

  test('csv writes no formulas, and no format writes control characters', async () => {
    const title = '=HYPERLINK("x") \u001B[2J\u202Ereliability of hydraulic pumps in alpine villages';
    const { match } = await stage({ searched: { crossref: [{ ...PUMPS, title: [title] }] } });
    for (const format of ['text', 'github', 'json', 'csv']) {
      const { stdout } = await match(
        ['-f', format],
        `=Reliability of \u202Epumps in alpine villages, Berger 1999`,
      );
      expect(stdout, format).not.toMatch(/[\u001B\u202E]/);
      if (format === 'csv') expect(stdout).not.toMatch(/(?:^|,|")=/m);
    }
  });
});

describe('files', () => {
  test('of BibTeX and RIS are searched with the words of their fields', async () => {
    const { match, apis } = await stage();
    const folder = await folderWith({
      'refs.bib': `@string{jme = "Journal of Mountain Engineering"}\n\n@article{a,\n  author = {Berger, Ada}, title = {Reliability of {Hydraulic} Pumps in Alpine Villages},\n  journal = jme, year = 2012, volume = 57, pages = {978--991}}\n@misc{b, note = {none}}`,
      'refs.ris': `TY  - JOUR\nAU  - Berger, Ada\nTI  - Reliability of hydraulic pumps in alpine villages\nPY  - 2012\nJO  - Journal of Mountain Engineering\nVL  - 57\nSP  - 978\nER  - \n`,
    });
    const [bib, ris] = ['refs.bib', 'refs.ris'].map((name) => join(folder, name)) as [string, string];
    const { code, stdout, stderr } = await match(['--format', 'json', bib, ris]);
    expect(jsonLines(stdout).map(({ file, line, outcome, doi }) => [file, line, outcome, doi])).toEqual([
      [bib, 3, 'found', '10.5555/pumps'],
      [bib, 6, 'unknown', null],
      [ris, 1, 'found', '10.5555/pumps'],
    ]);
    expect(code).toBe(3);
    expect(stderr).toContain(
      `2 references, in BibTeX entries, in ${bib}\n1 reference, in records, in ${ris}\n`,
    );
    expect(apis.calls.every(({ words }) => words !== undefined)).toBe(true);
  });

  test('are refused before any search if they cannot be read, or have too many references', async () => {
    const gateway = await fakeGateway();
    expect(await runCli(['match', 'missing.txt'], { gateway })).toMatchObject({ code: 2, stdout: '' });
    const many = Array.from({ length: 10_001 }, (_, at) => `${at + 1}. Berger A. Pumps ${at}.`).join('\n');
    const { code, stderr } = await runCli(['match'], { gateway, stdin: many });
    expect([code, stderr.includes('10001 references, and one call looks up at most 10000')]).toEqual([
      2,
      true,
    ]);
    const braces = await runCli(['match'], { gateway, stdin: `@misc{a, title = ${'{'.repeat(1_500_000)}` });
    expect([braces.code, braces.stderr]).toEqual([2, expect.stringContaining('more lines, tags and braces')]);
    async function* endless() {
      for (;;) yield Buffer.from('Berger A. Pumps.\n'.repeat(100_000));
    }
    const endlessRun = await runCli(['match', '-'], { gateway, stdin: endless() });
    expect([endlessRun.code, endlessRun.stderr]).toEqual([2, expect.stringContaining('larger than 20 MB')]);
    expect(gateway.operations()).toBe(0);
  });
});
