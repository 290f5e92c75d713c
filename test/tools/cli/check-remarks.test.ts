// `doi check` reports references without a DOI, and DOIs that exist but need attention.

import { describe, expect, test } from 'vitest';
import { urlValue } from '../../support/fake-directory.ts';
import { fakeGateway, folderWith, runCli } from './run-cli.ts';

const URL_VALUE = [urlValue('https://example.org/')];

describe('references without a DOI', () => {
  const BIBTEX = '@article{a, title = {One}}\n@article{b, title = {Two}, doi = {10.1000/182}}\n';
  const LIST = '- Okafor, N. (2019). Housing prices in small islands. Lancet, 1(2), 3–4.\n';

  test('are counted in the summary and listed after the summary, and do not change the exit code', async () => {
    const folder = await folderWith({ 'a.bib': BIBTEX, 'b.md': `# Text of 2020\n\n${LIST}` });
    const gateway = await fakeGateway({ records: { '10.1000/182': [urlValue('https://example.org/')] } });
    const { code, stdout, stderr } = await runCli(['check', folder], { gateway });
    expect(stdout).toBe(`${folder}/a.bib:2:35: found: 10.1000/182\n`);
    expect(stderr.split('\n').slice(-4)).toEqual([
      '1 reference: 1 found, 0 absent, 0 cannot tell; 2 entries without a DOI',
      `${folder}/a.bib:1: without a DOI: a: One`,
      `${folder}/b.md:3: without a DOI: ${LIST.slice(2, -1)}`,
      '',
    ]);
    expect(code).toBe(0);
  });

  test('are only counted with --quiet, and their control characters are escaped', async () => {
    const gateway = await fakeGateway();
    const quiet = await runCli(['check', '-q'], { gateway, stdin: BIBTEX.replace(/\n.*/s, '') });
    expect(quiet.stderr).toMatch(/; 1 entry without a DOI\n$/);
    const loud = await runCli(['check'], { gateway, stdin: '@misc{a, title = {\u001b[31mx}}' });
    expect(loud.stderr).toContain('-:1: without a DOI: a: \\u001B[31mx');
  });
});

describe('a DOI that needs attention', () => {
  const RECORDS = {
    '10.1000/pаypal': URL_VALUE,
    '10.1000/old': [{ index: 1, type: 'HS_ALIAS', data: { format: 'string', value: '10.1000/new' } }],
    '10.1000/new': URL_VALUE,
    '10.1000/gone': [urlValue('http://www.crossref.org/deleted_DOI.html')],
  };

  test.each([
    ['a look-alike', '10.1000/pаypal', '(look-alike: it looks like 10.1000/paypal)'],
    ['an alias', '10.1000/old', '(alias of 10.1000/new)'],
    ['a tombstone', '10.1000/gone', '(tombstone: it leads to http://www.crossref.org/deleted_DOI.html)'],
  ])('counts as found, and fails a strict check: %s', async (_, name, remark) => {
    const gateway = await fakeGateway({ records: RECORDS });
    const check = (...more: string[]) => runCli(['check', '-q', ...more], { gateway, stdin: `doi:${name}` });
    expect(await check()).toMatchObject({ code: 0, stdout: `-:1:1: found: ${name} ${remark}\n` });
    expect(await check('--strict')).toMatchObject({ code: 1 });
  });

  test('is counted in the summary', async () => {
    const gateway = await fakeGateway({ records: RECORDS });
    const stdin = Object.keys(RECORDS).join('\n');
    expect((await runCli(['check'], { gateway, stdin })).stderr).toBe(
      '4 references: 4 found, 0 absent, 0 cannot tell; 1 look-alike, 1 alias, 1 tombstone\n',
    );
  });

  test('counts as found even if it is an alias without a target', async () => {
    const loop = [{ index: 1, type: 'HS_ALIAS', data: { format: 'string', value: '10.1000/loop' } }];
    const gateway = await fakeGateway({ records: { '10.1000/loop': loop } });
    expect(await runCli(['check'], { gateway, stdin: '10.1000/loop' })).toMatchObject({
      code: 0,
      stdout: '-:1:1: found: 10.1000/loop (alias of 10.1000/loop)\n',
    });
  });
});
