import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { NOT_REPORTED, type Update } from '../../../src/works/retractions-and-updates.ts';
import { urlValue } from '../../support/fake-directory.ts';
import { fakeGateway, jsonLines, runCli } from './run-cli.ts';

const KNOWN = {
  records: { '10.1000/182': [urlValue('https://example.org/1', { timestamp: '2004-01-21T14:14:17Z' })] },
  agencies: { '10.1000/182': { status: 'FOUND', agency: 'Crossref' } },
} as const;

const RETRACTION: Update = {
  kind: 'RETRACTION',
  type: 'retraction',
  doi: '10.5555/n',
  date: { year: 2021, month: 3, day: 2, text: '2021-03-02' },
  sources: ['publisher'],
  recordIds: [],
};
const CORRECTION: Update = {
  ...RETRACTION,
  kind: 'CORRECTION',
  doi: null,
  date: { year: 2020, month: null, day: null, text: '2020' },
  sources: [],
};
const PREPRINT = { type: 'x', identifierType: 'doi', assertedBy: null };

describe('doi show', () => {
  test('shows a card', async () => {
    const { code, stdout, stderr } = await runCli(['show', 'doi:10.1000/182'], {
      gateway: await fakeGateway(KNOWN),
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      [
        '10.1000/182',
        '  outcome       found',
        '  link          https://doi.org/10.1000/182',
        '  leads to      https://example.org/1',
        '  agency        Crossref',
        '  record        1 value: URL',
        '  changed       2004-01-21T14:14:17Z',
        '  not known     metadata, updates, relations: This gateway fetches no metadata. Its operator can turn it on with METADATA=yes.',
        '',
      ].join('\n'),
    );
  });

  test('shows the title, the updates, the preprint and the published version of a work', async () => {
    const names = ['10.5555/a', '10.5555/b', '10.5555/c'];
    const gateway = await fakeGateway({
      records: Object.fromEntries(names.map((name) => [name, [urlValue('https://example.org/')]])),
      metadata: Object.fromEntries(names.map((name) => [name, { title: `Title of ${name}` }])),
      histories: {
        '10.5555/a': {
          updates: { outcome: 'RETRACTED', notices: [CORRECTION, RETRACTION], noticeOf: [] },
          relations: [{ ...PREPRINT, kind: 'HAS_PREPRINT', identifier: '10.5555/c' }],
        },
        '10.5555/b': { updates: { ...NOT_REPORTED, outcome: 'NONE_RECORDED' }, relations: [] },
        '10.5555/c': {
          updates: NOT_REPORTED,
          relations: [
            { ...PREPRINT, kind: 'IS_PREPRINT_OF', identifier: '10.5555/a' },
            { ...PREPRINT, kind: 'HAS_PREPRINT', identifier: 'arXiv:2101.00001', identifierType: 'arxiv' },
          ],
        },
      },
    });
    const { code, stdout } = await runCli(['show', ...names], { gateway, isTerminal: true });
    expect(code).toBe(0);
    expect(stdout).toContain('\u001B[31mRETRACTED 2021-03-02, notice https://doi.org/10.5555/n, publisher;');
    const rows = stdout
      .replaceAll(/\u001B\[\d+m/g, '')
      .match(/^ {2}(?:title|updates|preprint|published as) .*$/gm);
    expect(rows).toEqual([
      '  title         Title of 10.5555/a',
      '  updates       RETRACTED 2021-03-02, notice https://doi.org/10.5555/n, publisher; correction 2020',
      '  preprint      https://doi.org/10.5555/c',
      '  title         Title of 10.5555/b',
      '  updates       none recorded by Crossref',
      '  title         Title of 10.5555/c',
      '  updates       reported for another DOI',
      '  published as  https://doi.org/10.5555/a',
      '  preprint      arXiv:2101.00001',
    ]);
  });

  test('shows the kind of the work, its affiliations and the beginning of its abstract', async () => {
    const affiliation = [{ name: 'Brown University' }];
    const gateway = await fakeGateway({
      records: { '10.5555/a': [urlValue('https://example.org/')] },
      metadata: {
        '10.5555/a': {
          ...{ type: 'article-journal', title: 'Pots', abstract: `One.\n\n${'x'.repeat(400)}` },
          author: Array.from({ length: 8 }, (_, at) => ({
            ...{ family: 'Carberry', affiliation: [...affiliation, { name: `Institute ${at}` }] },
          })),
        },
      },
    });
    const { stdout } = await runCli(['show', '10.5555/a'], { gateway });
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        '  title         Pots',
        '  kind          article',
        '  affiliations  Brown University; Institute 0; Institute 1; Institute 2; Institute 3; and 4 more',
        `  abstract      One. ${'x'.repeat(295)}…`,
      ]),
    );
    const json = await runCli(['show', '--json', '10.5555/a'], { gateway });
    expect(JSON.parse(json.stdout).work).toMatchObject({ kind: 'ARTICLE', licenses: [], funders: [] });
    expect(JSON.parse(json.stdout).work.affiliations).toHaveLength(9);
  });

  test('shows the cited works and their updates with --references', async () => {
    const cites = [
      { DOI: '10.5555/a', unstructured: 'Carberry 2008' },
      { unstructured: 'A book without a DOI.' },
      { DOI: '10.5555/down' },
    ];
    const names = ['10.5555/citing', '10.5555/a', '10.5555/silent'];
    const gateway = await fakeGateway({
      records: Object.fromEntries(names.map((name) => [name, [urlValue('https://example.org/')]])),
      metadata: {
        '10.5555/citing': async (_, { kind }) =>
          kind === 'references' ? { reference: cites } : { title: 'Citing' },
        '10.5555/a': { title: 'Pots', issued: { 'date-parts': [[2008]] } },
        '10.5555/down': new GatewayError('UPSTREAM_UNAVAILABLE'),
        '10.5555/silent': async (_, { kind }) =>
          kind === 'references' ? { reference: null } : { title: 'Silent' },
      },
      histories: {
        '10.5555/a': {
          updates: { outcome: 'RETRACTED', notices: [RETRACTION], noticeOf: [] },
          relations: [],
        },
      },
    });
    const ended = await runCli(['show', '--references', '10.5555/citing', '10.5555/silent'], { gateway });
    const cited = ended.stdout
      .split('\n')
      .slice(ended.stdout.split('\n').findIndex((line) => line.includes('cites')));
    expect(cited.slice(0, 4)).toEqual([
      '  cites         3 references, 1 RETRACTED',
      '                1. Pots (2008) https://doi.org/10.5555/a  RETRACTED 2021-03-02, notice https://doi.org/10.5555/n, publisher',
      '                2. A book without a DOI.',
      expect.stringMatching(/^ {16}3\. https:\/\/doi\.org\/10\.5555\/down {2}cannot tell: /),
    ]);
    expect(ended.stdout).toContain('  cites         not known: the agency gives no list');
    expect(ended.code).toBe(3);
    const json = await runCli(['show', '--references', '--json', '10.5555/citing'], { gateway });
    expect(JSON.parse(json.stdout).references).toMatchObject([
      { name: '10.5555/a', title: 'Pots', year: 2008, updates: { outcome: 'RETRACTED' }, failure: null },
      { name: null, text: 'A book without a DOI.', updates: null, failure: null },
      { name: '10.5555/down', updates: null, failure: expect.any(String) },
    ]);
  });

  test('never shows "none recorded" if the agency fails', async () => {
    const gateway = await fakeGateway({
      ...KNOWN,
      metadata: { '10.1000/182': new GatewayError('UPSTREAM_TIMEOUT') },
    });
    const { stdout } = await runCli(['show', '10.1000/182'], { gateway });
    expect(stdout).toContain(
      '  not known     metadata, updates, relations: The directory is slow. Try again.\n',
    );
    expect(stdout).not.toContain('recorded');
    const [json] = (await runCli(['show', '10.1000/182', '--json'], { gateway })).stdout.split('\n');
    expect(JSON.parse(json ?? '')).toMatchObject({
      outcome: 'found',
      title: null,
      updates: null,
      relations: [],
    });
  });

  test('writes colours only on a terminal, and no colours with NO_COLOR', async () => {
    const gateway = await fakeGateway(KNOWN);
    const show = (run: object) => runCli(['show', '10.1000/182'], { gateway, ...run });
    expect((await show({ isTerminal: true })).stdout).toContain('\u001B[32mfound\u001B[0m');
    expect((await show({ isTerminal: true, environment: { NO_COLOR: '1' } })).stdout).not.toContain('\u001B');
    expect((await show({ isTerminal: true, environment: { TERM: 'dumb' } })).stdout).not.toContain('\u001B');
    expect((await show({})).stdout).not.toContain('\u001B');
  });

  test('looks up all valid names in one operation', async () => {
    const gateway = await fakeGateway(KNOWN);
    const { code, stdout } = await runCli(['show', '--json', '10.1000/182', '10.1000/', '10.1000/128'], {
      gateway,
    });
    expect(code).toBe(1);
    expect(jsonLines(stdout)).toMatchObject([
      {
        input: '10.1000/182',
        outcome: 'found',
        target: 'https://example.org/1',
        agency: { name: 'Crossref' },
      },
      { input: '10.1000/', name: null, outcome: 'invalid' },
      { input: '10.1000/128', outcome: 'absent', meant: ['10.1000/182'] },
    ]);
    expect(gateway.operations()).toBe(1);
  });

  test('never shows absent if the directory fails', async () => {
    const gateway = await fakeGateway({ records: { '10.1000/1': new GatewayError('UPSTREAM_UNAVAILABLE') } });
    const { code, stdout, waits } = await runCli(['show', '10.1000/1', '10.1000/2'], { gateway });
    expect(code).toBe(3);
    expect(stdout).toContain('  outcome       cannot tell\n');
    expect(stdout).toContain('  not known     The directory is down. Try again.\n');
    expect(stdout).toContain('  outcome       absent: there is no such name\n');
    expect(waits).toEqual([1_000, 2_000]);
  });

  test('writes "cannot tell" for names that the sample lacks, and names the option --live', async () => {
    const { code, stdout, stderr } = await runCli(['show', '10.1000/2'], {
      gateway: await fakeGateway({}, { isSample: true }),
    });
    expect(code).toBe(3);
    expect(stdout).toContain('cannot tell');
    expect(stderr).toContain('CONTACT=you@example.org doi show --live');
  });

  test('names the page of a deleted work', async () => {
    const gateway = await fakeGateway({
      records: { '10.1000/gone': [urlValue('https://www.crossref.org/_deleted-doi/')] },
    });
    expect((await runCli(['show', '10.1000/gone'], { gateway })).stdout).toContain(
      "  tombstone     Crossref's page for DOIs that were deleted\n",
    );
  });

  test('escapes control characters', async () => {
    const text = 'https://example.org/\u001B]0;title\u0007\u009B31m\u202Egpj';
    const gateway = await fakeGateway({
      records: {
        '10.1000/1': [urlValue(text), { ...(urlValue('x', { type: 'A\u001B[2J', index: 2 }) as object) }],
      },
    });
    for (const more of [[], ['--json']]) {
      const { stdout } = await runCli(['show', '10.1000/1', ...more], { gateway });
      expect(stdout).toMatch(/u001b/i);
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/);
    }
  });
});
