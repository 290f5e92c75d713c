// `doi check --match` in front of the fake searches of both agencies.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Interruption } from '../../../src/tools/cli/run-doi.ts';
import { sendInProcess } from '../../../src/tools/gateway-client/send-operation.ts';
import type { AgencyApisOptions } from '../../support/agencies/agency-apis.ts';
import { agencyWorks } from '../../support/agencies/agency-works.ts';
import { NOW } from '../../support/fake-directory.ts';
import { CONTACT, startAgencyGateway } from '../../upstream/agencies/agency-gateway.ts';
import { REFERENCE as FOUND, PUMPS, UNKNOWN } from '../mcp/searching-gateway.ts';
import { folderWith, type Run, runCli } from './run-cli.ts';

const DIFFERS = FOUND.replace('2012', '1987');
const LIST = (...references: readonly string[]) =>
  `References\n\n${references.map((reference, at) => `${at + 1}. ${reference}\n`).join('')}`;
const ABSENT = `${FOUND} doi:10.5555/invented`;
const works = agencyWorks({ count: 2, agency: 'Crossref' });
const [other] = works as [(typeof works)[number]];
const MISFIT = `${FOUND} https://doi.org/${encodeURIComponent(other.name)}`;
const DAY_MS = 86_400_000;
const BROKEN: Partial<AgencyApisOptions> = { misbehaves: () => 'SAYS_503' };

async function stage(
  options: Partial<AgencyApisOptions> = {},
  env: Readonly<Record<string, string>> = CONTACT,
) {
  const { apis, gateway, time } = await startAgencyGateway(works, env, {
    searched: { crossref: [PUMPS] },
    ...options,
  });
  const opened = {
    send: sendInProcess(gateway.app.fetch),
    maxLookups: null,
    isSample: false,
    async close() {},
  };
  const check = (stdin: string, args: readonly string[] = [], days = 0, run: Run = {}) =>
    time.drive(
      runCli(['check', '--match', ...args], {
        ...{ stdin, gateway: opened, now: () => NOW + days * DAY_MS },
        wait: (ms) => time.sleep(ms),
        ...run,
      }),
    );
  const searches = () => apis.calls.filter(({ words }) => words !== undefined).length;
  return { apis, opened, check, searches };
}

const jsonOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('references without a DOI', () => {
  test('get the DOI of their work and the differences, and the summary explains “not found”', async () => {
    const { check, apis } = await stage();
    const { code, stdout, stderr } = await check(LIST(FOUND, DIFFERS, UNKNOWN));
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(
        /^-:3: without a DOI, found: Berger A\. .* \(its DOI is 10\.5555\/pumps; agrees: title, authors, container, year, volume, page\)$/,
      ),
      expect.stringMatching(
        /^-:4: without a DOI, differs: Berger A\. .* \(its DOI is perhaps 10\.5555\/pumps; differs: year: “1987” in the reference, “2012” in the work; to accept it: sha256:\w{16}\)$/,
      ),
      expect.stringMatching(
        /^-:5: without a DOI, not found: Marsh P\. .* \(not at Crossref and DataCite, but the work can exist; to accept it: sha256:\w{16}\)$/,
      ),
      '',
    ]);
    expect(stderr).toBe(
      [
        '0 references: 0 found, 0 absent, 0 cannot tell; 3 entries without a DOI: 1 found, 1 differs, 1 not found',
        'Not found does not mean that there is no such work: the agencies do not have all books, reports and theses.',
        '',
      ].join('\n'),
    );
    expect(code).toBe(1);
    expect(apis.breaches).toEqual([]);
  });

  test('give exit code 0 in all formats if all works are found', async () => {
    const { check } = await stage();
    const bibtex = `\n@article{berger,\n  author = {Berger, Ada},\n  title = {${PUMPS.title[0]}},\n  year = 2012\n}\n`;
    const json = await check(bibtex, ['--json']);
    expect(jsonOf(json.stdout)).toMatchObject([
      {
        ...{ file: '-', line: 2, column: null, name: null, outcome: null },
        text: `Berger, A. (2012). ${PUMPS.title[0]}.`,
        match: { outcome: 'found', doi: '10.5555/pumps', differs: [], reason: null, accepted: false },
      },
    ]);
    const github = await check(bibtex, ['--format', 'github', '-q']);
    expect(github.stdout).toMatch(
      /^::notice file=-,line=2,title=Reference without a DOI::without a DOI, found: .*its DOI is 10\.5555\/pumps/,
    );
    expect([json.code, github.code]).toEqual([0, 0]);
  });

  test('are named if they have too few words for a search, and do not change the exit code', async () => {
    const { check, searches } = await stage();
    const { code, stderr } = await check('@misc{note, note = {A note without a title}, year = 2012}\n');
    expect([code, searches()]).toEqual([0, 0]);
    expect(stderr).toContain('1 entry without a DOI\n-:1: without a DOI: note\n');
  });

  test('do not change the exit code if --accept has their key, and --quiet hides such references', async () => {
    const { check } = await stage();
    const text = LIST(FOUND, DIFFERS, UNKNOWN);
    const keys = [...(await check(text)).stdout.matchAll(/sha256:\w{16}/g)].map(([key]) => key);
    const folder = await folderWith({ accepted: `${keys[0]}\n${keys[1]} # Marsh, A history of ferries\n` });
    const accept = ['--accept', join(folder, 'accepted')];
    const { code, stdout } = await check(text, accept);
    expect([code, stdout.match(/; accepted\)$/gm)?.length]).toEqual([0, 2]);
    expect((await check(text, ['-q', ...accept])).stdout).toMatch(/^.*without a DOI, found.*\n$/);
  });
});

