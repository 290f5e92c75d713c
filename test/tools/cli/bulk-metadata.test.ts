// Some fields of `doi bulk` come from the metadata of agencies.

import { parse as parseBibtex } from '@retorquere/bibtex-parser';
import { parse as parseCsv } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { FIELDS as ALL_FIELDS } from '../../../src/tools/bulk/fields.ts';
import type { MetadataFormat } from '../../../src/works/metadata-format.ts';
import { urlValue } from '../../support/fake-directory.ts';
import { workHistory } from '../../support/work-histories.ts';
import { fakeGateway, runCli } from './run-cli.ts';

const CSL = {
  type: 'article-journal',
  title: 'A title, "quoted"',
  author: [{ family: 'Carberry', given: 'Josiah' }, { literal: 'The Consortium' }],
  issued: { 'date-parts': [[2008]] },
  'container-title': 'Journal of Psychoceramics',
};
const NAMES = ['10.5555/a', '10.5555/none', '10.5555/failed', '10.5555/many'];
const GATEWAY = {
  records: Object.fromEntries(NAMES.map((name) => [name, [urlValue('https://example.org/')]])),
  metadata: {
    '10.5555/a': async (_: unknown, { kind }: MetadataFormat) =>
      kind === 'citation' ? 'Carberry, J.\n (2008).' : CSL,
    '10.5555/failed': new GatewayError('UPSTREAM_BAD_RESPONSE'),
    '10.5555/many': { ...CSL, author: Array(60).fill({ literal: 'A B' }) },
  },
  histories: {
    '10.5555/a': workHistory('RETRACTED', 'RETRACTION'),
    '10.5555/many': workHistory('NONE_RECORDED'),
  },
} as const;
const FIELDS = 'title,year,creators,container,citation,bibtex,updates';

test('metadata fields are columns of CSV, each on one line', async () => {
  const stdin = `doi\n${NAMES.slice(0, 3).join('\n')}\n10.5555/absent\n`;
  const { code, stdout } = await runCli(['bulk', '--fields', FIELDS], {
    gateway: await fakeGateway(GATEWAY),
    stdin,
  });
  expect(code).toBe(3);
  expect(stdout.trimEnd().split('\n')).toHaveLength(5);
  const [work, ...others] = parseCsv(stdout, { columns: true }) as Record<string, string>[];
  expect(work).toMatchObject({
    title: 'A title, "quoted"',
    year: '2008',
    creators: 'Josiah Carberry; The Consortium',
    container: 'Journal of Psychoceramics',
    citation: 'Carberry, J. (2008).',
    updates: 'RETRACTED 2020-05-06, notice https://doi.org/10.5555/n, publisher',
    error: '',
  });
  const { entries, errors } = parseBibtex(work?.['bibtex'] ?? '');
  expect([errors, entries[0]?.fields['year']]).toEqual([[], '2008']);
  const nothing = { title: '', year: '', creators: '', container: '', citation: '', bibtex: '', updates: '' };
  expect(others).toEqual([
    { doi: '10.5555/none', ...nothing, error: '' },
    { doi: '10.5555/failed', ...nothing, error: 'UPSTREAM_BAD_RESPONSE' },
    { doi: '10.5555/absent', ...nothing, error: '' },
  ]);
});

test('a row counts once, as failed, if its name exists but the look-up of its title fails', async () => {
  const { stderr } = await runCli(['bulk', '--fields', 'exists,title'], {
    gateway: await fakeGateway(GATEWAY),
    stdin: 'doi\n10.5555/a\n10.5555/failed\n10.5555/absent\n',
  });
  expect(stderr).toContain('3 lines, 1 found, 1 absent, 1 failed (UPSTREAM_BAD_RESPONSE 1).');
});

test('metadata fields are members of JSON Lines, with the first 50 creators', async () => {
  const { stdout } = await runCli(['bulk', '--fields', 'year,creators,updates', '--to', 'jsonl'], {
    gateway: await fakeGateway(GATEWAY),
    stdin: 'doi\n10.5555/many\n',
  });
  expect(JSON.parse(stdout)).toEqual({
    doi: '10.5555/many',
    year: 2008,
    creators: `${'A B; '.repeat(50)}et al.`,
    updates: 'none recorded by Crossref',
    error: null,
  });
});

test('the details of a work are columns, and each column has each value only once', async () => {
  const affiliation = [{ name: 'Brown University' }];
  const csl = {
    ...{ type: 'dataset', title: 'T', abstract: 'One.\n\nTwo.', ISSN: '1234-5679', ISBN: '9780306406157' },
    ...{
      keyword: 'Pots; Pans',
      author: [
        { family: 'A', affiliation },
        { family: 'B', affiliation },
      ],
    },
  };
  const fields =
    'kind,abstract,licenses,funders,issn,isbn,subjects,affiliations,citationCount,referenceCount';
  const { code, stdout, stderr } = await runCli(['bulk', '--fields', fields], {
    gateway: await fakeGateway({ ...GATEWAY, metadata: { '10.5555/a': csl } }),
    stdin: 'doi\n10.5555/a\n',
  });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(parseCsv(stdout, { columns: true })).toMatchObject([
    {
      ...{ kind: 'DATASET', abstract: 'One. Two.', issn: '1234-5679', isbn: '9780306406157' },
      ...{ subjects: 'Pots; Pans', affiliations: 'Brown University', licenses: '', funders: '' },
      ...{ citationCount: '', referenceCount: '', error: '' },
    },
  ]);
});

test('the field `tombstone` names the page of a deleted work, and needs a look-up', async () => {
  const gone = 'https://www.crossref.org/_deleted-doi/';
  const records = { '10.5555/gone': [urlValue(gone)], '10.5555/here': [urlValue('https://example.org/')] };
  const { stdout } = await runCli(['bulk', '-f', 'exists,tombstone'], {
    gateway: await fakeGateway({ records }),
    stdin: '10.5555/gone\n10.5555/here\n10.5555/absent\n',
  });
  expect(stdout).toBe(
    "input,exists,tombstone,error\n10.5555/gone,true,Crossref's page for DOIs that were deleted,\n10.5555/here,true,,\n10.5555/absent,false,,\n",
  );
  expect(ALL_FIELDS.find(({ name }) => name === 'tombstone')?.isLookUp).toBe(true);
});