describe('a wrong DOI', () => {
  test('gets the right DOI in its line if it is absent, or if it belongs to another work', async () => {
    const { check } = await stage();
    const text = LIST(ABSENT, MISFIT);
    const words = await check(text);
    expect(words.stdout.split('\n')).toEqual([
      expect.stringMatching(/^-:3:\d+: absent: 10\.5555\/invented \(the words fit 10\.5555\/pumps\)$/),
      expect.stringMatching(/^-:4:\d+: does not fit: .* \(it is “.*”; the words fit 10\.5555\/pumps\)$/),
      '',
    ]);
    expect(words.stderr).toContain('; right DOIs: 2 found\n');
    const match = { outcome: 'found', doi: '10.5555/pumps' };
    expect(jsonOf((await check(text, ['--json'])).stdout)).toMatchObject([
      { outcome: 'absent', match },
      { fit: 'does-not-fit', match },
    ]);
    const github = await check(text, ['--format', 'github']);
    expect(github.stdout.match(/^::error .*the words fit 10\.5555\/pumps/gm)).toHaveLength(2);
    expect([words.code, github.code]).toEqual([1, 1]);
  });

  test('gets the right DOI in HTML, TeX, BibTeX, RIS and CSL JSON, with one search for each reference', async () => {
    const doi = 'https://doi.org/10.5555/invented';
    const [title = ''] = PUMPS.title;
    for (const text of [
      `<ol><li>${FOUND.replace('Journal of Mountain Engineering', '<i>$&</i>')} <a href="${doi}">${doi}</a></li></ol>`,
      `\\bibitem{b12} ${FOUND.replace('Journal of Mountain Engineering', '\\emph{$&}')} \\url{${doi}}\n`,
      `@article{b,\n  doi = {10.5555/invented},\n  url = {${doi}},\n  author = {Berger, Ada},\n  title = {${title}},\n  year = 2012\n}\n`,
      `TY  - JOUR\nDO  - 10.5555/invented\nAU  - Berger, Ada\nTI  - ${title}\nPY  - 2012\nER  - \n`,
      `[{"DOI": "10.5555/invented", "title": "${title}", "author": [{"family": "Berger", "given": "Ada"}], "issued": {"date-parts": [[2012]]}}]`,
    ]) {
      const { check, searches } = await stage();
      const { stdout } = await check(text);
      expect(stdout, text).toContain('absent: 10.5555/invented (the words fit 10.5555/pumps)');
      expect(searches(), text).toBe(1);
    }
  });

  test('causes no search if it is in prose, and a right DOI causes no search either', async () => {
    const { check, searches } = await stage();
    const right = `${other.title}. 2020. doi:${other.name}\n`;
    const { stdout } = await check(
      `As Berger (2012) says, pumps are reliable (doi:10.5555/invented), also here.\n\n${right}`,
      ['--json'],
    );
    expect(jsonOf(stdout).map(({ outcome, match }) => [outcome, match])).toEqual([
      ['absent', null],
      ['found', null],
    ]);
    expect(searches()).toBe(0);
  });
});

describe('a search that fails', () => {
  test('counts as “cannot tell”, never as “not found”, and the exit code is 3', async () => {
    const { check } = await stage(BROKEN);
    const { code, stdout, stderr } = await check(LIST(UNKNOWN, ABSENT));
    expect(stdout).toMatch(/^-:3: without a DOI, cannot tell: Marsh P\. /m);
    expect(stdout).toMatch(/^-:4:\d+: absent: 10\.5555\/invented \(the words: /m);
    expect(stdout).not.toContain('not found');
    expect(stderr).toContain('1 entry without a DOI: 1 cannot tell; right DOIs: 1 cannot tell\n');
    expect(stderr).toContain('The matches of 2 references could not be looked up.');
    expect(code).toBe(3);
  });

  test('has its reason only once if the gateway does not search', async () => {
    const { check, searches } = await stage({}, { ...CONTACT, MATCHING: 'no' });
    const { code, stdout, stderr } = await check(LIST(FOUND, UNKNOWN, ABSENT));
    expect([code, searches()]).toEqual([3, 0]);
    expect(stdout.match(/METADATA_OFF: the gateway does not search\)$/gm)).toHaveLength(3);
    expect(stdout).not.toContain('MATCHING=yes');
    expect(stderr).toContain(
      'The matches of 3 references could not be looked up. METADATA_OFF: This gateway does not search for references.',
    );
    expect((await check('doi:10.5555/invented\n')).code).toBe(1);
  });
});

describe('the lock file', () => {
  const TEXT = LIST(FOUND, DIFFERS, UNKNOWN, ABSENT, MISFIT);
  async function locked(content?: string) {
    const lock = join(await folderWith(content === undefined ? {} : { 'dois.lock': content }), 'dois.lock');
    return { args: ['--lock', lock], read: () => readFile(lock, 'utf8') };
  }

  test('keeps each match, so that the next run makes no search and has the same output', async () => {
    const { args, read } = await locked();
    const first = await stage();
    const { code, stdout } = await first.check(TEXT, args);
    expect(first.searches()).toBeGreaterThan(0);
    const lines = (await read()).trim().split('\n');
    const stored = lines.map((line) => JSON.parse(line)).filter(({ reference }) => reference);
    expect(stored.map(({ outcome, doi, asked }) => [outcome, doi, asked]).toSorted()).toEqual([
      ['differs', '10.5555/pumps', '2026-11-20T12:00:00Z'],
      ['found', '10.5555/pumps', '2026-11-20T12:00:00Z'],
      ['not-found', undefined, '2026-11-20T12:00:00Z'],
    ]);
    expect(lines.toSorted()).toEqual(lines);

    const second = await stage(BROKEN);
    expect(await second.check(TEXT, args, 29)).toMatchObject({ code, stdout });
    expect(second.apis.calls).toEqual([]);
    expect(await read()).toBe(`${lines.join('\n')}\n`);
  });

  test('keeps the match if spaces, punctuation or capital letters of the reference change', async () => {
    const { args } = await locked();
    const { check, searches } = await stage();
    await check(LIST(FOUND), args);
    const before = searches();
    await check(
      `## References\n\n- ${FOUND.replace('Journal', '*Journal').replace('ring.', 'ring*,\n  ')}\n`,
      args,
    );
    expect(searches()).toBe(before);
  });

  test('replaces a search until the match is older than --max-age, and later only if the search fails', async () => {
    const { args, read } = await locked();
    const { check } = await stage();
    await check(LIST(UNKNOWN), args);
    const before = await read();
    const broken = await stage(BROKEN);
    const failed = await broken.check(LIST(UNKNOWN), args, 31);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('; match of 2026-11-20. ');
    expect(await read()).toBe(before);
    const marsh = {
      DOI: '10.5555/marsh',
      type: 'book',
      title: ['A history of ferries on the northern lakes'],
      author: [{ given: 'P.', family: 'Marsh' }],
      issued: { 'date-parts': [[1977]] },
    };
    const later = await stage({ searched: { crossref: [marsh] } });
    const found = await later.check(LIST(UNKNOWN), args, 31);
    expect(found.stdout).toContain('found: Marsh P.');
    expect(found.stderr).toContain('1 answer changed: Marsh P. A history of ferries');
    expect(await read()).toContain('"doi":"10.5555/marsh"');
  });

  test('keeps no failed search', async () => {
    const { args, read } = await locked();
    await (await stage(BROKEN)).check(LIST(FOUND), args);
    await expect(read()).rejects.toThrow('ENOENT');
  });

  test('keeps the works that fit equally, and their order does not matter', async () => {
    const { args, read } = await locked();
    const copies = [PUMPS, { ...PUMPS, DOI: '10.5555/copy' }];
    const { check } = await stage({ searched: { crossref: copies } });
    const { code, stdout } = await check(LIST(FOUND), args);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/these works fit equally: 10\.5555\/\w+, 10\.5555\/\w+;/),
    ]);
    const before = await read();
    const broken = await stage(BROKEN);
    expect(await broken.check(LIST(FOUND), args, 29)).toMatchObject({ code, stdout });
    expect(broken.searches()).toBe(0);
    const later = await stage({ searched: { crossref: copies.toReversed() } });
    const { stderr } = await later.check(LIST(FOUND), [...args, '--max-age', '0'], 1);
    expect([stderr.includes('changed'), await read()]).toEqual([false, before]);
  });

  test('has the matches that were found before the run was interrupted', async () => {
    const { args, read } = await locked();
    const { check, opened } = await stage();
    const stop = new AbortController();
    let operations = 0;
    const gateway: typeof opened = {
      ...opened,
      send(query, variables, signal) {
        if (!query.includes('matchReferences')) return opened.send(query, variables, signal);
        operations += 1;
        if (operations === 1) return opened.send(query, variables, signal);
        stop.abort(new Interruption(2));
        return Promise.reject(signal?.reason);
      },
    };
    const many = Array.from({ length: 80 }, (_, at) => `${UNKNOWN.slice(0, -1)}, pp. ${at}–99.`);
    const { code } = await check(LIST(FOUND, ...many), args, 0, { gateway, signal: stop.signal });
    expect([code, operations]).toEqual([130, 2]);
    expect((await read()).match(/"outcome":"found"/g)).toHaveLength(1);
  });

  test('from an older version of `doi` is read, and its lines are kept', async () => {
    const line = '{"name":"10.5555/invented","outcome":"absent","asked":"2026-11-19T12:00:00Z"}\n';
    const { args, read } = await locked(line);
    const { check } = await stage();
    const { stdout } = await check(LIST(ABSENT), args);
    expect(stdout).toContain('absent: 10.5555/invented (the words fit 10.5555/pumps)');
    expect(await read()).toMatch(new RegExp(`^${line.replaceAll(/[.{}]/g, '\\$&')}\\{"reference":"sha256:`));
  });

  test.each([
    '{"reference":"Berger A. Reliability of pumps","outcome":"found","asked":"2026-01-01T00:00:00Z","doi":"10.1/a"}',
    '{"reference":"sha256:0123456789abcdef","outcome":"found","asked":"2026-01-01T00:00:00Z"}',
    '{"reference":"sha256:0123456789abcdef","outcome":"several","asked":"2026-01-01T00:00:00Z","doi":"10.1/a"}',
    '{"reference":"sha256:0123456789abcdef","outcome":"unknown","asked":"2026-01-01T00:00:00Z"}',
  ])('is refused if it has a match that `doi` never writes: %s', async (line) => {
    const { args } = await locked(`${line}\n`);
    const { check } = await stage();
    expect(await check(LIST(FOUND), args)).toMatchObject({ code: 2, stdout: '' });
  });
});
